"""What a reviewer is asked about: the claim as it was drawn, and the conversation it is to be found in.

Blind: no confidence, no status, nobody's labels. Two statements, whatever there is to show.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from memory import prepared
from memory.browsing.quotes import Excerpt, excerpt
from memory.models import User

MOST_PASSAGES = 6
AROUND = 2
"""How many turns on each side are one key away."""
LONGEST_TURN = 1_200


class Spot(NamedTuple):
    """A turn of an episode."""

    episode: int
    turn: int


@dataclass(frozen=True, slots=True)
class Line:
    """A turn beside the quoted one, as far as it is shown."""

    n: int
    role: str
    name: str
    at: datetime
    content: str
    is_cut: bool


@dataclass(frozen=True, slots=True)
class Passage:
    """The quoted turn, with the words marked and the turns around it."""

    spot: Spot
    role: str
    name: str
    at: datetime
    document: str
    said: Excerpt
    before: tuple[Line, ...]
    after: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """An item as its reviewer sees it. `earlier` is what a resolution had before it, as it reads now."""

    id: int
    person: User
    text: str
    subject: str
    predicate: str
    object: str
    is_denied: bool
    is_owner: bool
    said_at: datetime | None
    valid_from: str | None
    valid_to: str | None
    outcome: str
    detail: str
    earlier: str
    passages: tuple[Passage, ...]


def show(item_id: int) -> Asked | None:
    """The item, inside the staff scope; None when its words were erased, or its person left."""
    found = prepared.rows(_ITEM, {"item": item_id})
    if not found:
        return None
    row = _Row(*found[0][: len(_Row._fields)])
    person = prepared.instance(User, found[0][len(_Row._fields) :])
    return Asked(id=item_id, person=person, passages=_passages(row), **{name: getattr(row, name) for name in _SHOWN})


class _Row(NamedTuple):
    """What _ITEM gives first, in its order."""

    user: int
    fact: int | None
    candidate: int | None
    text: str
    subject: str
    object: str
    valid_from: str | None
    valid_to: str | None
    detail: str
    is_denied: bool
    said_at: datetime | None
    outcome: str
    predicate: str
    is_owner: bool
    earlier: str


_SHOWN = _Row._fields[_Row._fields.index("text") :]
_ITEM = f"""
    SELECT item.user_id, item.fact_id, item.candidate_id, words.text, words.subject, words.object, words.valid_from,
        words.valid_to, words.detail, words.polarity = 'denies', item.said_at, item.outcome,
        coalesce(candidate.predicate, fact.predicate), coalesce(entity.is_owner, false), coalesce((
            SELECT against.text FROM memory_resolution resolution
            JOIN memory_fact against ON against.user_id = resolution.user_id AND against.id = resolution.against_id
            WHERE sample.subject = 'resolutions' AND resolution.user_id = item.user_id
                AND resolution.candidate_id = item.candidate_id
        ), ''), {prepared.columns(User, "person")}
    FROM memory_sampleitem item
    JOIN memory_sample sample ON sample.id = item.sample_id
    JOIN memory_user person ON person.id = item.user_id
    JOIN memory_sampletext words ON words.user_id = item.user_id AND words.id = item.words_id
    LEFT JOIN memory_candidate candidate ON candidate.user_id = item.user_id AND candidate.id = item.candidate_id
    LEFT JOIN memory_fact fact ON fact.user_id = item.user_id AND fact.id = item.fact_id
    LEFT JOIN memory_entity entity ON entity.user_id = fact.user_id AND entity.id = fact.entity_id
    WHERE item.id = %(item)s
"""  # noqa: S608 - our own
# The newest quotes, each with its turn and those around it; of what was refused without a quote, the turn it was made
# from. OFFSET 0 holds each look-up to its index.
_PASSAGES = f"""
    WITH quoted AS MATERIALIZED (
        SELECT episode_id, turn, quote, at, id FROM memory_evidence WHERE user_id = %(user)s AND candidate_id = ANY(ARRAY(
            SELECT id FROM memory_candidate
            WHERE user_id = %(user)s AND fact_id = %(fact)s AND %(candidate)s::bigint IS NULL
        ) || %(candidate)s::bigint)
        ORDER BY at DESC, turn, id LIMIT {MOST_PASSAGES}
    ), spot AS (
        SELECT * FROM quoted
        UNION ALL SELECT episode_id, turn, '', said_at, id FROM memory_candidate
            WHERE user_id = %(user)s AND id = %(candidate)s AND NOT EXISTS (SELECT FROM quoted)
    )
    SELECT spot.episode_id, spot.turn, spot.quote, episode.document, around.n, around.role, around.name, around.at,
        around.content
    FROM spot, LATERAL (
        SELECT n, role, name, at, CASE WHEN n = spot.turn THEN content ELSE left(content, {LONGEST_TURN + 1}) END AS content
        FROM memory_turn WHERE user_id = %(user)s AND episode_id = spot.episode_id
            AND n BETWEEN spot.turn - {AROUND} AND spot.turn + {AROUND} OFFSET 0
    ) around, LATERAL (
        SELECT document FROM memory_episode WHERE user_id = %(user)s AND id = spot.episode_id OFFSET 0
    ) episode
    ORDER BY spot.at, spot.turn DESC, spot.id DESC, around.n
"""  # noqa: S608 - our own


def _passages(row: _Row) -> tuple[Passage, ...]:
    """The oldest first; of what one turn was quoted for twice in the same words, once."""
    found = prepared.rows(_PASSAGES, {"user": row.user, "fact": row.fact, "candidate": row.candidate})
    quoted: dict[tuple[Spot, str], dict[int, tuple[Any, ...]]] = {}
    for episode, turn, quote, *around in found:
        quoted.setdefault((Spot(episode, turn), quote), {})[around[1]] = tuple(around)
    return tuple(_passage(spot, quote, turns) for (spot, quote), turns in quoted.items() if spot.turn in turns)


def _passage(spot: Spot, quote: str, turns: Mapping[int, tuple[Any, ...]]) -> Passage:
    document, _n, role, name, at, content = turns[spot.turn]
    return Passage(
        spot=spot,
        role=role,
        name=name,
        at=at,
        document=document,
        said=excerpt(content, quote),
        before=tuple(_line(turns[n]) for n in turns if n < spot.turn),
        after=tuple(_line(turns[n]) for n in turns if n > spot.turn),
    )


def _line(around: tuple[Any, ...]) -> Line:
    _document, n, role, name, at, content = around
    return Line(n, role, name, at, content[:LONGEST_TURN], is_cut=len(content) > LONGEST_TURN)
