"""Handing items out, one at a time: each slot of an item is in one reviewer's hands, for a while.

A lease that runs out frees the slot, but takes nothing away while nobody else wants it: who comes back late
goes on where they were. All of this happens inside the staff scope, under a lock on the item.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from memory.errors import NotFound
from memory.models import Handout, Sample, SampleItem

LEASE = timedelta(minutes=10)
_TRIES = 50  # each means that another reviewer was a moment faster

# The reviewer's own first: what is in their hands. Then by place what they have not seen; then what they skipped.
_FREE = """
    item.sample_id = %(sample)s AND item.lacking > 0 AND item.words_id IS NOT NULL AND item.user_id IS NOT NULL
    AND item.wanted > (
        SELECT count(*) FROM memory_handout other WHERE other.item_id = item.id AND other.slot IS NOT NULL
        AND (other.labelled_at IS NOT NULL OR other.leased_until > %(now)s))
"""
_UNSEEN = f"""
    SELECT item.id, item.wanted FROM memory_sampleitem item WHERE {_FREE} AND NOT EXISTS (
        SELECT FROM memory_handout mine WHERE mine.item_id = item.id AND mine.reviewer_id = %(reviewer)s
        AND (mine.labelled_at IS NOT NULL OR mine.skipped_at IS NOT NULL))
    ORDER BY item.place LIMIT 1 FOR NO KEY UPDATE OF item SKIP LOCKED
"""  # noqa: S608 - our own
_SKIPPED = f"""
    SELECT item.id, item.wanted FROM memory_sampleitem item
    JOIN memory_handout mine ON mine.item_id = item.id AND mine.reviewer_id = %(reviewer)s
    WHERE {_FREE} AND mine.skipped_at IS NOT NULL AND mine.labelled_at IS NULL
    ORDER BY mine.skipped_at, item.place LIMIT 1 FOR NO KEY UPDATE OF item SKIP LOCKED
"""  # noqa: S608 - our own


def may_label(sample: Sample, reviewer_id: int) -> bool:
    """Whether the sample is theirs to label: assigned to them, or to nobody."""
    return not sample.reviewers or reviewer_id in sample.reviewers


def free_slot(handouts: Iterable[Handout], *, wanted: int, reviewer_id: int | None, now: datetime) -> int | None:
    """The slot that a reviewer can have of an item: the one they hold, or the first that nobody does."""
    taken = set()
    for handout in handouts:
        if handout.slot is None:
            continue
        if handout.reviewer_id == reviewer_id:
            return handout.slot
        if handout.labelled_at is not None or handout.leased_until > now:
            taken.add(handout.slot)
    return next((slot for slot in range(1, wanted + 1) if slot not in taken), None)


def take(sample: Sample, reviewer_id: int) -> Handout | None:
    """The item in the reviewer's hands, or the next one free, leased to them; None when there is none."""
    if sample.closed_at is not None or not may_label(sample, reviewer_id):
        return None
    _one_at_a_time(reviewer_id)
    held = _held(sample, reviewer_id)
    if held is not None:
        return seat(held, reviewer_id)
    for _ in range(_TRIES):
        item = _next(sample.pk, reviewer_id)
        if item is None:
            return None
        handout = seat(item, reviewer_id)
        if handout is not None:
            return handout
    return None


def seat(item: SampleItem, reviewer_id: int) -> Handout | None:
    """Gives the reviewer a slot of an item that the caller has locked; None when others have them all."""
    handouts = list(Handout.objects.filter(item=item.pk))
    mine = next((handout for handout in handouts if handout.reviewer_id == reviewer_id), None)
    mine = mine or Handout(item_id=item.pk, reviewer_id=reviewer_id)
    if not claim(mine, handouts, wanted=item.wanted):
        return None
    mine.save()
    return mine


def claim(mine: Handout, handouts: Iterable[Handout], *, wanted: int) -> bool:
    """Gives `mine` a slot, unsaved; whoever came too late for theirs loses it. False when there is none."""
    now = timezone.now()
    slot = free_slot(handouts, wanted=wanted, reviewer_id=mine.reviewer_id, now=now)
    if slot is None:
        return False
    late = [other.pk for other in handouts if other.slot == slot and other.reviewer_id != mine.reviewer_id]
    if late:
        Handout.objects.filter(pk__in=late).update(slot=None)
    if mine.slot is None:
        mine.taken_at, mine.skipped_at = now, None
    mine.slot, mine.leased_until = slot, now + LEASE
    return True


def hold(item_id: int, reviewer_id: int, *, within: int) -> bool:
    """The heartbeat of an open page: the item stays with its reviewer, or comes back to them if it is free."""
    item = locked(item_id, within=within)
    mine = Handout.objects.filter(item=item, reviewer=reviewer_id, skipped_at=None, labelled_at=None)
    return mine.exists() and seat(item, reviewer_id) is not None


def skip(item_id: int, reviewer_id: int, *, within: int) -> None:
    """Free for others at once, and last in this reviewer's own order."""
    item = locked(item_id, within=within)
    mine = Handout.objects.filter(item=item, reviewer=reviewer_id, labelled_at=None)
    mine.update(slot=None, skipped_at=timezone.now())


def release_all(sample_id: int, reviewer_id: int) -> None:
    """Whoever stops keeps nothing in their hands."""
    held = Handout.objects.filter(reviewer=reviewer_id, labelled_at=None, slot__isnull=False, item__sample=sample_id)
    held.update(slot=None)


def locked(item_id: int, *, within: int) -> SampleItem:
    """The item of this sample, held until the transaction ends. Raises NotFound when there is none."""
    rows = SampleItem.objects.select_for_update(no_key=True, of=("self",)).select_related("sample")
    item: SampleItem | None = rows.filter(pk=item_id, sample=within).first()
    if item is None:
        raise NotFound("There is no such item.")
    return item


def _held(sample: Sample, reviewer_id: int) -> SampleItem | None:
    """What they have in hand already, though the lease may have run out: the last taken, should it be several."""
    held = Handout.objects.filter(reviewer=reviewer_id, labelled_at=None, slot__isnull=False, item__sample=sample)
    newest = (
        held.exclude(item__words=None)
        .exclude(item__user=None)
        .order_by("-taken_at")
        .values_list("item", flat=True)
        .first()
    )
    return None if newest is None else locked(newest, within=sample.pk)


def _one_at_a_time(reviewer_id: int) -> None:
    """Two tabs that ask at the same moment get the same item, not one each."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('handing', %s))", [reviewer_id])


def _next(sample_id: int, reviewer_id: int) -> SampleItem | None:
    """Only as much of it as handing out needs."""
    values: dict[str, Any] = {"sample": sample_id, "reviewer": reviewer_id, "now": timezone.now()}
    with connection.cursor() as cursor:
        for statement in (_UNSEEN, _SKIPPED):
            cursor.execute(statement, values)
            if found := cursor.fetchone():
                return SampleItem(pk=found[0], wanted=found[1])
    return None
