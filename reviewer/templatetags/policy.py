"""Filters of the pages of the policy."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext as _

from reviewer import terms

register = template.Library()
valued = register.filter("valued", terms.valued)


@register.filter
def called(name: str) -> Any:
    """What a value of the policy is called, by its dotted name."""
    return terms.meant(name)[0]


@register.filter
def cardinality(code: str) -> Any:
    """How many values a predicate may have, in words."""
    return terms.CARDINALITIES[code]


@register.filter
def effect(name: str) -> Any:
    """What a kind of effect is called."""
    return terms.EFFECTS[name][0]


@register.filter
def effect_meant(name: str) -> Any:
    """What comes upon what."""
    return terms.EFFECTS[name][1]


@register.filter
def sides(predicted: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """What labels say of the policy in force, and of the proposed one."""
    return [(_("Now"), predicted["before"]), (_("Then"), predicted["after"])]


@register.filter
def plain(number: float) -> str:
    """A number as a form takes it, whatever the language."""
    return f"{number:g}"
