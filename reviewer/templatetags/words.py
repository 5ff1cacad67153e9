"""Filters that put stored values into words. Content is never marked safe: Django escapes it."""

import unicodedata
from collections.abc import Mapping
from datetime import date
from typing import Any

from django import template
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from memory import dates
from memory.models import Fact, User
from memory.resolver.board import PUT_ASIDE
from memory.types import Status
from reviewer import wording

register = template.Library()

_DAY, _MONTH = 2, 1  # hyphens in a date at that precision
# Format characters that ordinary text needs: joiners in emoji and some scripts, the soft hyphen.
_HARMLESS = {"\u200c", "\u200d", "\u00ad"}
_SHOWN = {"\n", "\t", "\r"}


@register.filter
def shown(value: object) -> str:
    """Text with its invisible characters (bidi overrides, zero-width, controls) made visible by their code."""
    words = str(value)
    if all(line.isprintable() for line in words.split("\n")):  # nearly always, and a hundred times as quick to tell
        return words
    return "".join(f"⟨U+{ord(char):04X}⟩" if _is_hidden(char) else char for char in words)


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in {"Cc", "Cf"} and char not in _HARMLESS | _SHOWN


@register.filter
def predicate(name: str) -> str:
    """`lives_in` as people say it."""
    return shown(name.replace("_", " "))


@register.filter
def when(stored: str) -> str:
    """A date at its precision: "2026", "March 2026", "4 March 2026", "between … and …"."""
    if "/" in stored:
        first, last = dates.first_day(stored), dates.last_day(stored)
        begin = str(first.day) if (first.year, first.month) == (last.year, last.month) else _day(first)
        return _("between %(first)s and %(last)s") % {"first": begin, "last": _day(last)}
    if not dates.is_date(stored):
        return stored
    first = dates.first_day(stored)
    match stored.count("-"):
        case n if n == _DAY:
            return _day(first)
        case n if n == _MONTH:
            return date_format(first, "F Y")
    return stored


def _day(day: date) -> str:
    return date_format(day, "j F Y")


@register.filter
def beginning(stored: str) -> str:
    """The same after "since", "from" or "until": of a span of days, that it was one of them."""
    return _("some time %(span)s") % {"span": when(stored)} if "/" in stored else when(stored)


@register.filter
def put_aside(row: Fact) -> bool:
    """Whether another value was settled on: somebody said what is so instead, and not until when this was."""
    return row.status == Status.SUPERSEDED and row.status_reason.startswith(PUT_ASIDE)


@register.filter
def source(name: str) -> str:
    """Where a fact comes from, in words."""
    kind, _colon, of = name.partition(":")
    match kind:
        case "user":
            return _("said by the user")
        case "tool":
            return _("shown by the tool %(name)s") % {"name": shown(of)}
        case "imported":
            return _("imported from %(name)s") % {"name": shown(of)}
        case "inferred":
            return _("inferred, not said")
    return shown(name)


@register.filter
def speaker(role: str, person: User) -> str:
    """Whose words: the person by name, others by role."""
    return shown(str(person)) if role == "user" else str(wording.ROLES.get(role, role))


@register.filter
def percent(share: float) -> str:
    """0.824 as "82 %"."""
    return f"{share * 100:.0f}\u00a0%"


@register.filter
def word(code: Any, table: str) -> Any:
    """What a code is called: `"superseded"|word:"STATUSES"`."""
    return _words(code, table)[0]


@register.filter
def at(table: Mapping[Any, Any], key: Any) -> Any:
    """What a table holds under a key."""
    return table.get(key, "")


@register.filter
def meaning(code: Any, table: str) -> Any:
    """What a code means, in a sentence."""
    return _words(code, table)[1]


def _words(code: Any, table: str) -> tuple[Any, Any]:
    words = getattr(wording, table).get(code, code)
    return words if isinstance(words, tuple) else (words, "")


@register.simple_tag(takes_context=True)
def asking(context: template.Context, **changes: Any) -> str:
    """The page's query string with some of it changed, None for taken away; always from the first page."""
    query = context["request"].GET.copy()
    for name in ("after", "before", "last"):
        query.pop(name, None)
    for name, value in changes.items():
        query.pop(name, None)
        if value is not None:
            query[name] = value
    return "?" + query.urlencode() if query else "?"
