"""What a reviewer is asked about: the claim as it was drawn, and the conversation it is to be found in.

Blind: no confidence, no status, nobody's labels. Three statements, whatever there is to show.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import NamedTuple

from django.db import models
from django.db.models import Q

from memory.browsing.quotes import Excerpt, excerpt
from memory.models import Candidate, Evidence, Fact, Resolution, SampleItem, Turn, User
from memory.types import SampleSubject

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
    """The item, inside the staff scope; None when its words were erased."""
    related = ("sample", "words", "user", "candidate", "fact__entity")
    rows = SampleItem.objects.select_related(*related).defer("fact__embedding")
    item = rows.fetch_mode(models.FETCH_RAISE).get(pk=item_id)
    if item.is_erased:
        return None
    words = item.words
    return Asked(
        id=item.pk,
        person=item.user,
        predicate=(item.candidate or item.fact).predicate,
        is_denied=words.polarity == "denies",
        is_owner=_is_owner(item),
        said_at=item.said_at,
        outcome=item.outcome,
        detail=words.detail,
        earlier=_earlier(item),
        passages=_passages(item),
        **{name: getattr(words, name) for name in ("text", "subject", "object", "valid_from", "valid_to")},
    )


def _is_owner(item: SampleItem) -> bool:
    fact: Fact | None = item.fact
    return fact is not None and fact.entity.is_owner


def _earlier(item: SampleItem) -> str:
    if item.sample.subject != SampleSubject.RESOLUTIONS:
        return ""
    found = Resolution.objects.filter(user=item.user_id, candidate=item.candidate_id).exclude(against=None)
    return found.values_list("against__text", flat=True).first() or ""


def _passages(item: SampleItem) -> tuple[Passage, ...]:
    quotes = _quotes(item)
    turns = _turns(item.owner, quotes)
    passages = [_passage(spot, quote, turns) for spot, quote in quotes if spot in turns]
    return tuple(passages)


def _quotes(item: SampleItem) -> list[tuple[Spot, str]]:
    """Turn and words, the oldest first; of what was refused without a quote, the turn it was made from."""
    behind = Q(candidate=item.candidate_id) if item.candidate_id else Q(candidate__fact=item.fact_id)
    rows = Evidence.objects.filter(behind, user=item.user_id).order_by("-at", "turn", "pk")
    found = rows.values_list("episode", "turn", "quote")[:MOST_PASSAGES]
    quotes = dict.fromkeys((Spot(episode, turn), quote) for episode, turn, quote in found)
    if not quotes and item.candidate_id:
        made = Candidate.objects.filter(user=item.user_id, pk=item.candidate_id).values_list("episode", "turn")
        quotes = dict.fromkeys((Spot(*spot), "") for spot in made)
    return [*reversed(quotes)]


def _turns(user_id: int, quotes: Iterable[tuple[Spot, str]]) -> Mapping[Spot, Turn]:
    around = [Q(episode=spot.episode, n__gte=spot.turn - AROUND, n__lte=spot.turn + AROUND) for spot, _quote in quotes]
    if not around:
        return {}
    rows = Turn.objects.filter(reduce(or_, around), user=user_id).select_related("episode").defer("embedding")
    return {Spot(row.episode_id, row.n): row for row in rows.fetch_mode(models.FETCH_RAISE)}


def _passage(spot: Spot, quote: str, turns: Mapping[Spot, Turn]) -> Passage:
    turn = turns[spot]
    before = (turns.get(Spot(spot.episode, spot.turn - away)) for away in range(AROUND, 0, -1))
    after = (turns.get(Spot(spot.episode, spot.turn + away)) for away in range(1, AROUND + 1))
    return Passage(
        spot=spot,
        role=turn.role,
        name=turn.name,
        at=turn.at,
        document=turn.episode.document,
        said=excerpt(turn.content, quote),
        before=tuple(_line(row) for row in before if row),
        after=tuple(_line(row) for row in after if row),
    )


def _line(row: Turn) -> Line:
    content = row.content[:LONGEST_TURN]
    return Line(row.n, row.role, row.name, row.at, content, is_cut=len(row.content) > LONGEST_TURN)
