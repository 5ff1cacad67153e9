"""Finding what a sentence says about time, by the word lists of its language."""

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from memory.extraction import spans
from memory.extraction.spans import Span

_DATA = Path(__file__).parent / "data" / "anchors.toml"
_YEAR = r"(?:19|20)\d\d"
_FIRST, _LAST = 1900, 2100


class Relation(StrEnum):
    AT = "at"
    SINCE = "since"
    UNTIL = "until"
    FOR = "for"


type Resolve = Callable[[date, bool], Span | None]
"""The span an expression means, from today, leaning back or forward."""


@dataclass(frozen=True, slots=True)
class Mention:
    """An expression of time in a sentence: where it stands with the words that go with it, and what it means."""

    start: int
    end: int
    relation: Relation
    resolve: Resolve
    is_relative: bool = False
    """Whether the words mean nothing without the day on which they were said."""

    def span(self, today: date, *, leans_back: bool) -> Span | None:
        """None for a day that does not exist, or lies out of all reason."""
        try:
            return self.resolve(today, leans_back)
        except (ValueError, OverflowError):
            return None


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    resolver: Callable[[re.Match[str], "_Words"], Resolve]
    relation: Relation | None = None
    is_relative: bool = False
    after: re.Pattern[str] | None = None
    """What must stand before the expression for it to be one."""


@dataclass(frozen=True, slots=True)
class _Words:
    rules: tuple[_Rule, ...]
    before: tuple[tuple[Relation, re.Pattern[str]], ...]
    after: tuple[tuple[Relation, re.Pattern[str]], ...]
    at: re.Pattern[str] | None
    numbers: dict[str, int]
    units: tuple[tuple[str, re.Pattern[str]], ...]
    months: tuple[re.Pattern[str], ...]
    weekdays: tuple[re.Pattern[str], ...]


def languages() -> tuple[str, ...]:
    """Those with word lists."""
    return tuple(name for name, value in _data().items() if isinstance(value, dict))


def find(sentence: str, language: str) -> list[Mention]:
    """The mentions in `sentence`, in order and apart from each other; the longer of two at one place."""
    words = _words(language if language in languages() else "en")
    plain = sentence.translate({0x2019: "'"})
    found: list[Mention] = []
    for rule in words.rules:
        for match in rule.pattern.finditer(plain):
            is_free = not any(m.start < match.end() and match.start() < m.end for m in found)
            if is_free and (rule.after is None or rule.after.search(plain[: match.start()])):
                found.append(_mention(plain, match, rule, words))
    return sorted(found, key=lambda mention: mention.start)


def _mention(sentence: str, match: re.Match[str], rule: _Rule, words: _Words) -> Mention:
    start, end, relation = match.start(), match.end(), rule.relation
    for candidate, pattern in words.before:
        word = pattern.search(sentence[:start])
        if word and relation is None:
            start, relation = word.start(), candidate
    for candidate, pattern in words.after:
        word = pattern.match(sentence, end)
        if word and relation is None:
            end, relation = word.end(), candidate
    word = words.at.search(sentence[:start]) if words.at else None
    return Mention(
        start=word.start() if word and relation is None else start,
        end=end,
        relation=relation or Relation.AT,
        resolve=rule.resolver(match, words),
        is_relative=rule.is_relative,
    )


# What expressions mean ----------------------------------------------------------------------


def _fixed(unit: str, count: int) -> Callable[[re.Match[str], _Words], Resolve]:
    return lambda _match, _words: lambda today, _back: spans.shifted(unit, count, today)


def _counted(sign: int) -> Callable[[re.Match[str], _Words], Resolve]:
    """So many units before or after now; precise to that unit."""

    def resolver(match: re.Match[str], words: _Words) -> Resolve:
        unit, count = _unit(match["unit"], words), _number(match["n"], words)
        return lambda today, _back: spans.shifted(unit, sign * count, today)

    return resolver


def _lasting(match: re.Match[str], words: _Words) -> Resolve:
    unit, count = _unit(match["unit"], words), _number(match["n"], words)
    return lambda today, _back: spans.lasting(unit, count, today)


def _iso(match: re.Match[str], _words: _Words) -> Resolve:
    return lambda _today, _back: spans.day(date.fromisoformat(match[0]))


