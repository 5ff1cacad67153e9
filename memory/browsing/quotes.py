"""The quotes behind facts and candidates, each with the turn around it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import models
from django.db.models import Count, F, OuterRef, QuerySet, Subquery, Window
from django.db.models.functions import RowNumber

from memory import text
from memory.models import Evidence, Turn

MOST, ALONE = 12, 500
"""How many quotes are shown of one fact among others, and of one by itself."""
AROUND = 800
"""Characters of a turn shown on each side of the quote; the episode's own page has all of it."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A turn as far as it is shown: the words `before` a quote, the quote as said, and those `after`.

    `said` is empty when the quote is not in the turn. `is_cut` tells that there is more of the turn.
    """

    before: str
    said: str
    after: str
    is_cut: bool


@dataclass(frozen=True, slots=True)
class Quoted:
    """Verbatim words with who said them, when and where; `document` names the imported list they stand in."""

    quote: str
    role: str
    at: datetime
    episode_id: int
    episode: str
    turn: int
    document: str
    around: Excerpt


@dataclass(frozen=True, slots=True)
class Quotes:
    """The newest quotes behind one thing, and how many older ones are not among them."""

    shown: tuple[Quoted, ...] = ()
    older: int = 0


NONE = Quotes()


def behind_facts(user_ids: Iterable[int], fact_ids: Iterable[int], *, most: int = MOST) -> Mapping[int, Quotes]:
    """Fact id → quotes, newest first."""
    rows = Evidence.objects.filter(user__in=set(user_ids), candidate__fact__in=list(fact_ids))
    return _grouped(rows, F("candidate__fact_id"), most)


def behind_candidates(user_ids: Iterable[int], candidate_ids: Iterable[int]) -> Mapping[int, Quotes]:
    """Candidate id → quotes, likewise."""
    rows = Evidence.objects.filter(user__in=set(user_ids), candidate__in=list(candidate_ids))
    return _grouped(rows, F("candidate_id"), MOST)


def excerpt(content: str, quote: str) -> Excerpt:
    """As much of a turn as a reader needs to judge the quote."""
    span = text.find_quote(quote, content) if quote else None
    if span is None:
        return Excerpt(content[: 2 * AROUND], "", "", is_cut=len(content) > 2 * AROUND)
    start, end = span
    first, last = max(0, start - AROUND), end + AROUND
    return Excerpt(content[first:start], content[start:end], content[end:last], is_cut=first > 0 or last < len(content))


def _grouped(rows: QuerySet[Evidence], owner: F, most: int) -> dict[int, Quotes]:
    ranked = rows.annotate(
        owner=owner,
        rank=Window(RowNumber(), partition_by=[owner], order_by=[F("at").desc(), F("turn").asc(), F("pk").asc()]),
        total=Window(Count("pk"), partition_by=[owner]),
    ).filter(rank__lte=most)
    found = list(ranked.select_related("episode").order_by("rank").fetch_mode(models.FETCH_RAISE))
    contents = _contents([row.pk for row in found])
    shown: dict[int, list[Quoted]] = defaultdict(list)
    totals: dict[int, int] = {}
    for row in found:
        quoted = _quoted(row, contents.get(row.pk) or "")
        totals[row.owner] = row.total
        if quoted not in shown[row.owner]:
            shown[row.owner].append(quoted)
    return {pk: Quotes(tuple(quotes), max(0, totals[pk] - most)) for pk, quotes in shown.items()}


def _contents(evidence_ids: list[int]) -> dict[int, str]:
    """Looked up after ranking, so that turns of quotes that are not shown are not read."""
    turn = Turn.objects.filter(user=OuterRef("user"), episode=OuterRef("episode"), n=OuterRef("turn"))
    rows = Evidence.objects.filter(pk__in=evidence_ids).order_by()
    return dict(rows.values_list("pk", Subquery(turn.values("content")[:1])))


def _quoted(row: Evidence, content: str) -> Quoted:
    return Quoted(
        quote=row.quote,
        role=row.role,
        at=row.at,
        episode_id=row.episode_id,
        episode=row.episode.external_id,
        turn=row.turn,
        document=row.episode.document,
        around=excerpt(content, row.quote),
    )
