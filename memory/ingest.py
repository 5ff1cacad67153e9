"""The door that stores: each episode word for word, and once, however often it is sent.

It starts nothing. Whoever calls it asks `jobs` to see to the users of what `is_due`.
"""

import zoneinfo
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum

from django.utils import timezone

from memory import clock, moments, policies, scope
from memory.errors import EpisodeConflict, InvalidEpisode
from memory.incoming import IncomingEpisode, IncomingTurn, digest, prepare, split, unpack
from memory.models import Episode, State, Turn, User

__all__ = ["Arrival", "Stored", "prepare", "split", "store", "store_all", "unpack"]

ERASED = "[erased]"


class Arrival(StrEnum):
    """What an incoming episode turned out to be."""

    CREATED = "created"
    EXISTING = "existing"
    APPENDED = "appended"


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored episode; `is_due` when its extraction can begin now and could not before."""

    episode: Episode
    state: Arrival
    is_due: bool


@dataclass(frozen=True, slots=True)
class _Door:
    """What holds for all episodes of one call."""

    user: User
    zone: tzinfo
    now: datetime
    due: datetime
    idle: datetime


def store(user: User, incoming: IncomingEpisode, *, is_import: bool = False) -> Stored:
    """Stores an episode, or the turns that a stored and still open one lacks.

    Raises EpisodeConflict when other content has its external id.
    """
    (result,) = store_all(user, [incoming], is_import=is_import)
    if isinstance(result, EpisodeConflict):
        raise result
    return result


def store_all(
    user: User, batch: Sequence[IncomingEpisode], *, is_import: bool = False
) -> list[Stored | EpisodeConflict]:
    """Stores each, in one transaction and few statements; what became of it, in the same order.

    Imports are due at once. Raises InvalidEpisode when the user has been forgotten meanwhile.
    """
    results: list[Stored | EpisodeConflict] = []
    with scope.user(user.pk):
        if not User.objects.select_for_update().filter(pk=user.pk).exists():
            raise InvalidEpisode("user: is not known any more.")
        door = _door(user, is_import=is_import)
        for distinct in _distinct(batch):
            results += _store(distinct, door)
    return results


def _door(user: User, *, is_import: bool) -> _Door:
    arrival = timezone.now()
    idle = timedelta(minutes=0 if is_import else policies.current().thresholds.idle_minutes)
    return _Door(user, _zone(user), clock.now(), arrival, arrival + idle)


def _zone(user: User) -> tzinfo:
    try:
        return zoneinfo.ZoneInfo(user.time_zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return UTC


def _distinct(batch: Sequence[IncomingEpisode]) -> Iterator[list[IncomingEpisode]]:
    """Runs of episodes without one external id twice: the second of two meets the first already stored."""
    run: dict[str, IncomingEpisode] = {}
    for incoming in batch:
        if incoming.external_id in run:
            yield list(run.values())
            run = {}
        run[incoming.external_id] = incoming
    yield list(run.values())


def _store(batch: Sequence[IncomingEpisode], door: _Door) -> list[Stored | EpisodeConflict]:
    names = [incoming.external_id for incoming in batch]
    known = {episode.external_id: episode for episode in door.user_episodes(names)}
    fresh = {i.external_id: _episode(i, door) for i in batch if i.external_id not in known}
    Episode.objects.bulk_create(fresh.values())
    created = [i for i in batch if i.external_id in fresh]
    turns = (turn for i in created for turn in _turns(i, i.turns, episode=fresh[i.external_id], door=door))
    Turn.objects.bulk_create(turns, batch_size=1_000)
    return []
