"""Slips of the tongue: "Oslo, sorry, Bergen" takes back Oslo, and nothing that does not belong."""

import re
from collections.abc import Iterable
from itertools import takewhile

from memory import confidence, text
from memory.policy_types import Vocabulary
from memory.resolver.board import Board
from memory.resolver.relate import authority, holds, is_inferred, value
from memory.resolver.rows import Arrival, Row
from memory.types import Claim, Polarity, Speech, Status

REASON = "corrected: it was never true"
_CLAUSES = re.compile(r"[.,;:!?()–—]+(?:\s|$)")


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
    if (named := board.where.get(claim.corrects or 0)) is not None:
        return [named] if _may_take_back(claim, named) else []
    live = [row for row in board.peers(arrival) if _says_otherwise(row, claim)]
    if claim.corrects is None and board.is_one_valued and not any(row.is_shared for row in live):
        return [row for row in live if any(said.source == claim.source for said in row.claims)]
    if untrue := _said_untrue(live, claim, board.policy.vocabulary):
        return [row for row in untrue if _may_take_back(claim, row)]
    return [] if claim.corrects is not None else [row for row in live if _was_just_said(board, row, claim)]


def _said_untrue(rows: list[Row], claim: Claim, vocabulary: Vocabulary) -> list[Row]:
    """What the correction's own words say is not so: "Tim, not Tom". A part names a row if it fits no other."""
    for named in _named_untrue(claim, vocabulary):
        exact = [row for row in rows if _object(row) == named]
        partly = [row for row in rows if holds(_object(row), named)]
        if exact or len(partly) == 1:
            return exact or partly
    return []


def _named_untrue(claim: Claim, vocabulary: Vocabulary) -> Iterable[list[str]]:
    """Each run of words that follows a "not" within its clause, with and without up to two small words before."""
    for clause in _CLAUSES.split(claim.text):
        said = text.words(clause)
        for at in (at for at, word in enumerate(said) if word in vocabulary.nots):
            named = list(takewhile(lambda word: word not in vocabulary.buts, said[at + 1 :]))
            yield from (named[skipped:] for skipped in range(min(3, len(named))))


def _object(row: Row) -> list[str]:
    return text.words(row.founder.object)


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
