"""Slips of the tongue: "Oslo, sorry, Bergen" takes back Oslo, and nothing that does not belong."""

from memory import confidence
from memory.resolver.board import Board
from memory.resolver.relate import authority, is_inferred, value
from memory.resolver.rows import Arrival, Row
from memory.types import Claim, Polarity, Speech, Status

REASON = "corrected: it was never true"


def retract_slips(board: Board, arrival: Arrival) -> Row | None:
    """Retracts what an affirming correction corrects; returns the first of it, or None."""
    claim = arrival.claim
    if claim.speech != Speech.CORRECTS or claim.polarity == Polarity.DENIES or is_inferred(claim):
        return None
    slips = _slips(board, arrival)
    for row in slips:
        board.retract(row, by=authority(claim), reason=REASON)
    return slips[0] if slips else None


def _slips(board: Board, arrival: Arrival) -> list[Row]:
    claim = arrival.claim
    if claim.corrects is not None:
        named = board.where.get(claim.corrects)
        return [named] if named is not None and _may_take_back(claim, named) else []
    live = [row for row in board.peers(arrival) if _says_otherwise(row, claim)]
    if board.is_one_valued and not any(row.is_shared for row in live):
        return [row for row in live if any(said.source == claim.source for said in row.claims)]
    return [row for row in live if _was_just_said(board, row, claim)]


def _says_otherwise(row: Row, claim: Claim) -> bool:
    """Another value, or that this one is not so."""
    return (row.polarity == Polarity.AFFIRMS) == (value(row.founder) != value(claim))


def _may_take_back(claim: Claim, row: Row) -> bool:
    is_standing = row.status != Status.RETRACTED
    return is_standing and _says_otherwise(row, claim) and confidence.rank(claim.source) >= row.rank


def _was_just_said(board: Board, row: Row, claim: Claim) -> bool:
    """In the same sitting, as the last thing before, and on no other occasion."""
    last = board.latest
    if last is None or board.where.get(last.id) is not row or last.source != claim.source:
        return False
    return all(_is_same_sitting(said, claim) for said in row.claims)


def _is_same_sitting(one: Claim, other: Claim) -> bool:
    return one.episode == other.episode or (one.session != "" and one.session == other.session)
