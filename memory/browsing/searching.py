"""Facts across people: found by words and narrowed by what is on record of them. Inside the staff's scope.

The newest first, by primary key, so that every page of a million rows is as near as the first; counts stop
at `MOST_COUNTED`.
"""

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db import connection, models
from django.db.models import BooleanField, CharField, F, Func, Q, QuerySet, Value
from django.db.models.expressions import RawSQL

from memory import clock, confidence, people, policies, recall
from memory.browsing import facts, fading
from memory.browsing.facts import ALL, LIVE_ONES, Shown, Sureness
from memory.browsing.fading import Band
from memory.browsing.paging import PAGE, Cursor, Page
from memory.models import Fact, User
from memory.policy_types import Thresholds
from memory.recall import Where
from memory.text import clean, is_spaceless
from memory.types import LIVE, Kind

MOST_COUNTED = 10_000
FEW = 2_000
"""Up to how many that are little sure, or old, are looked for by themselves: of more the newest are soon met."""
LONGEST = 200
"""Characters of a search that are looked at."""
CHUNK = 500
MOST_ALIKE = 10
# The configurations that 0003_search stems with.
_CONFIGS = ("simple", "english", "german", "spanish", "french", "finnish", "russian")
_WORDS = "fact.search @@ (" + " || ".join(f"plainto_tsquery('{name}', %(words)s)" for name in _CONFIGS) + ")"
_LETTERS = "fact.text ILIKE %(part)s"
_HITS = "SELECT fact.id FROM memory_fact fact WHERE {holds} LIMIT %(most)s"
_OLD = """
    SELECT id FROM memory_fact WHERE kind = ANY(%(kinds)s) AND last_supported_at < %(since)s LIMIT %(most)s
"""
_LIKE = "%(words)s <%% fact.text"
_SOURCE_KIND = Func(F("source"), Value(":"), Value(1), function="split_part", output_field=CharField())
_SHORTEST_PART = 3
"""Characters from which on the index of letters tells where they stand; scripts without spaces need it before."""


class Age(StrEnum):
    """When a fact was last said."""

    WEEK = "week"
    MONTH = "month"
    YEAR = "year"
    OLDER = "older"


class Flag(StrEnum):
    """What may be marked on a fact."""

    UNJUDGED = "unjudged"
    PINNED = "pinned"
    CONFIRMED = "confirmed"


