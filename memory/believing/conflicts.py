"""Conflict groups of a fold as rows: opened, joined, settled, or gone when a fold knows better."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from memory import clock
from memory.believing.loading import Key, Known
from memory.believing.matching import Plan
from memory.models import Conflict, ConflictSide, History
from memory.types import Group


def settle_groups(user_id: int, plan: Plan, known: Known) -> None:
    """Makes conflicts and their sides say what the folds say. A group is the row that shares most sides with it."""
    rows = {side.conflict_id: side.conflict for side in known.sides}
    sides: dict[int, set[int]] = defaultdict(set)
    for side in known.sides:
        sides[side.conflict_id].add(side.fact_id)
    left = dict(rows)
    for key, folded in plan.folded.items():
        ids = [target.id for target in plan.targets[key]]
        for group in folded.groups:
            members = {ids[side] for side in group.sides}
            row = _same(members, sides, left)
            winner = None if group.winner is None else ids[group.winner]
            if row is None:
                row = _open(user_id, key, group, winner)
            else:
                del left[row.pk]
                _change(row, group, winner)
            _seat(row, members, sides.get(row.pk, set()))
    _close(user_id, left)


def _same(members: set[int], sides: Mapping[int, set[int]], left: Mapping[int, Conflict]) -> Conflict | None:
    shared = Counter({pk: len(members & sides[pk]) for pk in left if members & sides[pk]})
    return left[shared.most_common(1)[0][0]] if shared else None


def _open(user_id: int, key: Key, group: Group, winner: int | None) -> Conflict:
    now = clock.now()
    row = Conflict.objects.create(
        user_id=user_id,
        entity_id=key.entity,
        predicate=key.predicate,
        why=group.why[:500],
        settled_by=group.settled_by,
        opened_at=now,
        settled_at=now if group.settled_by else None,
        winner_id=winner,
    )
    _note(row, "settle" if group.settled_by else "open")
    return row


def _change(row: Conflict, group: Group, winner: int | None) -> None:
    wanted: dict[str, Any] = {"why": group.why[:500], "settled_by": group.settled_by, "winner_id": winner}
    changes = {name: value for name, value in wanted.items() if getattr(row, name) != value}
    if not changes:
        return
    if "settled_by" in changes:
        changes["settled_at"] = clock.now() if group.settled_by else None
        _note(row, "settle" if group.settled_by else "reopen")
    Conflict.objects.filter(pk=row.pk).update(**changes)


def _seat(row: Conflict, members: set[int], seated: set[int]) -> None:
    if seated - members:
        ConflictSide.objects.filter(conflict=row, fact__in=seated - members).delete()
    if members - seated:
        new = [ConflictSide(user_id=row.user_id, conflict=row, fact_id=pk) for pk in sorted(members - seated)]
        ConflictSide.objects.bulk_create(new)


def _close(user_id: int, left: Mapping[int, Conflict]) -> None:
    """What arrived since shows that there never was a contradiction."""
    if left:
        for row in left.values():
            _note(row, "dissolve")
        Conflict.objects.filter(user=user_id, pk__in=left).delete()


def _note(row: Conflict, action: str) -> None:
    History.objects.create(user_id=row.user_id, actor="engine", action=action, table="conflict", row=row.pk)
