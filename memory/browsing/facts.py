"""One person's facts: each with what it is worth now, its quotes and its lineage."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db import models
from django.db.models import Count, Prefetch, QuerySet

from memory import clock, confidence, policies
from memory.browsing import quotes
from memory.browsing.paging import Cursor, Order, Page, turn
from memory.browsing.quotes import Quotes
from memory.errors import NotFound
from memory.models import Entity, Fact
from memory.policy_types import Thresholds
from memory.types import LIVE, Kind, Status

ORDER = Order(("-entity__is_owner", "entity__name_key", "entity__note_key", "kind", "-last_supported_at", "id"))
MOST_SUBJECTS = 200
LIVE_ONES, ALL = "live", "all"


class Sureness(StrEnum):
    """How a fact is recalled: plainly, with a hedge, or not at all."""

    FIRM = "firm"
    TENTATIVE = "tentative"
    FAINT = "faint"


@dataclass(frozen=True, slots=True)
class Filters:
    """`status` is "live", "all" or one status; `subject` the id of an entity."""

    status: str = LIVE_ONES
    subject: int | None = None
    kind: Kind | None = None

    @property
    def is_any(self) -> bool:
        """Whether anything but the status narrows the list."""
        return self.subject is not None or self.kind is not None


@dataclass(frozen=True, slots=True)
class Shown:
    """A fact as pages show it; `row` has its entity, its successor and what it replaced loaded."""

    row: Fact
    effective: float
    sureness: Sureness
    quotes: Quotes

    @property
    def is_live(self) -> bool:
        """Whether it can be recalled at all."""
        return self.row.status in LIVE


@dataclass(frozen=True, slots=True)
class Subject:
    """An entity to filter by, with how many facts are about it."""

    entity: Entity
    count: int


def page(user_id: int, filters: Filters, cursor: Cursor) -> Page[Shown]:
    """A page of a person's facts by subject and kind, newest support first."""
    within = _facts(user_id)
    rows = _of_status(_narrowed(within, filters), filters.status)
    return turn(rows, ORDER, cursor, within=within).of(shown)


def one(user_id: int, fact_id: int) -> Shown:
    """One fact of a person."""
    row = _facts(user_id).filter(pk=fact_id).first()
    if row is None:
        raise NotFound("There is no such fact.")
    return shown([row], most_quotes=quotes.ALONE)[0]


def exists(user_id: int, fact_id: int) -> None:
    """Raises NotFound unless it is a fact of this person."""
    if not Fact.objects.filter(user=user_id, pk=fact_id).exists():
        raise NotFound("There is no such fact.")


def named(user_id: int, fact_ids: Iterable[int]) -> Sequence[Fact]:
    """A person's facts by their ids."""
    rows = Fact.objects.filter(user=user_id, pk__in=list(fact_ids)).defer("embedding")
    return list(rows.order_by("pk").fetch_mode(models.FETCH_RAISE))


def counts(user_id: int, filters: Filters) -> Mapping[str, int]:
    """Facts by status, and "live" and "all", under the other filters."""
    rows = _narrowed(Fact.objects.filter(user=user_id), filters).order_by()
    by_status = dict(rows.values_list("status").annotate(Count("id")))
    found = {status.value: by_status.get(status, 0) for status in Status}
    return {LIVE_ONES: sum(found[status] for status in LIVE), **found, ALL: sum(found.values())}


def subjects(user_id: int, *, chosen: int | None = None) -> list[Subject]:
    """Whom and what a person's facts are about, the owner first, then by name. Raises NotFound if `chosen` is not."""
    counted = Fact.objects.filter(user=user_id).order_by().values_list("entity").annotate(count=Count("pk"))
    numbers = dict(counted.order_by("-count", "entity")[:MOST_SUBJECTS])
    found = [Subject(row, numbers[row.pk]) for row in Entity.objects.filter(user=user_id, pk__in=numbers)]
    if chosen is not None and chosen not in numbers:
        found.append(_subject(user_id, chosen))
    return sorted(found, key=lambda subject: (not subject.entity.is_owner, subject.entity.name_key))


def shown(rows: Iterable[Fact], *, most_quotes: int = quotes.MOST) -> list[Shown]:
    """Facts with all that a page says of them: two queries, none for no quotes, and one for the policy."""
    facts = list(rows)
    owners, ids = {fact.user_id for fact in facts}, [fact.pk for fact in facts]
    behind = quotes.behind_facts(owners, ids, most=most_quotes) if most_quotes else {}
    thresholds, now = policies.current().thresholds, clock.now()
    worth = {
        fact.pk: confidence.effective(
            fact.confidence, fact.kind, fact.last_supported_at, now=now, thresholds=thresholds
        )
        for fact in facts
    }
    return [
        Shown(fact, worth[fact.pk], _sureness(worth[fact.pk], thresholds), behind.get(fact.pk, quotes.NONE))
        for fact in facts
    ]


def loaded(rows: QuerySet[Fact]) -> QuerySet[Fact]:
    """With what `Shown.row` promises; anything else fails loudly instead of asking once a row."""
    older = Fact.objects.defer("embedding").order_by("first_said_at", "pk").fetch_mode(models.FETCH_RAISE)
    related = rows.select_related("entity", "superseded_by", "user").defer("embedding", "superseded_by__embedding")
    return related.prefetch_related(Prefetch("supersedes", older)).fetch_mode(models.FETCH_RAISE)


def _facts(user_id: int) -> QuerySet[Fact]:
    return loaded(Fact.objects.filter(user=user_id))


def _narrowed(rows: QuerySet[Fact], filters: Filters) -> QuerySet[Fact]:
    wanted: dict[str, Any] = {"entity": filters.subject, "kind": filters.kind}
    return rows.filter(**{name: value for name, value in wanted.items() if value is not None})


def _of_status(rows: QuerySet[Fact], status: str) -> QuerySet[Fact]:
    if status == ALL:
        return rows
    return rows.live() if status == LIVE_ONES else rows.filter(status=status)  # type: ignore[attr-defined]


def _subject(user_id: int, entity_id: int) -> Subject:
    row = Entity.objects.filter(user=user_id, pk=entity_id).first()
    if row is None:
        raise NotFound("There is no such subject.")
    return Subject(row, Fact.objects.filter(user=user_id, entity=row).count())


def _sureness(worth: float, thresholds: Thresholds) -> Sureness:
    if worth < thresholds.recall_floor:
        return Sureness.FAINT
    return Sureness.TENTATIVE if worth < thresholds.hedge_below else Sureness.FIRM
