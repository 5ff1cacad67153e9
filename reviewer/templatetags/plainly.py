"""Filters for members' pages: what is stored, in plain words and by the reader's calendar and language."""

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import Any

from django import template
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from memory import dates
from memory.browsing.readers import Look
from memory.forgetting.retiring import EXPIRED
from memory.models import Fact
from memory.models.facts import OVER_CEILING
from memory.resolver.decisions import ASKED
from memory.types import Basis, Status
from reviewer import plain
from reviewer.templatetags.words import put_aside, shown

register = template.Library()


@register.filter
def plainly(code: Any, table: str) -> Any:
    """What a code is called: `group|plainly:"GROUPS"`."""
    return getattr(plain, table).get(code, code)


@register.filter
def dated(stored: str) -> str:
    """A date at its precision, as the reader's language writes it."""
    if not stored or not dates.is_date(stored):
        return stored
    if "/" in stored:
        return _("between %(first)s and %(last)s") % _ends(stored)
    forms = ("Y", "YEAR_MONTH_FORMAT", "DATE_FORMAT")
    return date_format(dates.first_day(stored), forms[stored.count("-")])


@register.filter
def begun(stored: str) -> str:
    """Of a beginning known no nearer than to some days: that it lies between them, not that it lasted so long."""
    return _("since some time between %(first)s and %(last)s") % _ends(stored)


@register.filter
def ended(stored: str) -> str:
    """Of an end likewise; else the day, month or year until when it was so."""
    if "/" in stored:
        return _("until some time between %(first)s and %(last)s") % _ends(stored)
    return _("until %(day)s") % {"day": dated(stored)}


def _ends(stored: str) -> dict[str, str]:
    return {"first": _day(dates.first_day(stored)), "last": _day(dates.last_day(stored))}


def _day(day: date) -> str:
    return date_format(day, "DATE_FORMAT")


@register.filter
def origin(row: Fact) -> str:
    """How it came to be known: said, concluded, shown by a tool, or brought along."""
    kind, _colon, name = row.source.partition(":")
    if row.basis == Basis.INFERRED or kind == "inferred":
        return _("We concluded this")
    if kind == "tool":
        return _("Shown by %(name)s") % {"name": shown(name)}
    if kind == "imported":
        return _("From %(name)s") % {"name": shown(name)}
    return _("You said so")


@register.filter
def unused(row: Fact) -> str:
    """Why it is not used any more."""
    if row.status == Status.RETRACTED:
        return _("you asked to have it forgotten") if row.status_reason == ASKED else _("not true")
    if row.status == Status.LAPSED:
        why = {EXPIRED: _("over"), OVER_CEILING: _("made room for other things")}
        return why.get(row.status_reason, _("faded"))
    if put_aside(row):
        return _("something else was chosen")
    return _("something newer counts") if row.superseded_by_id else _("over")


@register.filter
def moved(changes: Iterable[tuple[str, str]]) -> list[Any]:
    """What it brought about, a sentence each."""
    told = _("This changed how you are answered: %(dimension)s, %(value)s.")
    return [
        plain.MOVED.get(change) or told % {"dimension": change[0].replace("_", " "), "value": change[1]}
        for change in changes
    ]


@register.filter
def places(looks: Iterable[Look]) -> str:
    """What of a memory was seen, each once, with how often."""
    found: Counter[str] = Counter()
    for look in looks:
        known = (words for names, words in plain.PLACES.items() if look.page.startswith(names))
        found[str(next(known, plain.PLACE))] += look.times
    return ", ".join(f"{place} ({times})" if times > 1 else place for place, times in found.items())


@register.filter
def about(row: Fact) -> str:
    """Whom or what it is about, where the sentence leaves that open."""
    is_told = row.entity.name.casefold() in row.text.casefold() and not row.entity.note
    return "" if row.entity.is_owner or is_told else shown(row.entity)
