"""The door that stores: each episode word for word, and once, however often it is sent.

It starts nothing. Whoever calls it asks `jobs` to see to the users of what `is_due`.
"""

import zoneinfo
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum

from django.utils import timezone

from memory import clock, moments, policies, scope
from memory.errors import EpisodeConflict, InvalidEpisode, MemoryPaused
from memory.incoming import IncomingEpisode, IncomingTurn, digest, prepare, split, unpack
from memory.models import Episode, State, Turn, User
from memory.types import ERASED

__all__ = ["Arrival", "Stored", "prepare", "split", "store", "store_all", "unpack"]


class Arrival(StrEnum):
    """What an incoming episode turned out to be."""

    CREATED = "created"
    EXISTING = "existing"
    APPENDED = "appended"


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored episode, with how many turns were added; `is_due` if extraction can begin now and could not before."""

    episode: Episode
    state: Arrival
    added: int
    is_due: bool


@dataclass(frozen=True, slots=True)
class _Door:
    """What holds for all episodes of one call. `now` dates them, `arrival` is by the real clock, as waits are."""

    user: User
    zone: tzinfo
    now: datetime
    arrival: datetime
    idle: datetime


@dataclass(frozen=True, slots=True)
class _Known:
    """A stored episode and the last turn it has so far."""

    episode: Episode
    last: Turn | None


def store(user: User, incoming: IncomingEpisode, *, is_import: bool = False) -> Stored:
    """Stores an episode, or the turns that a stored and still open one lacks.

    Raises EpisodeConflict when other content has its external id.
    """
    (result,) = store_all(user, [incoming], is_import=is_import)
    if isinstance(result, EpisodeConflict):
        raise result
    return result


def store_all(
    user: User,
    batch: Sequence[IncomingEpisode],
    *,
    is_import: bool = False,
    confirm: Callable[[], None] | None = None,
) -> list[Stored | EpisodeConflict]:
    """Stores each, in one transaction and few statements; what became of it, in the same order.

    Imports are due at once. `confirm` is asked under the user's lock, and raises where nothing may be stored any more.
    Raises InvalidEpisode when the user has been forgotten meanwhile.
    """
    results: list[Stored | EpisodeConflict] = []
    with scope.user(user.pk):
        paused = User.objects.select_for_update().filter(pk=user.pk).values_list("is_paused", flat=True).first()
        if paused is None:
            raise InvalidEpisode("user: is not known any more.")
        if paused:
            raise MemoryPaused("Memory is paused for this person: nothing was stored.")
        if confirm:
            confirm()
        door = _door(user, is_import=is_import)
        for distinct in _distinct(batch):
            results += _store(distinct, door)
    return results


def _door(user: User, *, is_import: bool) -> _Door:
    arrival = timezone.now()
    idle = timedelta(minutes=0 if is_import else policies.current().thresholds.idle_minutes)
    return _Door(user, _zone(user), now=clock.now(), arrival=arrival, idle=arrival + idle)


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
    known = {episode.external_id: episode for episode in Episode.objects.filter(user=door.user, external_id__in=names)}
    fresh = [incoming for incoming in batch if incoming.external_id not in known]
    created = iter(_create(fresh, door))
    return [
        _meet(incoming, known[incoming.external_id], door) if incoming.external_id in known else next(created)
        for incoming in batch
    ]


def _create(fresh: Sequence[IncomingEpisode], door: _Door) -> list[Stored]:
    episodes = Episode.objects.bulk_create([_episode(incoming, door) for incoming in fresh])
    pairs = zip(episodes, fresh, strict=True)
    turns = [turn for episode, incoming in pairs for turn in _turns(episode, incoming.turns, door=door)]
    Turn.objects.bulk_create(turns, batch_size=1_000)
    return [Stored(e, Arrival.CREATED, e.turn_count, is_due=e.due_at <= door.arrival) for e in episodes]


def _episode(incoming: IncomingEpisode, door: _Door) -> Episode:
    return Episode(
        user=door.user,
        external_id=incoming.external_id,
        session=incoming.session,
        occurred_at=_start(incoming, door),
        is_closed=incoming.closed,
        is_flagged=incoming.remember,
        is_outright=incoming.is_outright,
        document=incoming.document,
        removed=incoming.removed,
        content_hash=digest(incoming),
        turn_count=len(incoming.turns),
        due_at=door.arrival if incoming.is_urgent else door.idle,
    )


def _start(incoming: IncomingEpisode, door: _Door) -> datetime:
    given = (incoming.occurred_at, *(turn.at for turn in incoming.turns))
    return next((moments.anchored(at, door.zone) for at in given if at), door.now)


def _turns(
    episode: Episode, incoming: Sequence[IncomingTurn], *, door: _Door, before: Turn | None = None
) -> Iterator[Turn]:
    """A turn without a time has that of the one before it, the first that of the episode."""
    at = before.at if before else episode.occurred_at
    for n, turn in enumerate(incoming, start=before.n + 1 if before else 1):
        at = moments.anchored(turn.at, door.zone) if turn.at else at
        yield Turn(
            user=door.user,
            episode=episode,
            n=n,
            role=turn.role,
            name=turn.name,
            content=turn.content,
            at=at,
            ref=turn.ref,
            language=door.user.language,
        )


def _meet(incoming: IncomingEpisode, episode: Episode, door: _Door) -> Stored | EpisodeConflict:
    """What an episode is to the stored one of its name."""
    if why := _difference(incoming, episode, door):
        return _conflict(incoming, why)
    if digest(incoming) == episode.content_hash:
        return _raise_flags(incoming, episode, door)
    stored = list(Turn.objects.filter(user=door.user, episode=episode).order_by("n"))
    added = _added(incoming.turns, stored, door.zone)
    if added is None:
        return _conflict(incoming, "other turns")
    if added and episode.is_closed:
        return _conflict(incoming, "fewer turns and is closed")
    if not added:
        return _raise_flags(incoming, episode, door)
    return _append(incoming, _Known(episode, stored[-1] if stored else None), added, door)


def _conflict(incoming: IncomingEpisode, why: str) -> EpisodeConflict:
    return EpisodeConflict(
        f"external_id: an episode {incoming.external_id!r} is stored that has {why}. Send this one under another id."
    )


def _difference(incoming: IncomingEpisode, episode: Episode, door: _Door) -> str:
    if incoming.session and incoming.session != episode.session:
        return "another session"
    if incoming.document != episode.document:
        return "another document"
    if incoming.occurred_at and moments.anchored(incoming.occurred_at, door.zone) != episode.occurred_at:
        return "another occurred_at"
    return ""


def _added(incoming: Sequence[IncomingTurn], stored: Sequence[Turn], zone: tzinfo) -> Sequence[IncomingTurn] | None:
    """The turns that are not stored yet; None when the two are different episodes.

    Either one begins with the other, or every turn has a name of its own, by which they are compared.
    """
    if all(_is_same(turn, known, zone) for turn, known in zip(incoming, stored, strict=False)):
        return incoming[len(stored) :]
    known = {turn.ref: turn for turn in stored}
    if "" in known or not all(turn.ref for turn in incoming):
        return None
    if not all(_is_same(turn, known[turn.ref], zone) for turn in incoming if turn.ref in known):
        return None
    return [turn for turn in incoming if turn.ref not in known]


def _is_same(turn: IncomingTurn, stored: Turn, zone: tzinfo) -> bool:
    is_said = _is_said(turn.content, stored.content)
    is_then = turn.at is None or moments.anchored(turn.at, zone) == stored.at
    return is_said and is_then and (turn.role, turn.name) == (stored.role, stored.name)


def _is_said(content: str, stored: str) -> bool:
    """Whether the stored words are these; what was erased from them may have been anything."""
    begin, *rest = stored.split(ERASED)
    if not rest:
        return content == stored
    *middle, end = rest
    at = len(begin)
    for part in middle:
        at = content.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return content.startswith(begin) and content.endswith(end) and at + len(end) <= len(content)


def _append(incoming: IncomingEpisode, known: _Known, added: Sequence[IncomingTurn], door: _Door) -> Stored:
    episode, last = known.episode, known.last
    if last and incoming.occurred_at is None:
        last.at = max(last.at, door.now)  # sent as it happens: what is new is of now
    Turn.objects.bulk_create(_turns(episode, added, door=door, before=last))
    episode.turn_count += len(added)
    episode.removed += sum(turn.removed for turn in added)
    if episode.content_hash:  # else something was erased, and the hash with it
        episode.content_hash = digest(incoming)
    episode.state, episode.error = State.PENDING, ""
    episode.due_at = door.arrival if incoming.is_urgent else door.idle
    _set_flags(incoming, episode, door)
    episode.save()
    return Stored(episode, Arrival.APPENDED, len(added), is_due=episode.due_at <= door.arrival)


def _raise_flags(incoming: IncomingEpisode, episode: Episode, door: _Door) -> Stored:
    """The same turns again may still say that the session ended, or that it is to be remembered."""
    if not _set_flags(incoming, episode, door):
        return Stored(episode, Arrival.EXISTING, 0, is_due=False)
    episode.save(update_fields=["is_closed", "is_flagged", "due_at"])
    return Stored(episode, Arrival.EXISTING, 0, is_due=episode.state == State.PENDING)


def _set_flags(incoming: IncomingEpisode, episode: Episode, door: _Door) -> bool:
    """Whether one was raised, which makes the episode due. None is ever lowered."""
    before = (episode.is_closed, episode.is_flagged)
    episode.is_closed |= incoming.closed
    episode.is_flagged |= incoming.remember
    if before == (episode.is_closed, episode.is_flagged):
        return False
    episode.due_at = min(episode.due_at, door.arrival)
    return True