def _dotted(match: re.Match[str], _words: _Words) -> Resolve:
    return lambda _today, _back: spans.day(date(int(match["y"]), int(match["m"]), int(match["d"])))


def _of_month(match: re.Match[str], words: _Words) -> Resolve:
    """A month, a day of a month, with or without the year."""
    parts = match.groupdict()
    number, is_last = _place(parts["month"], words.months) + 1, bool(parts.get("last"))
    at, given = int(parts.get("d") or 0), int(parts.get("y") or 0)

    def resolve(today: date, back: bool) -> Span:  # noqa: FBT001 - the shape of all resolvers
        year = given or _year_of(number, at, today, back=back or is_last)
        return spans.day(date(year, number, at)) if at else spans.month(year, number)

    return resolve


def _year_of(number: int, at: int, today: date, *, back: bool) -> int:
    """The year in which the month or day without a year is the last one, or the next."""
    is_ahead = (number, at or today.day) > (today.month, today.day)
    is_behind = (number, at or today.day) < (today.month, today.day)
    return today.year - (back and is_ahead) + (not back and is_behind)


def _weekday(match: re.Match[str], words: _Words) -> Resolve:
    number = _place(match["weekday"], words.weekdays)
    is_last = bool(match.groupdict().get("last"))

    def resolve(today: date, back: bool) -> Span:  # noqa: FBT001 - the shape of all resolvers
        if is_last or back:
            return spans.day(today - timedelta(days=(today.weekday() - number - 1) % 7 + 1))
        return spans.day(today + timedelta(days=(number - today.weekday() - 1) % 7 + 1))

    return resolve


def _bare_year(match: re.Match[str], _words: _Words) -> Resolve:
    return lambda _today, _back: spans.year(int(match["y"]))


def _years(match: re.Match[str], _words: _Words) -> Resolve:
    first, last = int(match["y"]), int(match["y2"])
    return lambda _today, _back: (
        Span(date(first, 1, 1), date(last, 12, 31), f"{first}/{last}") if first < last else None
    )


def _habit(_match: re.Match[str], _words: _Words) -> Resolve:
    """What comes again and again is no date."""
    return lambda _today, _back: None


def _unit(raw: str, words: _Words) -> str:
    return next(name for name, pattern in words.units if pattern.fullmatch(raw))


def _number(raw: str, words: _Words) -> int:
    return int(raw) if raw.isdigit() else words.numbers[" ".join(raw.lower().split())]


def _place(raw: str, names: tuple[re.Pattern[str], ...]) -> int:
    return next(place for place, pattern in enumerate(names) if pattern.fullmatch(raw))


# Building the rules -------------------------------------------------------------------------


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(_DATA.read_text(encoding="utf-8"))


@cache
def _words(language: str) -> _Words:
    data = _data()[language]
    return _Words(
        rules=tuple(_rules(data)),
        before=tuple(
            (relation, _before(data[name]))
            for relation, name in ((Relation.UNTIL, "until"), (Relation.SINCE, "since"), (Relation.FOR, "lasting"))
            if data[name]
        ),
        after=tuple(
            (relation, _compiled(rf"\s+(?:{data[name]})(?!\w)"))
            for relation, name in ((Relation.UNTIL, "until_after"), (Relation.SINCE, "since_after"))
            if data[name]
        ),
        at=_before(data["at"]) if data["at"] else None,
        numbers=data["numbers"],
        units=tuple((name, _compiled(pattern)) for name, pattern in data["units"].items()),
        months=tuple(map(_compiled, data["names"]["months"])),
        weekdays=tuple(map(_compiled, data["names"]["weekdays"])),
    )


def _before(words: str) -> re.Pattern[str]:
    return _compiled(rf"(?<![\w'])(?:{words})\s*(?<=[\s'])$")


