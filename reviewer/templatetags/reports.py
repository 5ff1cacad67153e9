"""Filters of the reports' pages."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext as _

from memory.review import sentences
from reviewer import naming

register = template.Library()


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
    """How long, from hours to days."""
    if value is None:
        return "–"
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
