"""Handing items out, one at a time: each slot of an item is in one reviewer's hands, for a while.

A lease that runs out frees the slot, but takes nothing away while nobody else wants it: who comes back late
goes on where they were. All of this happens inside the staff scope, under a lock on the item.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.utils import timezone

from memory import prepared
from memory.errors import NotFound
from memory.models import Handout, Sample, SampleItem

LEASE = timedelta(minutes=10)
_TRIES = 50  # each means that another reviewer was a moment faster

_LABELLABLE = "item.sample_id = %(sample)s AND item.words_id IS NOT NULL AND item.user_id IS NOT NULL"
_FREE = f"""
    {_LABELLABLE} AND item.lacking > 0 AND item.wanted > (
        SELECT count(*) FROM memory_handout other WHERE other.item_id = item.id AND other.slot IS NOT NULL
        AND (other.labelled_at IS NOT NULL OR other.leased_until > %(now)s))
"""  # noqa: S608 - our own
# What is in the reviewer's hands already, though the lease may have run out: the last taken, should it be several. Else by
# place what they have not seen; else what they skipped. Each is looked for only where there is none before it. Whose
# person is being erased at this moment is passed over: their items wait for the one who erases. OFFSET 0: an item at a
# time, or all that the reviewer ever had in hand is read for each.
_NEXT = f"""
    WITH held AS (
        SELECT item.id, item.wanted FROM memory_handout mine JOIN memory_sampleitem item ON item.id = mine.item_id
        JOIN memory_user person ON person.id = item.user_id
        WHERE mine.reviewer_id = %(reviewer)s AND mine.labelled_at IS NULL AND mine.slot IS NOT NULL AND {_LABELLABLE}
        ORDER BY mine.taken_at DESC LIMIT 1 FOR NO KEY UPDATE OF item FOR KEY SHARE OF person SKIP LOCKED
    ), unseen AS (
        SELECT item.id, item.wanted FROM memory_sampleitem item JOIN memory_user person ON person.id = item.user_id
        WHERE {_FREE} AND NOT EXISTS (
            SELECT FROM memory_handout mine WHERE mine.item_id = item.id AND mine.reviewer_id = %(reviewer)s
            AND (mine.labelled_at IS NOT NULL OR mine.skipped_at IS NOT NULL) OFFSET 0)
        ORDER BY item.place LIMIT 1 FOR NO KEY UPDATE OF item SKIP LOCKED FOR KEY SHARE OF person SKIP LOCKED
    ), skipped AS (
        SELECT item.id, item.wanted FROM memory_handout mine JOIN memory_sampleitem item ON item.id = mine.item_id
        JOIN memory_user person ON person.id = item.user_id
        WHERE mine.reviewer_id = %(reviewer)s AND {_FREE} AND mine.skipped_at IS NOT NULL AND mine.labelled_at IS NULL
        ORDER BY mine.skipped_at, item.place LIMIT 1
        FOR NO KEY UPDATE OF item SKIP LOCKED FOR KEY SHARE OF person SKIP LOCKED
    )
    SELECT * FROM held UNION ALL SELECT * FROM unseen UNION ALL SELECT * FROM skipped LIMIT 1
"""  # noqa: S608 - our own
_HANDOUTS = f"SELECT {prepared.columns(Handout, 'handout')} FROM memory_handout handout WHERE item_id = %(item)s"  # noqa: S608
_SEAT = """
    INSERT INTO memory_handout (item_id, reviewer_id, slot, leased_until, taken_at, skipped_at)
    VALUES (%(item)s, %(reviewer)s, %(slot)s, %(until)s, %(taken)s, %(skipped)s)
    ON CONFLICT (item_id, reviewer_id) DO UPDATE SET slot = excluded.slot, leased_until = excluded.leased_until,
        taken_at = excluded.taken_at, skipped_at = excluded.skipped_at
    RETURNING id
"""
_LOCKED = f"""
    SELECT {prepared.columns(SampleItem, "item")}, {prepared.columns(Sample, "sample")}
    FROM memory_sampleitem item JOIN memory_sample sample ON sample.id = item.sample_id
    WHERE item.id = %(item)s AND item.sample_id = %(sample)s FOR NO KEY UPDATE OF item
"""  # noqa: S608 - our own
_OF_ITEM = len(SampleItem._meta.concrete_fields)
_IN_TURN = "SELECT pg_advisory_xact_lock(hashtextextended('handing', %(reviewer)s))"


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


def in_turn(reviewer_id: int) -> None:
    """Until the transaction ends this reviewer's other tabs wait: before any other lock, and free when held already."""
    prepared.rows(_IN_TURN, {"reviewer": reviewer_id})


def take(sample: Sample, reviewer_id: int) -> Handout | None:
    """The item in the reviewer's hands, or the next one free, leased to them; None when there is none."""
    if sample.closed_at is not None or not may_label(sample, reviewer_id):
        return None
    in_turn(reviewer_id)
    for _ in range(_TRIES):
        found = prepared.rows(_NEXT, {"sample": sample.pk, "reviewer": reviewer_id, "now": timezone.now()})
        if not found:
            return None
        item, wanted = found[0]
        if handout := seat(item, reviewer_id, wanted=wanted):
            return handout
    return None


def seat(item_id: int, reviewer_id: int, *, wanted: int) -> Handout | None:
    """Gives the reviewer a slot of an item that the caller has locked; None when others have them all."""
    handouts = of(item_id)
    mine = next((handout for handout in handouts if handout.reviewer_id == reviewer_id), None)
    mine = mine or Handout(item_id=item_id, reviewer_id=reviewer_id)
    if not claim(mine, handouts, wanted=wanted):
        return None
    values = {"slot": mine.slot, "until": mine.leased_until, "taken": mine.taken_at, "skipped": mine.skipped_at}
    [[mine.pk]] = prepared.rows(_SEAT, values | {"item": item_id, "reviewer": reviewer_id})
    return mine


def of(item_id: int) -> list[Handout]:
    """In whose hands an item is, or was."""
    return [prepared.instance(Handout, row) for row in prepared.rows(_HANDOUTS, {"item": item_id})]


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
    return mine.exists() and seat(item.pk, reviewer_id, wanted=item.wanted) is not None


def skip(item_id: int, reviewer_id: int, *, within: int) -> None:
    """Free for others at once, and last in this reviewer's own order."""
    in_turn(reviewer_id)
    item = locked(item_id, within=within)
    mine = Handout.objects.filter(item=item, reviewer=reviewer_id, labelled_at=None)
    mine.update(slot=None, skipped_at=timezone.now())


def release_all(sample_id: int, reviewer_id: int) -> None:
    """Whoever stops keeps nothing in their hands."""
    held = Handout.objects.filter(reviewer=reviewer_id, labelled_at=None, slot__isnull=False, item__sample=sample_id)
    held.update(slot=None)


def locked(item_id: int, *, within: int) -> SampleItem:
    """The item of this sample, held until the transaction ends. Raises NotFound when there is none."""
    found = prepared.rows(_LOCKED, {"item": item_id, "sample": within})
    if not found:
        raise NotFound("There is no such item.")
    columns = found[0]
    item = prepared.instance(SampleItem, columns[:_OF_ITEM])
    item.sample = prepared.instance(Sample, columns[_OF_ITEM:])
    return item
