"""The fold: events in their order onto a board, and what stands there in the end."""

from collections.abc import Mapping, Sequence

from memory import keying
from memory.policy import Policy
from memory.resolver import decisions, outcome, placing, timeline
from memory.resolver.board import Board
from memory.types import Claim, Folded, Judged, Pair, Ruling

_NOBODY_ASKED: Mapping[Pair, Judged] = {}


def fold(
    claims: Sequence[Claim],
    *,
    rulings: Sequence[Ruling] = (),
    judged: Mapping[Pair, Judged] | None = None,
    insisted: Mapping[Pair, Judged] | None = None,
    policy: Policy,
) -> Folded:
    """What is believed on one key, given all its accepted claims and people's decisions on them.

    `judged` is what a model said of pairs of claims, where the rules ask one; `insisted` what people said of
    pairs, which stands above the rules.
    Raises ValueError if the claims are not of one predicate.
    """
    predicates = {claim.predicate for claim in claims}
    if not predicates:
        return Folded()
    if len(predicates) > 1:
        raise ValueError(f"claims of several keys cannot be folded together: {sorted(predicates)}")
    predicate = predicates.pop()
    cardinality = keying.cardinality(predicate, policy.vocabulary)
    board = Board(predicate, cardinality, policy, judged or _NOBODY_ASKED, insisted or _NOBODY_ASKED)
    for event in timeline.events(claims, rulings):
        if isinstance(event, Claim):
            placing.receive(board, event)
        else:
            decisions.apply(board, event)
    return outcome.read(board)
