"""Open questions with all their sides, and how settled ones ended."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import models
from django.db.models import BooleanField, Case, QuerySet, Value, When

from memory.attributing import UNCLEAR
from memory.browsing import facts, quotes
from memory.browsing.facts import Shown
from memory.browsing.paging import PAGE, Cursor, Order, Page, turn
from memory.browsing.quotes import Quotes
from memory.models import Candidate, Conflict, ConflictSide, Fact
from memory.types import Verdict

OF_ONE, OF_ALL = Order(("is_settled", "-opened_at", "-id")), Order(("is_settled", "-id"))


@dataclass(frozen=True, slots=True)
class Question:
    """A conflict with its sides, the oldest claim first."""

    row: Conflict
    is_settled: bool
    sides: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Unclear:
    """A claim of which it is not clear whom it is about; `row.detail` says between whom."""

    row: Candidate
    quotes: Quotes


def page(cursor: Cursor, *, user_id: int | None = None) -> Page[Question]:
    """Open ones first, then settled ones, the newest first: of one person, or of everyone."""
    within = _conflicts(user_id)
    return turn(within, OF_ALL if user_id is None else OF_ONE, cursor, within=within).of(_questions)


def unclear(user_id: int) -> list[Unclear]:
    """The newest questions of whom a claim is about."""
    rows = Candidate.objects.filter(user=user_id, verdict=Verdict.HELD, reason=UNCLEAR).select_related("episode")
    found = list(rows.order_by("-said_at", "-pk").fetch_mode(models.FETCH_RAISE)[:PAGE])
    behind = quotes.behind_candidates([user_id], [row.pk for row in found])
    return [Unclear(row, behind.get(row.pk, quotes.NONE)) for row in found]


def _conflicts(user_id: int | None) -> QuerySet[Conflict]:
    is_settled = Case(When(settled_by="", then=Value(False)), default=Value(True), output_field=BooleanField())
    rows = Conflict.objects.select_related("entity", "user").annotate(is_settled=is_settled)
    rows = rows.fetch_mode(models.FETCH_RAISE)
    return rows if user_id is None else rows.filter(user=user_id)


def _questions(rows: Iterable[Conflict]) -> list[Question]:
    found = list(rows)
    sides = ConflictSide.objects.filter(user__in={row.user_id for row in found}, conflict__in=found)
    seats = list(sides.order_by("fact__first_said_at", "fact").values_list("conflict", "fact"))
    chosen = facts.loaded(Fact.objects.filter(user__in={row.user_id for row in found}, pk__in={f for _, f in seats}))
    by_id = {side.row.pk: side for side in facts.shown(chosen)}
    grouped: dict[int, list[Shown]] = defaultdict(list)
    for conflict, fact in seats:
        grouped[conflict].append(by_id[fact])
    return [Question(row, bool(row.settled_by), tuple(grouped[row.pk])) for row in found]
