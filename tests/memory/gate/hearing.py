"""What is believed and refused of a sentence by the pattern extractor and the gate together."""

from datetime import UTC, datetime

from memory import gate, policy
from memory.extraction import patterns
from memory.types import Ground, Polarity, Proposal, Role, Turn

AT = datetime(2024, 3, 10, 12, tzinfo=UTC)


def heard(said: str, language: str = "en") -> list[str]:
    """Each claim as "predicate=object" if believed, the reason if not, in the order of the sentence."""
    ground = Ground((Turn(1, Role.USER, said, AT),), language=language)
    return [_outcome(proposal, ground) for proposal in patterns.find(ground, zone=UTC)]


def _outcome(proposal: Proposal, ground: Ground) -> str:
    judged = gate.judge(proposal, ground, policy.default())
    if not judged.is_accepted:
        return f"[{judged.reason}]"
    whom = f"{proposal.subject}: " if proposal.subject != ground.owner else ""
    denied = "not " if proposal.polarity is Polarity.DENIES else ""
    bounds = "".join(
        f" {name} {when}"
        for name, when in (("from", proposal.valid_from), ("to", proposal.valid_to), ("until", proposal.expires_on))
        if when
    )
    return f"{whom}{denied}{proposal.predicate}={proposal.object}{bounds}"