_DAYS = {Age.WEEK: 7, Age.MONTH: 30, Age.YEAR: 365, Age.OLDER: 365}


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for; "" where it does not matter. `person` is an external id, `source` a kind of source."""

    words: str = ""
    person: str = ""
    status: str = LIVE_ONES
    kind: str = ""
    source: str = ""
    basis: str = ""
    predicate: str = ""
    language: str = ""
    age: str = ""
    sureness: str = ""
    flag: str = ""

    @property
    def is_any(self) -> bool:
        """Whether anything but the status narrows the list."""
        return any(getattr(self, field.name) for field in fields(self) if field.name != "status")


@dataclass(frozen=True, slots=True)
class Counted:
    """How many there are; or, with `is_more`, that there are at least so many."""

    number: int
    is_more: bool


@dataclass(frozen=True, slots=True)
class Hits:
    """The facts that have the words, or are so old, `ids`; where those are very many just some, with `is_all` false."""

    ids: tuple[int, ...]
    is_all: bool


def hits(sought: Sought) -> Hits | None:
    """Where the words stand, else what is little sure, else what is old, by the indexes alone; None for none of these.

    The planner believes that walking along the newest facts meets them soon. For words that nobody said it
    would walk to the end.
    """
    wanted = _words(sought.words)
    if wanted:
        return _having(wanted)
    if sought.person:
        return None
    if sought.sureness in {Sureness.FAINT, Sureness.TENTATIVE}:
        return _as_sure(Sureness(sought.sureness))
    return _met(_OLD, {"kinds": list(Kind), "since": _since(Age.OLDER)}) if sought.age == Age.OLDER else None


def _having(wanted: str) -> Hits:
    has_part = len(wanted) >= _SHORTEST_PART or is_spaceless(wanted)
    statement = _HITS.format(holds=f"({_WORDS} OR {_LETTERS})" if has_part else _WORDS)
    ids = _by_index(statement, {"words": wanted, "part": f"%{_escaped(wanted)}%", "most": MOST_COUNTED + 1})
    return Hits(ids, len(ids) <= MOST_COUNTED)


def _as_sure(sureness: Sureness) -> Hits:
    thresholds = policies.current().thresholds
    return _met(*fading.statement(_bands(thresholds)[sureness], thresholds, now=clock.now()))


def _met(statement: str, values: Mapping[str, Any]) -> Hits:
    ids = _by_index(statement, {**values, "most": FEW + 1}, is_along=True)
    return Hits(ids, len(ids) <= FEW)


def page(sought: Sought, cursor: Cursor, found: Hits | None) -> Page[Shown]:
    """One page, the newest facts first. A row that its cursor named and that is gone since does no harm."""
    rows = facts.loaded(_rows(sought, found))
    if cursor.boundary is not None:
        rows = rows.filter(**{f"pk__{'gt' if cursor.is_backwards else 'lt'}": cursor.boundary})
    taken = list(rows.order_by("pk" if cursor.is_backwards else "-pk")[: PAGE + 1])
    has_more, taken = len(taken) > PAGE, taken[:PAGE]
    if cursor.is_backwards:
        taken.reverse()
    if not taken:
        return Page([])
    has_before = has_more if cursor.is_backwards else cursor.after is not None
    has_after = cursor.before is not None if cursor.is_backwards else has_more
    shown = facts.shown(taken, most_quotes=0)
    return Page(shown, taken[0].pk if has_before else None, taken[-1].pk if has_after else None)


def newest(words: str, *, most: int) -> list[Fact]:
    """The newest few with the words, whatever became of them, with whose they are."""
    sought = Sought(words=words, status=ALL)
    rows = _rows(sought, hits(sought)).select_related("user").defer("embedding")
    return list(rows.order_by("-pk").fetch_mode(models.FETCH_RAISE)[:most])


def recalled(person: User, words: str) -> list[Shown]:
    """One person's live facts as an agent would be given them, by all but vectors, which a page does not wait for."""
    where = Where(user_id=person.pk, language=person.language, zone=people.zone(person.time_zone))
    found = recall.recall(recall.ask(words, embedder=None), where, k=PAGE, policy=policies.current()).found
    rows = {row.pk: row for row in facts.loaded(Fact.objects.filter(user=person, pk__in=[one.fact for one in found]))}
    return facts.shown([rows[one.fact] for one in found if one.fact in rows], most_quotes=0)


def counted(sought: Sought, found: Hits | None) -> Counted:
    """How many fit, as far as anybody cares to know."""
    if found is None:
        number = _rows(sought, None).order_by().values("pk")[: MOST_COUNTED + 1].count()
        return Counted(min(number, MOST_COUNTED), number > MOST_COUNTED)
    return Counted(_rows(sought, Hits(found.ids, is_all=True)).order_by().count(), not found.is_all)


def alike(words: str) -> list[Shown]:
    """A few facts with words that are spelt like these, for when none has them."""
    wanted = _words(words)
    ids = _by_index(_HITS.format(holds=_LIKE), {"words": wanted, "most": MOST_ALIKE}) if wanted else ()
    return facts.shown(facts.loaded(Fact.objects.filter(pk__in=ids)).order_by("-pk"), most_quotes=0)


def each(sought: Sought, owners: Collection[int]) -> Iterator[Mapping[str, Any]]:
    """All that fit of these people, a chunk at a time, with whose they are: who came since they were asked for is left out."""
    rows = _rows(sought, hits(sought)).filter(user__in=owners).order_by("-pk")
    yield from rows.values(*COLUMNS).iterator(chunk_size=CHUNK)


def owners(sought: Sought) -> set[int]:
    """Whose facts there are to give."""
    return set(_rows(sought, hits(sought)).order_by().values_list("user", flat=True).distinct())


