"""Conversations as they were stored, with what came of each turn."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models import Count, Prefetch, Q, QuerySet

from memory.browsing.paging import Cursor, Order, Page, turn
from memory.errors import NotFound
from memory.models import Candidate, Episode, Resolution, Turn
from memory.types import TEXTLESS, Verdict

ORDER = Order(("-occurred_at", "-id"))
TURNS = 100


@dataclass(frozen=True, slots=True)
class Listed:
    """An episode with how many candidates it gave, by what became of them."""

    row: Episode
    kept: int = 0
    refused: int = 0
    held: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """One candidate, with the relation it turned out to be to what was known ("" when it was refused or waits)."""

    row: Candidate
    relation: str
    why: str
    is_textless: bool


@dataclass(frozen=True, slots=True)
class Said:
    """A turn and what came of it."""

    row: Turn
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Transcript:
    """A stretch of an episode, from turn `first` on; `before` and `after` begin the stretches beside it."""

    listed: Listed
    turns: tuple[Said, ...]
    first: int
    before: int | None
    after: int | None


def page(user_id: int, cursor: Cursor) -> Page[Listed]:
    """A person's episodes, the newest first."""
    within = _episodes(user_id)
    return turn(within, ORDER, cursor, within=within).of(_listed)


def last(user_id: int, *, most: int) -> list[Listed]:
    """The newest few."""
    return _listed(_episodes(user_id).order_by(*ORDER.fields)[:most])


def transcript(user_id: int, episode_id: int, *, first: int = 1) -> Transcript:
    """An episode from the stretch that holds turn `first`."""
    row = _episodes(user_id).filter(pk=episode_id).first()
    if row is None or not 1 <= first <= max(1, row.turn_count):
        raise NotFound("There is no such episode, or it has no such turn.")
    first -= (first - 1) % TURNS
    turns = Turn.objects.filter(user=user_id, episode=row, n__gte=first, n__lt=first + TURNS).order_by("n")
    outcomes = _outcomes(user_id, row, first)
    return Transcript(
        listed=_listed([row])[0],
        turns=tuple(Said(said, tuple(outcomes.get(said.n, ()))) for said in turns.fetch_mode(models.FETCH_RAISE)),
        first=first,
        before=first - TURNS if first > 1 else None,
        after=first + TURNS if first + TURNS <= row.turn_count else None,
    )


def _episodes(user_id: int) -> QuerySet[Episode]:
    return Episode.objects.filter(user=user_id).fetch_mode(models.FETCH_RAISE)


def _listed(rows: Iterable[Episode]) -> list[Listed]:
    found = list(rows)
    candidates = Candidate.objects.filter(user__in={row.user_id for row in found}, episode__in=found).order_by()
    counted: QuerySet[Any, Any] = candidates.values("episode")
    counted = counted.annotate(
        kept=Count("id", filter=Q(verdict=Verdict.ACCEPTED)),
        refused=Count("id", filter=Q(verdict=Verdict.REFUSED)),
        held=Count("id", filter=Q(verdict__in=[Verdict.HELD, Verdict.LAPSED])),
    )
    by_episode = {row.pop("episode"): row for row in counted}
    return [Listed(row, **by_episode.get(row.pk, {})) for row in found]


def _outcomes(user_id: int, episode: Episode, first: int) -> Mapping[int, list[Outcome]]:
    rows = Candidate.objects.filter(user=user_id, episode=episode, turn__gte=first, turn__lt=first + TURNS)
    resolutions = Prefetch("resolutions", Resolution.objects.all().fetch_mode(models.FETCH_RAISE))
    related = rows.select_related("fact").defer("fact__embedding").prefetch_related(resolutions)
    by_turn: dict[int, list[Outcome]] = defaultdict(list)
    for row in related.order_by("turn", "place").fetch_mode(models.FETCH_RAISE):
        by_turn[row.turn].append(_outcome(row))
    return by_turn


def _outcome(row: Candidate) -> Outcome:
    resolution = next(iter(row.resolutions.all()), None)
    is_textless = row.reason in TEXTLESS
    if resolution is None:
        return Outcome(row, "", "", is_textless)
    return Outcome(row, resolution.relation, resolution.why, is_textless)
