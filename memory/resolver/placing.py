"""Where a claim goes: held until it has support, then placed by the first rule that has a word for it."""

from collections.abc import Callable

from memory.resolver import compare, correcting, denying, judging
from memory.resolver.board import Board, brief
from memory.resolver.relate import days_apart, is_inferred, is_second_hand, says_beside
from memory.resolver.rows import Arrival, Outcome, Row
from memory.resolver.timeline import Lane, lane, overlap, span
from memory.types import Claim, Relation

RULES: tuple[Callable[[Board, Arrival], Outcome | None], ...] = (
    denying.denial,
    compare.past,
    compare.insisted,
    compare.duplicate,
    compare.refinement,
    compare.judgement,
    compare.contradiction,
    compare.standing,
)
"""In the order of the design. `past` looks first at whether the claim itself is over."""


def receive(board: Board, claim: Claim) -> None:
    """Places `claim`, or holds it while it is an inference without support."""
    place = lane(claim, cardinality=board.cardinality, vocabulary=board.policy.vocabulary)
    arrival = Arrival(claim, place, told=judging.told(board, claim))
    if _is_known_false(board, claim):
        board.note(claim, Relation.DUPLICATE, _FALSE, row=None, against=_retracted(board, claim))
    elif not is_inferred(claim):
        _place(board, arrival)
        _release_waiting(board, arrival)
    elif compare.same(board, arrival) or _is_supported(board, arrival):
        _place(board, arrival)
    board.latest = claim


_FALSE = "Was retracted, and is not learnt again from older or second-hand evidence."


def _is_known_false(board: Board, claim: Claim) -> bool:
    """Retracted, and now only inferred or handed over. What was said before that has its place before it."""
    return is_second_hand(claim) and board.slot(claim) in board.retracted


def _retracted(board: Board, claim: Claim) -> Row | None:
    return next((row for row in board.by_slot[board.slot(claim)] if not row.is_live), None)


def _place(board: Board, arrival: Arrival) -> None:
    if board.is_one_valued and says_beside(arrival.claim, board.policy.vocabulary):
        arrival.beside = [row for row in board.peers(arrival) if row.polarity == arrival.claim.polarity]
    corrected = correcting.retract_slips(board, arrival)
    outcome = next(found for rule in RULES if (found := rule(board, arrival)))
    claim = arrival.claim
    if corrected is None:
        board.note(claim, outcome.relation, outcome.why, row=outcome.row, against=outcome.against)
    else:
        why = f"Corrects {brief(corrected.founder)}, which is taken back."
        board.note(claim, Relation.CORRECTION, why, row=outcome.row, against=corrected)
    for waited in arrival.waited:
        _join(board, waited, outcome.row)


def _join(board: Board, waited: Claim, row: Row | None) -> None:
    if row is not None and Arrival(waited, row.lane, told=judging.told(board, waited)).is_apart(row):
        board.unsupported.append(waited)
        return
    if row is not None:
        board.support(row, waited)
    board.note(waited, Relation.DUPLICATE, "Waited for support, which came.", row=row)


def _is_supported(board: Board, arrival: Arrival) -> bool:
    """Whether enough episodes say it now, each within the waiting time of the one before."""
    claim = arrival.claim
    chain = board.waiting[board.slot(claim), arrival.lane]
    if chain and not _may_support(board, chain[-1], arrival):
        board.unsupported += chain
        chain.clear()
    arrival.waited = tuple(chain)
    chain.append(claim)
    if arrival.support < board.policy.thresholds.min_support:
        return False
    chain.clear()
    return True


def _release_waiting(board: Board, arrival: Arrival) -> None:
    """Inferences of what has now been stated need wait no longer."""
    claim = arrival.claim
    chain = board.waiting.pop((board.slot(claim), arrival.lane), [])
    row = board.where.get(claim.id)
    for waited in chain:
        if row is not None and _may_support(board, waited, arrival):
            _join(board, waited, row)
        else:
            board.unsupported.append(waited)


def _may_support(board: Board, waited: Claim, arrival: Arrival) -> bool:
    """Within the waiting time, and of what passes only if it is about the same days."""
    if days_apart(arrival.claim, waited) > board.policy.thresholds.hold_days:
        return False
    return arrival.lane != Lane.OVERLAY or overlap(span(waited), span(arrival.claim))
