"""What a job is about to work on: a user's due episodes as windows, and the facts in view."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, Count, F, Max, Value, When

from memory.extraction import Window
from memory.models import Candidate, Episode, Fact, State, Turn
from memory.recording import Spot
from memory.types import Role
from memory.types import Turn as Said

EPISODES_A_RUN = 100
FACTS_IN_VIEW = 100


@dataclass(frozen=True, slots=True)
class Unread:
    """A due episode with the turns that extraction has not seen, by the episode's own numbering."""

    id: int
    session: str
    document: str
    is_outright: bool
    turns: tuple[Said, ...]


def unread(now: datetime) -> list[Unread]:
    """Due episodes in order of occurrence; must run inside the user's scope."""
    episodes = list(Episode.objects.due(now)[:EPISODES_A_RUN])
    turns = Turn.objects.filter(episode__in=[episode.pk for episode in episodes], n__gt=F("episode__read_turns"))
    by_episode: dict[int, list[Said]] = {episode.pk: [] for episode in episodes}
    for row in turns.order_by("episode", "n"):
        by_episode[row.episode_id].append(Said(row.n, Role(row.role), row.content, row.at, row.name))
    return [Unread(row.pk, row.session, row.document, row.is_outright, tuple(by_episode[row.pk])) for row in episodes]


def in_view() -> list[tuple[str, int]]:
    """The user's live facts as the extractor sees them, newest support first: text, and a claim behind it."""
    facts = Fact.objects.live().annotate(claim=Max("claims__id")).order_by("-last_supported_at", "text")
    return [(text, claim) for text, claim in facts.values_list("text", "claim")[:FACTS_IN_VIEW]]


def places(episodes: Iterable[int]) -> Mapping[int, int]:
    """How many candidates each episode has already."""
    counted = Candidate.objects.filter(episode__in=list(episodes)).values_list("episode").annotate(Count("id"))
    return dict(counted.order_by())


@dataclass(frozen=True, slots=True)
class Ends:
    """How far a window takes each of its episodes: the last turn that no later window reads on."""

    turns: Mapping[int, int]


def ends(window: Window, later: Sequence[Window]) -> Ends:
    """A turn that a later window goes on with is not yet read."""
    unfinished = {(place.episode, place.n) for other in later for place in other.places[other.context :]}
    done = [(p.episode, p.n) for p in window.places[window.context :] if (p.episode, p.n) not in unfinished]
    return Ends(dict(sorted(done)))


def mark_read(ends: Ends) -> None:
    """Notes what extraction has seen; an episode seen to its end is done. Inside the writing transaction."""
    for episode, n in ends.turns.items():
        Episode.objects.filter(pk=episode, read_turns__lt=n).update(
            read_turns=n, error="", state=Case(When(turn_count__lte=n, then=Value(State.DONE)), default=F("state"))
        )


def spots(turns: Sequence[Said], stand: Sequence[tuple[int, int]]) -> list[Spot]:
    """For each of a window's turns, its episode and its number there."""
    return [Spot(episode, n, turn.role, turn.at) for turn, (episode, n) in zip(turns, stand, strict=True)]
