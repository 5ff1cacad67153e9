"""Open questions with all their sides, and how settled ones ended."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db import models
from django.db.models import BooleanField, Case, Count, Q, QuerySet, Value, When

from memory.attributing import UNCLEAR
from memory.browsing import differing, facts, quotes
from memory.browsing.differing import Piece
from memory.browsing.facts import Shown
from memory.browsing.paging import PAGE, Cursor, Order, Page, turn
from memory.browsing.quotes import Quotes
from memory.errors import NotFound
from memory.models import Candidate, Conflict, ConflictSide, Fact
from memory.types import Verdict

OF_ONE, OF_ALL = Order(("is_settled", "-opened_at", "-id")), Order(("is_settled", "-id"))
MOST_PREDICATES = 100


class Standing(StrEnum):
    """How far a question has come."""

    OPEN = "open"
    ASKED = "asked"
    """Open, and put to its person."""
    SETTLED = "settled"


_STANDING = {
    Standing.OPEN: Q(settled_by="", asked_at=None),
    Standing.ASKED: Q(settled_by="") & ~Q(asked_at=None),
    Standing.SETTLED: ~Q(settled_by=""),
}


@dataclass(frozen=True, slots=True)
class Filters:
    """What narrows a list of conflicts."""

    standing: Standing | None = None
    predicate: str | None = None
    user_id: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A conflict with its sides, the oldest claim first."""

    row: Conflict
    is_settled: bool
    sides: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One side: its sentence in pieces, by what the others have otherwise, and in how many episodes it was said."""

    shown: Shown
    pieces: tuple[Piece, ...]
    episodes: int


@dataclass(frozen=True, slots=True)
class Unclear:
    """A claim of which it is not clear whom it is about; `row.detail` says between whom."""

    row: Candidate
    quotes: Quotes


def page(cursor: Cursor, filters: Filters) -> Page[Question]:
    """Open ones first, then settled ones, the newest first: of one person, or of everyone."""
    within = _conflicts(filters.user_id)
    order = OF_ALL if filters.user_id is None else OF_ONE
    return turn(_narrowed(within, filters), order, cursor, within=within).of(_questions)


def counts(filters: Filters) -> Mapping[Standing, int]:
    """How many stand how, under the other filters."""
    rows = _narrowed(_conflicts(filters.user_id), Filters(predicate=filters.predicate)).order_by()
    counted = {standing.value: Count("pk", filter=condition) for standing, condition in _STANDING.items()}
    found = rows.aggregate(**counted)
    return {standing: found[standing.value] for standing in Standing}


def predicates(user_id: int | None) -> list[tuple[str, int]]:
    """What the questions are about, with how many each, the commonest first."""
    rows: QuerySet[Any, Any] = _conflicts(user_id).exclude(predicate="").order_by().values_list("predicate")
    return list(rows.annotate(count=Count("pk")).order_by("-count", "predicate")[:MOST_PREDICATES])


def one(user_id: int, conflict_id: int) -> tuple[Question, list[Side]]:
    """A conflict of a person, with what its page says of the sides."""
    row = _conflicts(user_id).filter(pk=conflict_id).first()
    if row is None:
        raise NotFound("There is no such contradiction.")
    [question] = _questions([row])
    pieces = differing.marked([side.row.text for side in question.sides])
    support = _support(user_id, [side.row.pk for side in question.sides])
    pairs = zip(question.sides, pieces, strict=True)
    return question, [Side(shown, marked, support.get(shown.row.pk, 0)) for shown, marked in pairs]


def next_open(row: Conflict, *, user_id: int | None = None) -> Conflict | None:
    """The next to settle after `row`: the newest before it, else the newest of all. Asked ones wait for their person."""
    rows = _narrowed(_conflicts(user_id), Filters(Standing.OPEN)).exclude(pk=row.pk)
    return rows.order_by(Case(When(pk__lt=row.pk, then=0), default=1), "-pk").first()


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


def _narrowed(rows: QuerySet[Conflict], filters: Filters) -> QuerySet[Conflict]:
    if filters.standing is not None:
        rows = rows.filter(_STANDING[filters.standing])
    return rows if filters.predicate is None else rows.filter(predicate=filters.predicate)


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


def _support(user_id: int, fact_ids: list[int]) -> Mapping[int, int]:
    rows = Candidate.objects.filter(user=user_id, fact__in=fact_ids).order_by()
    return dict(rows.values_list("fact").annotate(Count("episode", distinct=True)))
