"""Filters of the reports' pages."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from memory.review import sentences
from reviewer import naming

register = template.Library()
_SECOND = 1000


@register.filter
def share(value: float | None) -> str:
    """.9333 as "93.3 %", and a dash where there is none."""
    return "–" if value is None else unbroken(sentences.percent(value))


@register.filter
def interval(shown: Mapping[str, float] | None) -> str:
    """An interval as "78.7–98.2 %"."""
    if shown is None:
        return "–"
    low, high = sentences.percent(shown["low"]), sentences.percent(shown["high"])
    return unbroken(low if low == high else f"{low.removesuffix(' %')}–{high}")


@register.filter
def unbroken(sentence: str) -> str:
    """A sentence in which no line ends between a number and its percent sign."""
    return sentence.replace(" %", "\u00a0%")


@register.filter
def measure(value: float | None) -> str:
    """A coefficient of agreement, or what it is when it is none."""
    return _("undefined") if value is None else f"{value:.2f}".replace("-", "−")


@register.filter
def days(value: float | None) -> str:
    """How long, from minutes to days."""
    if value is None:
        return "–"
    if value * 24 < 1:
        return _("%(n)s min") % {"n": f"{value * 1440:.0f}"}
    if value < 1:
        return _("%(n)s h") % {"n": f"{value * 24:.1f}"}
    return _("%(n)s days") % {"n": f"{value:.1f}"}


@register.filter
def named(code: str, table: str) -> Any:
    """What a code of a report is called: `"newer"|named:"WON"`."""
    words = getattr(naming, table).get(code, code)
    return words[0] if isinstance(words, tuple) else words


@register.filter
def meant(code: str, table: str) -> Any:
    """What it means."""
    return getattr(naming, table)[code][1]


@register.filter
def digits(number: Any) -> str:
    """A count with its digits in groups; a word as it stands."""
    text = str(number)
    return number_format(int(text), force_grouping=True) if text.isdecimal() else text


@register.filter
def counted(said: Mapping[str, Any]) -> str:
    """How many of how many that were judged were right."""
    return _("%(right)s of %(judged)s") % {"right": digits(said["right"]), "judged": digits(said["judged"])}


@register.filter
def of(part: int, whole: int) -> str:
    """A part of a whole as a share, and a dash where there is no whole."""
    return share(part / whole if whole else None)


@register.filter
def took(milliseconds: float | None) -> str:
    """How long a call took."""
    if milliseconds is None:
        return "–"
    is_short = milliseconds < _SECOND
    return (
        _("%(n)s ms") % {"n": f"{milliseconds:.0f}"}
        if is_short
        else _("%(n)s s") % {"n": f"{milliseconds / _SECOND:.1f}"}
    )
