"""A fact among those it came from and those that came after it, each at its time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from django.db import connection, models

from memory import clock
from memory.models import Derivation, Fact
from memory.types import LIVE

MOST = 40
_WIDTH = 100.0
_NARROWEST = 1.5
"""Of the axis's hundred parts: what ended on the day it began can still be seen."""

# Everything that replaced or was replaced, however far back or on.
LINE = """
    WITH RECURSIVE line (id, superseded_by_id) AS (
        SELECT id, superseded_by_id FROM memory_fact WHERE user_id = %(user)s AND id = %(fact)s
        UNION
        SELECT fact.id, fact.superseded_by_id FROM line JOIN memory_fact fact ON fact.user_id = %(user)s
            AND (fact.superseded_by_id = line.id OR fact.id = line.superseded_by_id)
    )
    SELECT id FROM (SELECT id FROM line LIMIT %(most)s) found
"""


class Part(StrEnum):
    """What a fact is to the one that is looked at."""

    ITSELF = "itself"
    BEFORE = "before"
    AFTER = "after"
    BASE = "base"
    DERIVED = "derived"


@dataclass(frozen=True, slots=True)
class Span:
    """A fact on the axis: from where to where, in hundredths of it. `until` is None for what holds still."""

    row: Fact
    part: Part
    since: date
    until: date | None
    start: float
    width: float

    @property
    def begins(self) -> str:
        """The same beginning at the precision in which it was stated."""
        return self.row.valid_from or self.since.isoformat()

    @property
    def ends(self) -> str:
        """The same end likewise, "" for what holds still."""
        stated = self.row.valid_to or (self.row.expires_on.isoformat() if self.row.expires_on else "")
        return stated or (self.until.isoformat() if self.until else "")


@dataclass(frozen=True, slots=True)
class Lineage:
    """The spans by their beginning, and the days on which the axis begins and ends."""

    spans: tuple[Span, ...]
    first: date
    last: date


def of(fact: Fact) -> Lineage:
    """In three queries, inside a scope."""
    related = _related(fact)
    chosen = Fact.objects.filter(user=fact.user_id, pk__in=related).defer("embedding").select_related("entity")
    rows = list(chosen.fetch_mode(models.FETCH_RAISE))
    return draw(rows, related, looked_at=fact, today=clock.now().date())


def draw(rows: Sequence[Fact], parts: dict[int, Part], *, looked_at: Fact, today: date) -> Lineage:
    """Places the facts on one axis."""
    by_id = {row.pk: row for row in rows}
    held = {row.pk: (_since(row), _until(row, by_id)) for row in rows}
    first = min(since for since, _ in held.values())
    last = max([today, *(until for _, until in held.values() if until)])
    spans = [_span(row, _part(row, parts, looked_at), held[row.pk], (first, last)) for row in rows]
    return Lineage(tuple(sorted(spans, key=lambda span: (span.since, span.row.pk))), first, last)


def _related(fact: Fact) -> dict[int, Part]:
    with connection.cursor() as cursor:
        cursor.execute(LINE, {"user": fact.user_id, "fact": fact.pk, "most": MOST})
        found = {pk: Part.BEFORE for (pk,) in cursor.fetchall()}
    pairs = Derivation.objects.filter(models.Q(fact=fact) | models.Q(base=fact), user=fact.user_id)
    for derived, base in pairs.order_by("pk").values_list("fact", "base")[:MOST]:
        found[base if derived == fact.pk else derived] = Part.BASE if derived == fact.pk else Part.DERIVED
    return found | {fact.pk: Part.ITSELF}


def _part(row: Fact, parts: dict[int, Part], looked_at: Fact) -> Part:
    is_later = (_since(row), row.pk) > (_since(looked_at), looked_at.pk)
    return Part.AFTER if parts[row.pk] is Part.BEFORE and is_later else parts[row.pk]


def _since(row: Fact) -> date:
    return row.began_on


def _until(row: Fact, others: dict[int, Fact]) -> date | None:
    """Its stated end; of what was replaced without one, when that began; of what was taken back, its last word."""
    if row.ended_on:
        return max(row.ended_on, row.began_on)
    if row.status in LIVE:
        return None
    successor = others.get(row.superseded_by_id or 0)
    return max(row.began_on, successor.began_on if successor else row.last_supported_at.date())


def _span(row: Fact, part: Part, held: tuple[date, date | None], axis: tuple[date, date]) -> Span:
    since, until = held
    first, last = axis
    whole = max(timedelta(days=1), last - first)
    width = max(_NARROWEST, _WIDTH * ((until or last) - since) / whole)
    start = min(_WIDTH * (since - first) / whole, _WIDTH - width)
    return Span(row, part, since, until, round(max(0.0, start), 2), round(width, 2))