def _rules(data: dict[str, Any]) -> Iterator[_Rule]:
    """Longer and surer expressions first, since the first to match a place has it."""
    n, unit, month, weekday = _parts(data)
    between = rf"\s*(?:(?:{data['of']})\s*)*" if data["of"] else r"\s*"
    of_year = rf"(?:{between}(?P<y>{_YEAR})(?!\d))"
    yield _Rule(_compiled(rf"(?<![\d-]){_YEAR}-\d\d-\d\d(?![\d-])"), _iso)
    yield _Rule(_compiled(rf"(?<![\d.])(?P<d>\d\d?)\.\s?(?P<m>\d\d?)\.\s?(?P<y>{_YEAR})(?!\d)"), _dotted)
    yield _Rule(_compiled(rf"(?<!\d)(?P<d>\d\d?)(?:st|nd|rd|th|\.|er|º)?{between}{month}{of_year}?"), _of_month)
    yield _Rule(_compiled(rf"(?<!\w){month}\s+(?P<d>\d\d?)(?:st|nd|rd|th)?(?![\w:%]){of_year}?"), _of_month)
    yield _Rule(_compiled(rf"(?<!\w){month}{of_year}"), _of_month)
    yield from _lengths(data, n, unit)
    yield from _fixed_rules(data)
    day = f"(?:{'|'.join(data['names']['weekdays'])})"
    yield _Rule(_compiled(rf"(?<!\w)(?:{data['habits'].replace('{day}', day)})(?!\w)"), _habit)
    if data["last"]:
        yield _Rule(_compiled(rf"(?<!\w)(?P<last>{data['last']})\s+{weekday}"), _weekday, is_relative=True)
        yield _Rule(_compiled(rf"(?<!\w)(?P<last>{data['last']})\s+{month}"), _of_month, is_relative=True)
    yield _Rule(_compiled(rf"(?<!\w)(?:(?:{data['next']})\s+)?{weekday}"), _weekday, is_relative=True)
    yield _Rule(_compiled(rf"(?<!\d)(?P<y>{_YEAR})\s?[-–—]\s?(?P<y2>{_YEAR})(?!\d)"), _years)
    year = rf"(?P<y>{_YEAR})(?:\s(?:году|года|год))?(?![\w%€$£-]|[.,:]\d)"
    yield _Rule(_compiled(year), _bare_year, after=_before(data["year_after"]))
    # A month alone needs a word before it, or "may" would be one.
    words = "|".join(filter(None, (data[name] for name in ("at", "since", "until", "next", "last", "lasting"))))
    yield _Rule(_compiled(rf"(?<!\w){month}"), _of_month, after=_before(words) if data["at"] else None)


def _parts(data: dict[str, Any]) -> tuple[str, str, str, str]:
    numbers = "|".join(sorted(data["numbers"], key=len, reverse=True))
    return (
        rf"(?P<n>\d{{1,3}}|{numbers})",
        rf"(?P<unit>{'|'.join(data['units'].values())})",
        rf"(?P<month>{'|'.join(data['names']['months'])})(?!\w)",
        rf"(?P<weekday>{'|'.join(data['names']['weekdays'])})(?!\w)",
    )


def _lengths(data: dict[str, Any], n: str, unit: str) -> Iterator[_Rule]:
    def filled(template: str) -> re.Pattern[str]:
        return _compiled(rf"(?<!\w)(?:{template.replace('{n}', n).replace('{unit}', unit)})(?!\w)")

    if data["lasted"]:
        after = _compiled(data["lasted_after"] + "$") if data["lasted_after"] else None
        yield _Rule(filled(data["lasted"]), _counted(-1), Relation.SINCE, is_relative=True, after=after)
    for template in data["ago"]:
        since = Relation.SINCE if re.match(data["since"] + "|уже|ça", template) else None
        yield _Rule(filled(template), _counted(-1), since, is_relative=True)
    for template in data["ahead"]:
        yield _Rule(filled(template), _counted(1), is_relative=True)
    if data["lasting"]:
        yield _Rule(filled(rf"(?:{data['lasting']}) {{n}} {{unit}}"), _lasting, Relation.FOR, is_relative=True)


def _fixed_rules(data: dict[str, Any]) -> Iterator[_Rule]:
    for meaning, words in sorted(data["fixed"].items(), key=lambda item: -len(item[1])):
        unit, _, count = meaning.partition(":")
        yield _Rule(_compiled(rf"(?<!\w)(?:{words})(?!\w)"), _fixed(unit, int(count)), is_relative=True)


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE)
