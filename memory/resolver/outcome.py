"""What stands on the board in the end, as plain values."""

from collections.abc import Iterable
from datetime import date
from itertools import pairwise
from typing import Any

from memory import confidence, keying
from memory.confidence import Evidence
from memory.dates import first_day, last_day
from memory.resolver import timeline
from memory.resolver.board import Board, brief
from memory.resolver.decisions import CLOSED
from memory.resolver.relate import is_inferred, value
from memory.resolver.rows import Conflict, Row
from memory.resolver.timeline import Lane, position
from memory.types import Basis, Claim, Decision, Folded, FoldedFact, Group, Kind, Polarity, Status

type Numbers = dict[int, int]

SHOWN = 5
"""How many sides of a contradiction its reason names."""


def read(board: Board) -> Folded:
    """The folded key. Facts are numbered in the order in which their first claim was said."""
    for row in board.rows:
        row.claims.sort(key=position)
    rows = sorted(board.rows, key=lambda row: position(row.claims[0]))
    numbers = {id(row): number for number, row in enumerate(rows)}
    _link_past(board, rows)
    for conflict in board.conflicts:
        _link_closed(conflict)
    groups = {id(conflict): number for number, conflict in enumerate(board.conflicts)}
    return Folded(
        facts=tuple(_fact(board, row, numbers, groups) for row in rows),
        decisions=tuple(_decisions(board, numbers)),
        groups=tuple(_group(conflict, numbers) for conflict in board.conflicts),
        held=tuple(claim.id for chain in board.waiting.values() for claim in chain),
        unsupported=tuple(claim.id for claim in board.unsupported),
        undecided=tuple(board.undecided),
    )


def _decisions(board: Board, numbers: Numbers) -> Iterable[Decision]:
    for note in sorted(board.notes, key=lambda note: position(note.claim)):
        row, against = (None if r is None else numbers[id(r)] for r in (note.row, note.against))
        yield Decision(note.claim.id, note.relation, note.why, row, against)


def _group(conflict: Conflict, numbers: Numbers) -> Group:
    winner = _held(conflict)
    sides = sorted(numbers[id(side)] for side in conflict.sides)
    return Group(tuple(sides), _why(conflict), conflict.settled_by, None if winner is None else numbers[id(winner)])


def _held(conflict: Conflict) -> Row | None:
    """The side that was right, unless it turned out not to be."""
    winner = conflict.winner
    return None if winner is None or winner.status == Status.RETRACTED else winner


def _why(conflict: Conflict) -> str:
    said = list(dict.fromkeys(brief(side.founder) for side in conflict.sides))
    more = f" and {len(said) - SHOWN} more" if len(said) > SHOWN else ""
    return f"These cannot all be true: {', '.join(said[:SHOWN])}{more}."


def _link_past(board: Board, rows: list[Row]) -> None:
    """On a one-valued key what is past was followed by what held next."""
    if not board.is_one_valued:
        return
    held = [
        r for r in rows if r.polarity == Polarity.AFFIRMS and r.status != Status.RETRACTED and r.lane != Lane.OVERLAY
    ]
    held.sort(key=lambda row: (_began(row), position(row.claims[0])))
    for number, row in enumerate(held):
        if row.reason == "past" and row.successor is None:
            over = first_day(row.valid_to or row.begin.isoformat())
            row.successor = next((later for later in held[number + 1 :] if _began(later) >= over), None)


def _link_closed(conflict: Conflict) -> None:
    """Sides that were true at different times followed each other, and the one that was right followed them."""
    closed = [row for row in conflict.closed if row.reason.startswith(CLOSED) and row.successor is None]
    order = sorted(dict.fromkeys(closed), key=lambda row: last_day(row.valid_to or row.begin.isoformat()))
    winner = _held(conflict)
    for row, later in pairwise(dict.fromkeys([*order, *([winner] if winner else [])])):
        if not _leads_to(later, row):
            row.successor = later


def _leads_to(row: Row, target: Row) -> bool:
    """Whether what followed `row` ends in `target`."""
    after: Row | None = row
    while after is not None and after is not target:
        after = after.successor
    return after is target


