"""What people decided about facts of the key, each from the moment it was decided."""

from collections.abc import Callable
from datetime import UTC

from memory.resolver.board import Board, is_against
from memory.resolver.rows import Row
from memory.resolver.timeline import Lane
from memory.types import Ruling, Status, Verb

CLOSED = "closed by "
ASKED = "its person asked for it to be forgotten"


def apply(board: Board, ruling: Ruling) -> None:
    """Makes a ruling so. It is about the rows that hold its claims now; without any it says nothing."""
    rows = list(dict.fromkeys(board.where[claim] for claim in sorted(ruling.claims) if claim in board.where))
    rows.sort(key=board.rows.index)
    if rows:
        _VERBS[ruling.verb](board, ruling, rows)


def _confirm(board: Board, ruling: Ruling, rows: list[Row]) -> None:
    """Right, as its person says or a reviewer sees it; against an inference that settles it."""
    for row in rows:
        if row.status == Status.RETRACTED:
            if _is_forbidden(ruling, row):
                continue
            board.revive(row)
        row.confirmed[ruling.by] = max(ruling.at, row.confirmed.get(ruling.by, ruling.at))
        if row.conflict and all(side is row or side.rank == 0 for side in row.conflict.alive):
            _prevail(board, ruling, row)


def _retract(board: Board, ruling: Ruling, rows: list[Row]) -> None:
    for row in rows:
        if row.status != Status.RETRACTED and not _is_forbidden(ruling, row):
            board.retract(row, by=ruling.by, reason=f"retracted by {ruling.by}: it was never true")
            row.upheld_by = ruling.by


def _forget(board: Board, ruling: Ruling, rows: list[Row]) -> None:
    """Nobody said that it was wrong: what it had replaced stays past."""
    for row in rows:
        if row.status != Status.RETRACTED:
            board.forget(row, by=ruling.by, reason=ASKED)
            row.upheld_by = ruling.by


def _is_forbidden(ruling: Ruling, row: Row) -> bool:
    """A reviewer sees what the conversation supports; whether it is true its person has said."""
    has_said = row.upheld_by == "member" if row.status == Status.RETRACTED else "member" in row.confirmed
    return ruling.by != "member" and has_said


def _close(board: Board, ruling: Ruling, rows: list[Row]) -> None:
    for row in rows:
        if row.is_live and not _is_forbidden(ruling, row):
            if row.conflict:
                row.conflict.closed.append(row)
            board.end(row, valid_to=_day(ruling), reason=f"{CLOSED}{ruling.by}", by=ruling.by)


def _settle(board: Board, ruling: Ruling, rows: list[Row]) -> None:
    disputed = [row for row in rows if row.conflict]
    _prevail(board, ruling, (disputed or [row for row in rows if row.is_live] or rows)[-1])


def _prevail(board: Board, ruling: Ruling, row: Row) -> None:
    """`row` is right, and what is live against it is not, however that came to be known since."""
    if not row.is_live:
        board.revive(row)
    if row.lane == Lane.PAST:
        return
    if not row.is_live:
        row = _reinstate(board, row)
    row.upheld_by = ruling.by
    if row.conflict:
        ends = {id(side): _day(ruling) for side in row.conflict.alive}
        board.settle(row.conflict, row, by=ruling.by, ends=ends)


def _reinstate(board: Board, row: Row) -> Row:
    """Against what had replaced it under the rules: a person has decided otherwise."""
    again = row.successor
    if again is not None and again.is_live and board.slot(again.founder) == board.slot(row.founder):
        return again
    row.status, row.reason, row.valid_to, row.successor = Status.ACTIVE, "", None, None
    board.live[id(row)] = row
    rivals = [other for other in board.live.values() if other is not row and other.lane == row.lane]
    rivals = [o for o in rivals if is_against(o.founder, row.founder, is_exclusive=board.is_one_valued)]
    if rivals:
        board.oppose(row, rivals)
    return row


def _both(board: Board, ruling: Ruling, rows: list[Row]) -> None:
    """They are true at once. A side that was not known when it was said stays in question."""
    groups = {id(row.conflict): row.conflict for row in rows if row.conflict}
    for conflict in groups.values():
        if all(side in rows for side in conflict.alive):
            board.release(conflict, by=ruling.by)
    for row in rows:
        row.is_shared = True
        row.doubts = [other for other in row.doubts if other not in rows]


def _day(ruling: Ruling) -> str:
    return (ruling.as_of or ruling.at.astimezone(UTC).date()).isoformat()


_VERBS: dict[Verb, Callable[[Board, Ruling, list[Row]], None]] = {
    Verb.CONFIRM: _confirm,
    Verb.RETRACT: _retract,
    Verb.FORGET: _forget,
    Verb.CLOSE: _close,
    Verb.SETTLE: _settle,
    Verb.BOTH: _both,
}
