"""Spans of days at a precision."""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from dateutil import easter  # type: ignore[import-untyped]

DECEMBER = 12


@dataclass(frozen=True, slots=True)
class Span:
    """From `first` to `last` day, written as exactly as it was said."""

    first: date
    last: date
    iso: str

    @property
    def start(self) -> str:
        """The beginning alone: the first day of a week, the year of a year."""
        return self.iso.partition("/")[0]

    @property
    def end(self) -> str:
        """The end alone."""
        return self.iso.rpartition("/")[2]


def day(at: date) -> Span:
    return Span(at, at, at.isoformat())


def days(first: date, last: date) -> Span:
    return Span(first, last, f"{first.isoformat()}/{last.isoformat()}")


def week(at: date) -> Span:
    """The ISO week around a day."""
    monday = at - timedelta(days=at.weekday())
    return days(monday, monday + timedelta(days=6))


def weekend(at: date) -> Span:
    """Saturday and Sunday of the ISO week around a day."""
    monday = at - timedelta(days=at.weekday())
    return days(monday + timedelta(days=5), monday + timedelta(days=6))


def month(year: int, number: int) -> Span:
    """A month by its number, which may run over: month 14 is February of the next year."""
    year, number = year + (number - 1) // DECEMBER, (number - 1) % DECEMBER + 1
    return Span(date(year, number, 1), date(year, number, monthrange(year, number)[1]), f"{year:04}-{number:02}")


def year(number: int) -> Span:
    return Span(date(number, 1, 1), date(number, DECEMBER, 31), f"{number:04}")


def shifted(unit: str, count: int, today: date) -> Span:
    """The day, week, month or year `count` units from now, or the feast of that name, `count` years on."""
    if unit == "day":
        return day(today + timedelta(days=count))
    if unit in ("week", "weekend"):
        at = today + timedelta(weeks=count)
        return week(at) if unit == "week" else weekend(at)
    if unit == "month":
        return month(today.year, today.month + count)
    return year(today.year + count) if unit == "year" else _feast(unit, today)


def lasting(unit: str, count: int, today: date) -> Span:
    """From today for so long."""
    if unit == "day":
        return days(today, today + timedelta(days=count))
    if unit == "week":
        return days(today, today + timedelta(weeks=count))
    months = month(today.year, today.month + count * (DECEMBER if unit == "year" else 1))
    return days(today, months.first.replace(day=min(today.day, months.last.day)))


def _feast(name: str, today: date) -> Span:
    """That of this year, or next year's once it is over."""
    this = _feast_of(name, today.year)
    return this if this.last >= today else _feast_of(name, today.year + 1)


def _feast_of(name: str, at: int) -> Span:
    is_orthodox, plain = name.startswith("orthodox_"), re.sub("^orthodox_", "", name)
    if plain == "christmas":
        return day(date(at, 1, 7) if is_orthodox else date(at, DECEMBER, 25))
    sunday = easter.easter(at, easter.EASTER_ORTHODOX if is_orthodox else easter.EASTER_WESTERN)
    if plain == "easter":
        return day(sunday)
    return days(sunday - timedelta(days=48 if is_orthodox else 46), sunday)
