"""Pairs that only a judge can relate: asked for, and the answers taken where they are lawful."""

from memory.resolver.board import Board
from memory.resolver.relate import is_contained, likeness, may_be_same, value
from memory.resolver.rows import Arrival, Row
from memory.resolver.timeline import Lane
from memory.types import Cardinality, Claim, Judged, Pair, Polarity

WIDTH = 3
"""With how many known facts, the likest first, one claim is compared by a judge."""
DEPTH = 200
"""Among how many of the newest the likest are looked for."""


def answers(board: Board, arrival: Arrival) -> dict[Judged, list[Row]]:
    """What was answered for the rows worth asking about; what was not is put down as undecided."""
    given: dict[Judged, list[Row]] = {}
    for row in _worth_asking(board, arrival):
        answer = _answer(board, arrival, row)
        if answer is None:
            board.undecided.append(Pair(row.founder.id, arrival.claim.id))
            arrival.unasked.append(row)
        else:
            given.setdefault(answer, []).append(row)
    arrival.beside = list(dict.fromkeys([*arrival.beside, *given.get(Judged.COMPATIBLE, [])]))
    return given


def told(board: Board, claim: Claim) -> dict[int, Judged]:
    """What people said of `claim` and the rows that are known by now, by identity."""
    pairs = ((pair.known, answer) for pair, answer in board.insisted.items() if pair.new == claim.id)
    return {id(board.where[known]): answer for known, answer in pairs if known in board.where}


def _worth_asking(board: Board, arrival: Arrival) -> list[Row]:
    """On a one-valued key what contains or is contained; else what is likest, if there is no telling at all."""
    claim = arrival.claim
    is_plain = arrival.lane == Lane.STANDING and claim.polarity == Polarity.AFFIRMS
    if not is_plain or board.cardinality in (Cardinality.MANY, Cardinality.READING):
        return []
    rows = [row for row in board.peers(arrival) if row.polarity == claim.polarity and id(row) not in arrival.told]
    if board.is_one_valued:
        return [row for row in rows if is_contained(value(claim), value(row.founder))]
    close = sorted(rows[-DEPTH:], key=lambda row: likeness(claim, row.founder), reverse=True)
    return [row for row in close[:WIDTH] if claim.predicate or likeness(claim, row.founder) > 0]


def _answer(board: Board, arrival: Arrival, row: Row) -> Judged | None:
    """The judge's answer on any claim behind the row; "duplicate" never across numbers or polarity."""
    pairs = (Pair(known.id, arrival.claim.id) for known in row.claims)
    answer = next((found for pair in pairs if (found := board.judged.get(pair))), None)
    if answer == Judged.DUPLICATE and not may_be_same(arrival.claim, row.founder):
        return Judged.CONFLICT if board.is_one_valued else Judged.COMPATIBLE
    return answer
