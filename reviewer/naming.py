"""What the parts of a report are called."""

from collections.abc import Mapping

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.review import slicing
from reviewer import wording
from reviewer.templatetags import words
from reviewer.wording import Words

DIMENSIONS: dict[str, Words] = {
    "kind": gettext_lazy("By kind"),
    "source": gettext_lazy("By source"),
    "basis": gettext_lazy("Stated or inferred"),
    "age": gettext_lazy("By age when drawn"),
    "language": gettext_lazy("By language"),
    "predicate": gettext_lazy("By predicate"),
    "extractor": gettext_lazy("By extractor or model"),
    "prompt_version": gettext_lazy("By prompt version"),
    "policy_version": gettext_lazy("By policy version"),
    "month": gettext_lazy("By the month it was said"),
}

AGES: dict[str, Words] = {
    "week": gettext_lazy("Under a week"),
    "month": gettext_lazy("Under a month"),
    "quarter": gettext_lazy("Under 3 months"),
    "year": gettext_lazy("Under a year"),
    slicing.OLDER: gettext_lazy("A year or more"),
}

SOURCES: dict[str, Words] = {
    "user": gettext_lazy("The user"),
    "tool": gettext_lazy("A tool"),
    "imported": gettext_lazy("Imported"),
    "inferred": gettext_lazy("Inferred"),
}

BASES: dict[str, Words] = {"stated": gettext_lazy("Stated"), "inferred": gettext_lazy("Inferred")}

FATES: dict[str, tuple[Words, Words]] = {
    "correct": (gettext_lazy("Correct"), gettext_lazy("true now")),
    "stale": (gettext_lazy("Stale"), gettext_lazy("was true, is no longer")),
    "incorrect": (gettext_lazy("Incorrect"), gettext_lazy("never was true")),
    "cant_tell": (gettext_lazy("Can’t tell"), gettext_lazy("the conversation does not say")),
    "disputed": (gettext_lazy("Disputed"), gettext_lazy("as many say one thing as another")),
    "erased": (gettext_lazy("Erased"), gettext_lazy("before anybody labelled it")),
    "unanswered": (gettext_lazy("Not answered"), gettext_lazy("the sample was closed before")),
    "pending": (gettext_lazy("To be labelled"), gettext_lazy("the sample is open")),
}

WON: dict[str, Words] = {
    "newer": gettext_lazy("The side said last"),
    "older": gettext_lazy("The side said first"),
    "between": gettext_lazy("A side in between"),
    "neither": gettext_lazy("No one side: all or none of them"),
}

_TABLES: dict[str, Mapping[str, Words]] = {
    "kind": wording.KINDS,
    "source": SOURCES,
    "basis": BASES,
    "age": AGES,
    "language": dict(settings.LANGUAGES),
}


def slice_(name: str, dimension: str) -> str:
    """What a slice is called."""
    if name == slicing.UNKNOWN:
        return _("Not known")
    if name == slicing.OTHER:
        return _("Not in the vocabulary")
    if dimension == "predicate":
        return words.predicate(name)
    return str(_TABLES.get(dimension, {}).get(name, words.shown(name)))
