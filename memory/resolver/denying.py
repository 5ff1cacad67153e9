"""Denials: what they close, what they take back, and when they are worth keeping (decision 0004)."""

from memory import confidence
from memory.resolver import timeline
from memory.resolver.board import Board, brief
from memory.resolver.compare import is_same_stay, same, settle_by_policy
from memory.resolver.correcting import REASON
from memory.resolver.relate import authority, is_coarser, is_contained, is_inferred, is_user, value
from memory.resolver.rows import Arrival, Outcome, Row
from memory.resolver.timeline import Lane
from memory.types import Claim, Polarity, Relation, Speech, Status


def denial(board: Board, arrival: Arrival) -> Outcome | None:
    """Closes or takes back what it denies. None for a claim that affirms, or denies nothing known."""
    claim = arrival.claim
    if claim.polarity != Polarity.DENIES:
        return None
    if claim.speech == Speech.CORRECTS and not is_inferred(claim):
        return _take_back(board, arrival)
    targets = [row for row in _denied(board, arrival) if row.is_live and _had_begun(row, arrival)]
    if targets:
        return _close(board, arrival, targets)
    return _known_not_to_be(board, arrival)


def _had_begun(row: Row, arrival: Arrival) -> bool:
    """A denial that was over before the fact began does not speak of it."""
    ends = timeline.end(arrival.claim)
    return arrival.lane != Lane.PAST or ends is None or ends >= row.begin


def _denied(board: Board, arrival: Arrival) -> list[Row]:
    """Affirmed rows of the same object or a finer one. A passing denial touches only what is passing."""
    claim, vocabulary = arrival.claim, board.policy.vocabulary
    rows = [row for row in board.rows if board.meets(row, arrival)] if arrival.lane == Lane.OVERLAY else board.rows
    same_slot = board.slot(claim, polarity=Polarity.AFFIRMS)
    return [
        row
        for row in rows
        if row.polarity == Polarity.AFFIRMS
        and (
            board.slot(row.founder) == same_slot
            or is_coarser(claim, row.founder, vocabulary)
            or _is_named(board, row, claim)
        )
    ]


def _is_named(board: Board, row: Row, claim: Claim) -> bool:
    """The fact that the claim says it is about, if their objects overlap; a correction's word is enough on one value."""
    if claim.corrects is None or board.where.get(claim.corrects) is not row:
        return False
    is_only_value = board.is_one_valued and claim.speech == Speech.CORRECTS
    return is_only_value or is_contained(value(row.founder), value(claim))


def _take_back(board: Board, arrival: Arrival) -> Outcome | None:
    """As in "no, I never was": it was never true, on whatever occasion it was said."""
    claim = arrival.claim
    denied = _denied(board, arrival)
    untrue = [row for row in denied if row.status != Status.RETRACTED and _may_take_back(claim, row)]
    for row in untrue:
        board.retract(row, by=authority(claim), reason=REASON)
    if untrue:
        return Outcome(Relation.CORRECTION, f"Takes back {brief(untrue[0].founder)}.", None, untrue[0])
    return _known_not_to_be(board, arrival)


def _may_take_back(claim: Claim, row: Row) -> bool:
    return is_user(claim) or confidence.rank(claim.source) >= row.rank


def _close(board: Board, arrival: Arrival, targets: list[Row]) -> Outcome | None:
    claim = arrival.claim
    may_close = is_user(claim) or all(board.may_update(claim, row, support=arrival.support) for row in targets)
    if not may_close:
        return None if arrival.lane == Lane.PAST else _dispute(board, arrival, targets)
    row = _standing(board, arrival)
    for old in targets:
        board.end(old, valid_to=_until(arrival, old), reason="no longer so", by=authority(claim), successor=row)
    return Outcome(Relation.DENIAL, f"Ends {brief(targets[0].founder)}.", row, targets[0])


def _standing(board: Board, arrival: Arrival) -> Row | None:
    """The fact that the denial itself is, on keys where not doing something is worth knowing."""
    known = same(board, arrival)
    if known is not None:
        board.support(known, arrival.claim)
        return known
    if arrival.lane == Lane.PAST or board.predicate not in board.policy.vocabulary.standing_denials:
        return None
    return board.found(arrival.claim, arrival.lane)


def _until(arrival: Arrival, old: Row) -> str:
    """A denial may give the end as its own ("stopped in March"); else it is as with any newer value."""
    stated = timeline.stated_end(arrival.claim)
    if arrival.lane == Lane.PAST and stated:
        return stated
    return timeline.closing(arrival.claim, began=old.begin)


def _dispute(board: Board, arrival: Arrival, targets: list[Row]) -> Outcome:
    """Not the user's own word, and not newer, trusted or supported enough: a question."""
    claim = arrival.claim
    new = same(board, arrival)
    if new is None:
        new = board.found(claim, arrival.lane)
    else:
        board.support(new, claim)
    board.oppose(new, [row for row in targets if row is not new])
    settle_by_policy(board, new, claim)
    return Outcome(Relation.CONFLICT, f"Denies {brief(targets[0].founder)} without being sure enough.", new, targets[0])


def _known_not_to_be(board: Board, arrival: Arrival) -> Outcome | None:
    """Denying what has ended, or was never true, says nothing new: unless denials are kept here."""
    if same(board, arrival) is not None:
        return None
    over = [row for row in _denied(board, arrival) if not row.is_live and _is_said_by(board, row, arrival)]
    if not over:
        return None
    return Outcome(Relation.DENIAL, f"Known not to be so: {brief(over[-1].founder)}.", None, over[-1])


def _is_said_by(board: Board, row: Row, arrival: Arrival) -> bool:
    if arrival.lane == Lane.PAST:
        return is_same_stay(row, arrival.claim)
    keeps = board.predicate in board.policy.vocabulary.standing_denials
    return not keeps or arrival.claim.speech == Speech.CORRECTS
