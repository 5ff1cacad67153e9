"""Whose memory there is, and what it adds up to."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Case, Count, Exists, F, Max, OuterRef, Q, QuerySet, When
from django.db.models.functions import Lower

from memory.browsing.paging import Cursor, Order, Page, turn
from memory.errors import NotFound
from memory.models import Access, Candidate, Conflict, Episode, Fact, State, User

ORDER = Order(("label", "id"))


@dataclass(frozen=True, slots=True)
class Tally:
    """What a person's memory adds up to. `pending` and `failed` are episodes not, or not successfully, read."""

    live: int = 0
    conflicts: int = 0
    refused: int = 0
    episodes: int = 0
    pending: int = 0
    failed: int = 0
    last_episode: datetime | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A person in the list of people."""

    user: User
    tally: Tally


def person(external_id: str) -> User:
    """The user with this external id."""
    found = User.objects.filter(external_id=external_id).first()
    if found is None:
        raise NotFound("There is nobody by this name.")
    return found


def people(query: str, cursor: Cursor) -> Page[Listed]:
    """Members, and whoever else has a memory, by name; `query` is part of their name or external id."""
    within = _people()
    rows = within.filter(_has(query)) if query else within
    return turn(rows, ORDER, cursor, within=within).of(_listed)


def named(query: str, *, most: int) -> list[User]:
    """The first few of them by name."""
    return list(_people().filter(_has(query)).order_by(*ORDER.fields)[:most])


def tally(user_id: int) -> Tally:
    """One person's."""
    return tallies([user_id])[user_id]


def tallies(user_ids: Iterable[int]) -> Mapping[int, Tally]:
    """Everyone's of `user_ids`, in four queries."""
    ids = list(user_ids)
    live = _counts(Fact.objects.live(), ids)
    conflicts = _counts(Conflict.objects.open(), ids)
    refused = _counts(Candidate.objects.refused(), ids)
    episodes = _episodes(ids)
    return {pk: Tally(live.get(pk, 0), conflicts.get(pk, 0), refused.get(pk, 0), **episodes.get(pk, {})) for pk in ids}


def _people() -> QuerySet[User]:
    name = Case(When(display_name="", then=F("external_id")), default=F("display_name"))
    has_memory = Exists(Episode.objects.filter(user=OuterRef("pk")))
    rows: QuerySet[User] = User.objects.filter(Q(access=Access.MEMBER) | has_memory)
    return rows.annotate(label=Lower(name, output_field=models.CharField())).fetch_mode(models.FETCH_RAISE)


def _has(query: str) -> Q:
    return Q(display_name__icontains=query) | Q(external_id__icontains=query)


def _listed(users: Iterable[User]) -> list[Listed]:
    rows = list(users)
    counted = tallies(user.pk for user in rows)
    return [Listed(user, counted[user.pk]) for user in rows]


def _counts(rows: QuerySet[Any], ids: list[int]) -> dict[int, int]:
    return dict(rows.filter(user__in=ids).order_by().values_list("user").annotate(Count("id")))


def _episodes(ids: list[int]) -> dict[int, dict[str, Any]]:
    counted: QuerySet[Any, Any] = Episode.objects.filter(user__in=ids).order_by().values("user")
    counted = counted.annotate(
        episodes=Count("id"),
        pending=Count("id", filter=Q(state=State.PENDING)),
        failed=Count("id", filter=Q(state=State.FAILED)),
        last_episode=Max("occurred_at"),
    )
    return {row.pop("user"): row for row in counted}
