"""What a job is about to work on: a user's due episodes, and the facts in view."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.db.models import Count, F

from memory import prepared
from memory.extraction import Due, Place, Window
from memory.models import Candidate, Episode, State
from memory.recording import Spot
from memory.types import Role
from memory.types import Turn as Said

EPISODES_A_RUN = 100
FACTS_IN_VIEW = 100


type View = list[tuple[str, int]]
"""Facts as the extractor sees them: the text, and a claim behind it."""


# The last turn read comes along: it may be the question that the first new one answers.
UNREAD = """
    SELECT episode.id, session, document, is_outright, turn_count, read_turns, read_chars, n, role, content, at, name
    FROM (
        SELECT * FROM memory_episode
        WHERE user_id = %(user)s AND state = 'pending' AND due_at <= clock_timestamp()
        ORDER BY occurred_at, external_id LIMIT %(most)s
    ) episode
    LEFT JOIN LATERAL (
        SELECT * FROM memory_turn WHERE user_id = %(user)s AND episode_id = episode.id AND n >= read_turns OFFSET 0
    ) turn ON read_turns < turn_count
    ORDER BY occurred_at, external_id, n
"""


class Begun(NamedTuple):
    """An episode as far as it was read."""

    id: int
    session: str
    document: str
    is_outright: bool
    turn_count: int
    read_turns: int
    read_chars: int


def unread(user_id: int) -> tuple[list[Due], dict[int, int]]:
    """Due episodes in order of occurrence with the turns not seen yet, and how many candidates each has already.

    Must run inside the user's scope.
    """
    turns: dict[Begun, list[Said]] = {}
    for *begun, n, role, content, at, name in prepared.rows(UNREAD, {"user": user_id, "most": EPISODES_A_RUN}):
        said = turns.setdefault(Begun(*begun), [])
        if n is not None:
            said.append(Said(n, Role(role), content, at, name))
    rows = [row for row, said in turns.items() if said]
    if len(rows) < len(turns):
        _finish([row.id for row, said in turns.items() if not said])
    return [_due(row, turns[row]) for row in rows], _places(rows)


def _finish(episodes: Iterable[int]) -> None:
    """Those without a new turn, come due once more, need nothing."""
    Episode.objects.pending().filter(pk__in=episodes, read_turns__gte=F("turn_count")).update(state=State.DONE)


def _due(row: Begun, turns: Sequence[Said]) -> Due:
    before = [turn for turn in turns if turn.n <= row.read_turns]
    after = list(turns[len(before) :])
    is_answer = before and before[-1].role is Role.ASSISTANT and after[0].role is Role.USER
    context = before[-1:] if is_answer and not row.read_chars else []
    after[0] = replace(after[0], content=after[0].content[row.read_chars :])
    return Due(row.id, (*context, *after), row.session, row.document, row.is_outright, len(context))


def _places(rows: Iterable[Begun]) -> dict[int, int]:
    """An episode of which nothing was read has no candidates, and need not be counted."""
    begun = [row.id for row in rows if row.read_turns or row.read_chars]
    if not begun:
        return {}
    counted = Candidate.objects.filter(episode__in=begun).values_list("episode").annotate(Count("id"))
    return dict(counted.order_by())


IN_VIEW = """
    SELECT text, (
        SELECT max(id) FROM memory_candidate claim WHERE claim.user_id = fact.user_id AND claim.fact_id = fact.id
    ) FROM memory_fact fact WHERE user_id = %(user)s AND status IN ('active', 'conflicted')
    ORDER BY last_supported_at DESC, text LIMIT %(most)s
"""


def in_view(user_id: int) -> View:
    """The user's live facts, newest support first."""
    return [(text, claim) for text, claim in prepared.rows(IN_VIEW, {"user": user_id, "most": FACTS_IN_VIEW})]


@dataclass(frozen=True, slots=True)
class Ends:
    """How far a window takes its episodes: by episode, the last turn read whole, and characters of the one after."""

    turns: Mapping[int, int]
    chars: Mapping[int, int]


def ends(windows: Sequence[Window], later: Sequence[Window]) -> Ends:
    """A turn that a later window goes on with is read only in part."""
    goes_on = {(place.episode, place.n) for place, _ in _own(later)}
    turns: dict[int, int] = {}
    chars: dict[int, int] = {}
    for place, turn in _own(windows):
        is_part = (place.episode, place.n) in goes_on
        turns[place.episode] = place.n - is_part
        chars[place.episode] = chars.get(place.episode, 0) + len(turn.content) if is_part else 0
    return Ends(turns, chars)


def _own(windows: Iterable[Window]) -> Iterator[tuple[Place, Said]]:
    for window in windows:
        yield from zip(window.places[window.context :], window.turns[window.context :], strict=True)


MARK_READ = """
    UPDATE memory_episode episode SET error = '', read_turns = seen.turn,
        read_chars = CASE WHEN seen.chars = 0 THEN 0 WHEN read_turns = seen.turn THEN read_chars + seen.chars
            ELSE seen.chars END,
        state = CASE WHEN turn_count <= seen.turn THEN 'done' ELSE state END
    FROM unnest(%(ids)s::bigint[], %(turns)s::int[], %(chars)s::int[]) AS seen (id, turn, chars)
    WHERE episode.user_id = %(user)s AND episode.id = ANY(%(ids)s::bigint[]) AND episode.id = seen.id
"""


def mark_read(user_id: int, ends: Ends) -> None:
    """Notes what extraction has seen; an episode seen to its end is done. Inside the writing transaction."""
    turns, chars = list(ends.turns.values()), list(ends.chars.values())
    prepared.rows(MARK_READ, {"user": user_id, "ids": list(ends.turns), "turns": turns, "chars": chars})


def spots(window: Window) -> list[Spot]:
    """For each of a window's turns, its episode and its number there."""
    pairs = zip(window.turns, window.places, strict=True)
    return [Spot(place.episode, place.n, turn.role, turn.at) for turn, place in pairs]