COLUMNS = (
    "id",
    "user__external_id",
    "text",
    "subject",
    "entity__note",
    "predicate",
    "object",
    "kind",
    "polarity",
    "basis",
    "source",
    "status",
    "status_reason",
    "confidence",
    "first_said_at",
    "last_supported_at",
    "valid_from",
    "valid_to",
    "expires_on",
    "is_pinned",
    "is_confirmed",
    "is_unjudged",
    "language",
)


def _rows(sought: Sought, found: Hits | None) -> QuerySet[Fact]:
    rows: QuerySet[Fact] = Fact.objects.alias(source_kind=_SOURCE_KIND)
    if found is not None and found.is_all:
        rows = rows.filter(RawSQL("memory_fact.id = ANY(%s)", [list(found.ids)], output_field=BooleanField()))
    # they stand everywhere: the way along the newest meets them at every step
    elif found is not None and _words(sought.words):
        rows = rows.filter(RawSQL(*_everywhere(_words(sought.words)), output_field=BooleanField()))  # noqa: S611
    rows = rows.filter(_same(sought), _of_status(sought.status), _of_age(sought.age), _of_source(sought.source))
    if sought.sureness:
        thresholds = policies.current().thresholds
        worth = confidence.effective_expression(thresholds, now=clock.now())
        rows = rows.alias(worth=worth).filter(_within(_bands(thresholds)[Sureness(sought.sureness)]))
    return rows


def _everywhere(wanted: str) -> tuple[str, list[str]]:
    """The condition for Django's own statements, with its values bound."""
    words = _WORDS.replace("fact.search", "memory_fact.search").replace("%(words)s", "%s")
    return f"({words} OR memory_fact.text ILIKE %s)", [*[wanted] * len(_CONFIGS), f"%{_escaped(wanted)}%"]


def _by_index(statement: str, values: Mapping[str, Any], *, is_along: bool = False) -> tuple[int, ...]:
    """The ids that a statement gives which must not read the whole table; nor, `is_along`, the whole of an index first."""
    refused = ("enable_seqscan", "enable_bitmapscan") if is_along else ("enable_seqscan",)
    with connection.cursor() as cursor:
        cursor.execute(";".join(f"SET LOCAL {name} = off" for name in refused))
        cursor.execute(statement, values)
        ids = tuple(pk for (pk,) in cursor.fetchall())
        cursor.execute(";".join(f"SET LOCAL {name} = on" for name in refused))
    return ids


def _words(words: str) -> str:
    return clean(words).text[:LONGEST].strip()


def _escaped(words: str) -> str:
    """For LIKE, as text that has no meaning to it."""
    return words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _same(sought: Sought) -> Q:
    equal = {
        "user__external_id": sought.person,
        "kind": sought.kind,
        "basis": sought.basis,
        "predicate": sought.predicate,
        "language": sought.language,
    }
    flags = {f"is_{sought.flag}": True} if sought.flag else {}
    return Q(**{name: value for name, value in equal.items() if value}, **flags)


def _of_status(status: str) -> Q:
    if status == ALL:
        return Q()
    return Q(status__in=LIVE if status == LIVE_ONES else [status])


def _of_source(source: str) -> Q:
    """A kind of source stands before the colon of its name."""
    return Q(source_kind=source) if source else Q()


def _of_age(age: str) -> Q:
    """Of every kind, by name: the index by kind and time is then a few ranges."""
    if not age:
        return Q()
    since = _since(Age(age))
    when = Q(last_supported_at__lt=since) if age == Age.OLDER else Q(last_supported_at__gte=since)
    return when & Q(kind__in=list(Kind))


def _since(age: Age) -> datetime:
    return clock.now() - timedelta(days=_DAYS[age])


def _bands(thresholds: Thresholds) -> Mapping[Sureness, Band]:
    return {
        Sureness.FAINT: Band(0, thresholds.recall_floor),
        Sureness.TENTATIVE: Band(thresholds.recall_floor, thresholds.hedge_below),
        Sureness.FIRM: Band(thresholds.hedge_below, math.inf),
    }


def _within(band: Band) -> Q:
    return Q(worth__gte=band.least, worth__lt=band.below)
