"""Standing rules: topics that a person never wants remembered. They hold for what is said from then on."""

from collections.abc import Iterable

from memory import gate, people, policies, text
from memory.errors import NotFound, Refused
from memory.forgetting.outdating import lock, outdate
from memory.models import Candidate, Rule
from memory.types import Ground, Polarity, Proposal, Quote, Reason, Role, Turn, Verdict

LONGEST = 200


def decline(user_id: int, topic: str) -> Rule:
    """Adds a topic; the same one again changes nothing. Inside the user's scope. Raises Refused for one that names nothing.

    What is known already stays until it is erased: see `would_stop`.
    """
    words = " ".join(text.clean(topic).text.split())
    key = text.name_key(words)
    if not key or len(words) > LONGEST:
        raise Refused(f"A topic is a few words, at most {LONGEST} characters.")
    lock(user_id)
    rule, is_new = Rule.objects.get_or_create(user_id=user_id, topic_key=key[:LONGEST], defaults={"topic": words})
    if is_new:
        outdate(user_id)
    return rule


def undecline(user_id: int, rule_id: int) -> None:
    """Takes a topic off; what was refused under it stays refused. Raises NotFound when there is no such rule."""
    lock(user_id)
    if not Rule.objects.filter(user=user_id, pk=rule_id).delete()[0]:
        raise NotFound("There is no such rule.")


def would_stop(user_id: int, topic: str) -> list[int]:
    """The facts that would not have been learnt had the rule stood from the beginning; inside the scope."""
    person, policy = people.read(user_id), policies.current()
    claims = Candidate.objects.filter(user=user_id, verdict=Verdict.ACCEPTED).exclude(fact=None)
    kept: set[int | None] = set()
    stopped: set[int | None] = set()
    for claim in claims.prefetch_related("evidence").order_by("pk"):
        ground = Ground(turns=_turns(claim), language=person.language, declined=(topic,))
        judgement = gate.judge(_proposal(claim), ground, policy)
        (stopped if judgement.reason is Reason.DECLINED else kept).add(claim.fact_id)
    return sorted(pk for pk in stopped - kept if pk is not None)


def _turns(claim: Candidate) -> tuple[Turn, ...]:
    quotes: Iterable[str] = [quote.quote for quote in claim.evidence.all()] or [claim.text]
    return tuple(Turn(n, Role.USER, quote, claim.said_at) for n, quote in enumerate(quotes, start=1))


def _proposal(claim: Candidate) -> Proposal:
    quotes = [quote.quote for quote in claim.evidence.all()]
    return Proposal(
        text=claim.text,
        subject=claim.subject,
        predicate=claim.predicate,
        object=claim.object,
        polarity=Polarity(claim.polarity),
        evidence=tuple(Quote(n, quote) for n, quote in enumerate(quotes, start=1)),
    )
