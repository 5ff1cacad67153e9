"""Samples as staff list them, and their items once nobody labels any more."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import models
from django.db.models import Count, QuerySet

from memory.browsing.paging import Cursor, Order, Page, turn
from memory.errors import NotFound
from memory.models import Access, Label, Sample, SampleItem, User
from memory.types import Verb

ORDER = Order(("-id",))
BY_PLACE = Order(("place", "id"))


@dataclass(frozen=True, slots=True)
class Judged:
    """An item of a closed sample with what was said of it; `row` has its words, its person and their fact loaded."""

    row: SampleItem
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """How many labels of a sample are whose; `reviewer` is None for those whose login is gone."""

    reviewer: User | None
    count: int


@dataclass(frozen=True, slots=True)
class Consequences:
    """How many claims the answers of a sample took out of memory, and of how many they said when they ended."""

    retired: int
    ended: int


def page(cursor: Cursor, *, is_open: bool | None = None) -> Page[Sample]:
    """The newest first."""
    within = Sample.objects.select_related("created_by").fetch_mode(models.FETCH_RAISE)
    rows = within if is_open is None else within.filter(closed_at__isnull=is_open)
    return turn(rows, ORDER, cursor, within=within)


def one(sample_id: int) -> Sample:
    found = Sample.objects.select_related("created_by").filter(pk=sample_id).first()
    if found is None:
        raise NotFound("There is no such sample.")
    return found


def items(sample_id: int, cursor: Cursor) -> Page[Judged]:
    """In the order in which they were handed out."""
    rows = SampleItem.objects.filter(sample=sample_id).select_related("words", "user").fetch_mode(models.FETCH_RAISE)
    return turn(rows, BY_PLACE, cursor, within=rows).of(_judged)


def reviewers() -> QuerySet[User]:
    """Everyone who can label."""
    staff = User.objects.filter(access__in=[Access.REVIEWER, Access.ADMIN], is_active=True)
    return staff.order_by("display_name", "external_id")


def tallies(sample_id: int) -> list[Tally]:
    """Who labelled how much, the most first."""
    standing = Label.objects.standing().filter(item__sample=sample_id).order_by()
    counts = dict(standing.values_list("reviewer").annotate(Count("id")))
    people = User.objects.in_bulk([pk for pk in counts if pk])
    return [Tally(people.get(pk), count) for pk, count in sorted(counts.items(), key=lambda pair: -pair[1])]


def consequences(sample_id: int) -> Consequences:
    """What the answers that stand did to memory. Inside the staff scope."""
    standing = Label.objects.standing().filter(item__sample=sample_id).order_by()
    counted = standing.values_list("ruling__verb").annotate(Count("item", distinct=True))
    counts = dict(counted.filter(ruling__verb__in=[Verb.RETRACT, Verb.CLOSE]))
    return Consequences(retired=counts.get(Verb.RETRACT, 0), ended=counts.get(Verb.CLOSE, 0))


def _judged(rows: Sequence[SampleItem]) -> list[Judged]:
    labels = _labels(row.pk for row in rows)
    return [Judged(row, tuple(labels.get(row.pk, ()))) for row in rows]


def _labels(items: Iterable[int]) -> dict[int, list[Label]]:
    found: dict[int, list[Label]] = defaultdict(list)
    rows = Label.objects.standing().filter(item__in=list(items)).select_related("reviewer", "remark")
    for label in rows.order_by("at", "pk").fetch_mode(models.FETCH_RAISE):
        found[label.item_id].append(label)
    return found