def _began(row: Row) -> date:
    """Of a past value whose beginning nobody stated only its end is known."""
    if row.lane == Lane.PAST and row.valid_to and not any(claim.valid_from for claim in row.claims):
        return last_day(row.valid_to)
    return row.begin


def _fact(board: Board, row: Row, numbers: Numbers, groups: Numbers) -> FoldedFact:
    best = min(row.claims, key=lambda claim: _preference(row, claim))
    return FoldedFact(
        claims=tuple(claim.id for claim in row.claims),
        text=best.text,
        object=best.object,
        object_key=best.object_key,
        polarity=row.polarity,
        basis=Basis.INFERRED if all(map(is_inferred, row.claims)) else Basis.STATED,
        source=max(row.claims, key=lambda claim: (confidence.rank(claim.source), position(claim))).source,
        status=row.status,
        status_reason=row.reason,
        superseded_by=None if row.successor is None else numbers[id(row.successor)],
        conflict=None if row.conflict is None else groups[id(row.conflict)],
        is_confirmed=bool(row.confirmed),
        is_unjudged=row.is_live and any(other.is_live for other in row.doubts),
        is_exclusive=_is_exclusive(board, row),
        **_trust(board, row, _kind(board, best)),
        **_interval(row),
    )


def _preference(row: Row, claim: Claim) -> tuple[Any, ...]:
    """Which claim a fact is worded by: stated before inferred, not a coarser one, then the first.

    Restatements do not reword it, so that what was labelled and embedded stays what it was.
    """
    return is_inferred(claim), value(claim) != value(row.founder), position(claim)


def _kind(board: Board, best: Claim) -> Kind:
    """What the predicate makes permanent is identity, whatever the extractor called it: it never fades."""
    return Kind.IDENTITY if keying.never_fades(board.predicate, board.policy.vocabulary) else best.kind


def _is_exclusive(board: Board, row: Row) -> bool:
    is_standing = row.lane == Lane.STANDING and row.status == Status.ACTIVE and not row.is_shared
    return board.is_one_valued and is_standing and row.polarity == Polarity.AFFIRMS


def _trust(board: Board, row: Row, kind: Kind) -> dict[str, Any]:
    thresholds = board.policy.thresholds
    evidence = [Evidence(str(claim.episode), claim.session, claim.source, claim.said_at) for claim in row.claims]
    # A person's confirmation is one more occasion; only the member's own counts as their word.
    sources = {"member": "user"}
    evidence += [Evidence(by, "", sources.get(by, "inferred"), at) for by, at in row.confirmed.items()]
    sure = confidence.from_evidence(evidence, kind=kind, thresholds=thresholds)
    if row.conflict or row.has_lost:
        sure = max(0.0, sure - thresholds.contradict_step)
    return {"kind": kind, "confidence": sure, "last_supported_at": max(piece.at for piece in evidence)}


def _interval(row: Row) -> dict[str, Any]:
    """As the newest of the best sources state it. A passing restatement does not date what stands."""
    claims = sorted(_dating(row), key=lambda claim: (confidence.rank(claim.source), position(claim)))
    starts = [claim.valid_from for claim in claims if claim.valid_from]
    ends = [claim.valid_to for claim in claims if claim.valid_to and row.status != Status.SUPERSEDED]
    return {
        "valid_from": starts[-1] if starts else None,
        "valid_to": row.valid_to or (ends[-1] if ends else None),
        "expires_on": _expiry(row, claims),
    }


def _dating(row: Row) -> list[Claim]:
    return [claim for claim in row.claims if not _passes(claim)] if row.lane == Lane.STANDING else row.claims


def _passes(claim: Claim) -> bool:
    ends = timeline.end(claim)
    return ends is not None and ends >= timeline.said_day(claim)


def _expiry(row: Row, claims: list[Claim]) -> date | None:
    """An overlay ends by itself, also where it was dated only by how long it is valid."""
    if row.lane != Lane.OVERLAY:
        return None
    ends = [ending for claim in claims if (ending := timeline.end(claim))]
    return ends[-1] if ends else None
