"""What is known of a person, put together under headings as they would put it.

Every function must run inside a scope that sees the person.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db import models
from django.db.models import Case, Count, IntegerField, Q, QuerySet, Value, When

from memory.browsing import facts
from memory.browsing.facts import Shown
from memory.browsing.paging import Cursor, Order, Page, turn
from memory.errors import NotFound
from memory.mine import using
from memory.mine.using import NEVER, Use
from memory.models import Correction, Fact
from memory.types import Kind, LabelVerdict, Status

MOST = 100
"""Entries on one page: all of an ordinary memory."""


class Group(StrEnum):
    """Under which heading something stands, in this order."""

    ME = "me"
    PEOPLE = "people"
    PREFERENCES = "preferences"
    KNOWLEDGE = "knowledge"
    GOALS = "goals"
    NOW = "now"
    LIMITS = "limits"


_KINDS = {
    Kind.PREFERENCE: Group.PREFERENCES,
    Kind.GOAL: Group.GOALS,
    Kind.TEMPORARY: Group.NOW,
    Kind.CONSTRAINT: Group.LIMITS,
    Kind.IDENTITY: Group.ME,
    Kind.RELATIONSHIP: Group.PEOPLE,
}
_SKILLS = ("knows", "uses", "speaks", "learning", "is_learning", "studies", "skilled_in", "has_experience_with")
ORDER = Order(("place", "-entity__is_owner", "entity__name_key", "-last_supported_at", "id"))
PAST = Order(("-last_supported_at", "id"))


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that is known, with what its person has said of it and what it was used for."""

    shown: Shown
    group: Group
    use: Use = NEVER
    correction: Correction | None = None

    @property
    def row(self) -> Fact:
        return self.shown.row

    @property
    def is_wrong(self) -> bool:
        return self.correction is not None and self.correction.verdict == LabelVerdict.INCORRECT

    @property
    def is_over(self) -> bool:
        return self.correction is not None and self.correction.verdict == LabelVerdict.STALE

    @property
    def is_right(self) -> bool:
        return self.correction is not None and self.correction.verdict == LabelVerdict.CORRECT


def page(user_id: int, cursor: Cursor, *, now: datetime, group: Group | None = None) -> Page[Entry]:
    """What is believed now, by heading, what was said last first."""
    within = _placed(user_id)
    rows = within.live()  # type: ignore[attr-defined]
    if group is not None:
        rows = rows.filter(place=list(Group).index(group))
    return turn(rows, ORDER, cursor, within=within, size=MOST).of(lambda found: entries(user_id, found, now=now))


def past(user_id: int, cursor: Cursor, *, now: datetime) -> Page[Entry]:
    """What is not believed any more and why, what was put right with it."""
    within = _placed(user_id)
    rows = within.exclude(status__in=[Status.ACTIVE, Status.CONFLICTED])
    return turn(rows, PAST, cursor, within=within).of(lambda found: entries(user_id, found, now=now))


def counts(user_id: int) -> dict[Group, int]:
    """How many things stand under each heading; headings without any are left out."""
    rows: QuerySet[Any, Any] = _placed(user_id).live().order_by().values_list("place")  # type: ignore[attr-defined]
    by_place = dict(rows.annotate(Count("pk")))
    return {group: by_place[place] for place, group in enumerate(Group) if place in by_place}


def one(user_id: int, fact_id: int, *, now: datetime) -> Entry:
    """One thing, live or not. Raises NotFound."""
    return some(user_id, [fact_id], now=now)[0]


def some(user_id: int, fact_ids: Iterable[int], *, now: datetime) -> list[Entry]:
    """These, in their order. Raises NotFound when there is none of them."""
    ids = list(fact_ids)
    rows = {row.pk: row for row in _placed(user_id).filter(pk__in=ids)}
    if not rows:
        raise NotFound("There is no such fact.")
    return entries(user_id, [rows[pk] for pk in ids if pk in rows], now=now)


def entries(user_id: int, rows: Sequence[Any], *, now: datetime) -> list[Entry]:
    """With quotes, use and corrections: a fixed number of statements."""
    ids = [row.pk for row in rows]
    uses = using.of_facts(user_id, ids, now=now)
    said = {row.fact_id: row for row in Correction.objects.filter(user=user_id, fact__in=ids, undone_at=None)}
    groups = list(Group)
    return [
        Entry(shown, groups[shown.row.place], uses.get(shown.row.pk, NEVER), said.get(shown.row.pk))  # type: ignore[attr-defined]
        for shown in facts.shown(rows)
    ]


def _placed(user_id: int) -> QuerySet[Any]:
    rows = facts.loaded(Fact.objects.filter(user=user_id))
    return rows.annotate(place=_place()).fetch_mode(models.FETCH_RAISE)


def _place() -> Case:
    """By what it is about and by its kind: the number of its heading."""
    place = {group: Value(number) for number, group in enumerate(Group)}
    others = Q(entity__is_owner=False) & (Q(kind=Kind.IDENTITY) | ~Q(entity__note=""))
    return Case(
        When(Q(kind=Kind.RELATIONSHIP) | others, then=place[Group.PEOPLE]),
        *(When(kind=kind, then=place[group]) for kind, group in _KINDS.items()),
        When(Q(entity__is_owner=True) & ~Q(predicate__in=_SKILLS), then=place[Group.ME]),
        default=place[Group.KNOWLEDGE],
        output_field=IntegerField(),
    )
