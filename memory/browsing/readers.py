"""Who looked at a memory: staff on pages, agents in recalls and decisions."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from itertools import groupby
from typing import Any

from django.db import models
from django.db.models import CharField, Count, F, Max, QuerySet, Value
from django.db.models.functions import Cast, TruncDate
from django.utils import timezone

from memory import scope
from memory.browsing.paging import Cursor, Order, Page, turn
from memory.models import Access, ApiKey, Decided, Recalled, StaffRead, User

ORDER = Order(("-id",))
SPAN = timedelta(days=30)
AT_ONCE = 200
"""Looks on a page of the log, before those that are alike are told as one."""
_BY_KEY = "key "


class How(StrEnum):
    """By which way a memory was looked at."""

    PAGE = "page"
    RECALL = "recall"
    DECISION = "decision"


@dataclass(frozen=True, slots=True)
class Look:
    """One reader on one day by one way: `page` names the route, "" for agents.

    `who` tells readers apart; `name` is the reader's, or the key's; "" when there is no such login, key or name any more.
    """

    who: str
    how: How
    page: str
    name: str
    access: Access | None
    times: int
    last: datetime


@dataclass(frozen=True, slots=True)
class Reader:
    """All looks of one reader on one day by one way, over all pages; the latest first."""

    looks: tuple[Look, ...]

    @property
    def last_look(self) -> Look:
        return self.looks[0]

    @property
    def times(self) -> int:
        return sum(look.times for look in self.looks)


@dataclass(frozen=True, slots=True)
class Day:
    """All looks of one day, the latest first."""

    day: date
    looks: tuple[Look, ...]

    @property
    def readers(self) -> list[Reader]:
        """By who looked and how, whoever looked last first."""
        found: dict[tuple[str, How], list[Look]] = {}
        for look in self.looks:
            found.setdefault((look.who, look.how), []).append(look)
        return [Reader(tuple(looks)) for looks in found.values()]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a member of staff saw on a page on one day: the last look, and whom how often, whoever was last first."""

    row: StaffRead
    persons: Sequence[tuple[User, int]]


@dataclass(frozen=True, slots=True)
class Days:
    """The days on which anybody looked, the latest first; `before` is the cursor of the older ones, None at the end."""

    rows: Sequence[Day]
    before: date | None


def readers(user_id: int, before: date | None = None) -> Days:
    """Who looked at this user's memory in the 30 days that end with the last look before the day `before`.

    Days are those of the current time zone. Opens its own scope, so call it outside of one: the rows are read in
    the user's, the names of readers and keys, which are not the user's to see in the tables, as the login.
    """
    with scope.user(user_id):
        last = _last(user_id, _midnight(before) if before else None)
        if last is None:
            return Days([], None)
        first = _midnight(timezone.localdate(last) - SPAN + timedelta(days=1))
        found = _counted(user_id, first, last)
        is_end = _last(user_id, first) is None
    return Days(_days(found), None if is_end else timezone.localdate(first))


def reads(cursor: Cursor, *, reader: str = "", person: str = "", page: str = "") -> Page[Seen]:
    """The log of staff's looks, the latest first, narrowed by external ids and the name of a page.

    Looks of one of them at one page on one day are told as one; at a page's edge that may be told in two.
    """
    within = StaffRead.objects.select_related("reader", "user").fetch_mode(models.FETCH_RAISE)
    rows = narrowed(within, reader=reader, person=person, page=page)
    return turn(rows, ORDER, cursor, within=within, size=AT_ONCE).of(_collapsed)


def _collapsed(rows: Sequence[StaffRead]) -> list[Seen]:
    alike: dict[Any, list[StaffRead]] = {}
    for row in rows:
        alike.setdefault((timezone.localdate(row.at), row.reader_id, row.page), []).append(row)
    return [Seen(found[0], list(Counter(row.user for row in found).items())) for found in alike.values()]


def narrowed(rows: QuerySet[StaffRead], *, reader: str, person: str, page: str) -> QuerySet[StaffRead]:
    wanted = {"reader__external_id": reader, "user__external_id": person, "page": page}
    return rows.filter(**{name: value for name, value in wanted.items() if value})


def _last(user_id: int, until: datetime | None) -> datetime | None:
    """The time of the last look, of those before `until`."""
    times = [
        rows.filter(user=user_id, **({"at__lt": until} if until else {})).aggregate(last=Max("at"))["last"]
        for rows in (StaffRead.objects, Recalled.objects, Decided.objects)
    ]
    return max(filter(None, times), default=None)


def _counted(user_id: int, first: datetime, last: datetime) -> list[dict[str, Any]]:
    within = {"user": user_id, "at__gte": first, "at__lte": last}
    who = Cast("reader_id", CharField())
    staff = _grouped(StaffRead.objects.filter(**within), How.PAGE, who=who, what=F("page"))
    recalls = _grouped(Recalled.objects.filter(**within), How.RECALL, who=F("actor"), what=_nothing())
    decisions = _grouped(Decided.objects.filter(**within), How.DECISION, who=F("actor"), what=_nothing())
    return list(staff.union(recalls, decisions, all=True).order_by("-day", "-last"))


def _nothing() -> Value:
    return Value("", output_field=CharField())


def _grouped(rows: QuerySet[Any], how: How, *, who: Any, what: Any) -> QuerySet[Any, Any]:
    kind = Value(how.value, output_field=CharField())
    named: QuerySet[Any, Any] = rows.order_by().values(day=TruncDate("at"), how=kind, who=who, what=what)
    counted: QuerySet[Any, Any] = named.annotate(times=Count("id"), last=Max("at"))
    return counted


def _days(found: Iterable[dict[str, Any]]) -> list[Day]:
    rows = list(found)
    staff = _staff(row["who"] for row in rows if row["how"] == How.PAGE)
    keys = _keys(row["who"].removeprefix(_BY_KEY) for row in rows if row["how"] != How.PAGE)
    return [
        Day(day, tuple(_look(row, staff, keys) for row in each)) for day, each in groupby(rows, lambda row: row["day"])
    ]


def _look(row: Mapping[str, Any], staff: Mapping[str, User], keys: Mapping[str, str]) -> Look:
    how, times, last = How(row["how"]), row["times"], row["last"]
    if how == How.PAGE:
        reader = staff.get(row["who"] or "")
        return Look(
            row["who"] or "",
            how,
            row["what"],
            str(reader or ""),
            Access(reader.access) if reader else None,
            times,
            last,
        )
    return Look(row["who"], how, "", keys.get(row["who"].removeprefix(_BY_KEY), ""), None, times, last)


def _staff(ids: Iterable[str | None]) -> dict[str, User]:
    return {str(user.pk): user for user in User.objects.filter(pk__in={pk for pk in ids if pk})}


def _keys(prefixes: Iterable[str]) -> dict[str, str]:
    return dict(ApiKey.objects.filter(prefix__in=set(prefixes)).values_list("prefix", "name"))


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime(day.year, day.month, day.day))  # noqa: DTZ001 - made aware here
