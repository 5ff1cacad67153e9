"""How far memory can be trusted: precision by a sample, its slices, calibration, and its course."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory.models import Sample
from memory.review import choosing, reports, sentences, slicing
from memory.review.reports import Result
from reviewer import naming
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, staff_page
from reviewer.views.reports import frame

OPEN_FOR = timedelta(minutes=10)
"""How old the report on a sample that is still being labelled grows."""


class Multiple(NamedTuple):
    """One of many small charts with its table."""

    dimension: str
    title: str
    picture: str
    described: str
    rows: Sequence[tuple[str, Mapping[str, Any]]]
    of: int
    """How many rows there are; those that are not shown are in the file."""


@require_safe
@staff_page
def overview(request: HtmxRequest) -> HttpResponse:
    """By the random sample closed last, or by the one asked for."""
    number = asking.number(request, "sample")
    sample = choosing.named(number) if number else choosing.newest()
    report = frame.stored(reports.PRECISION, str(sample.pk), since=_since(sample)) if sample else None
    course = frame.stored(reports.COURSE)
    numbers, samples = report.numbers if report else None, choosing.recent()
    context = {
        "sample": sample,
        "samples": samples,
        "points": _points(course, {each.pk: each.name for each in samples}),
        "course": course,
        "sentence": sentences.first(numbers) if numbers else sentences.without_sample(),
        "unknown": sentences.unknown(numbers) if numbers else "",
        "drift": sentences.drift(course.numbers) if course.numbers else "",
        **(_parts(report, numbers) if report and numbers else {}),
    }
    beside = [course] if report else []
    return frame.show(request, "reports/page.html", report or course, context | {"precision": report}, *beside)


def _points(course: Result, names: Mapping[int, str]) -> list[tuple[str, Mapping[str, Any]]]:
    """The samples of the course with their names, as far as they are at hand."""
    points = (course.numbers or {"samples": []})["samples"]
    return [(names.get(each["id"], ""), each) for each in points]


def _since(sample: Sample) -> datetime | None:
    """From when on the report must be on a sample that is being labelled; a closed one changes no more."""
    return None if sample.closed_at else timezone.now() - OPEN_FOR


def _parts(report: Result, numbers: Mapping[str, Any]) -> dict[str, Any]:
    """What the report's sections list."""
    counts = numbers["counts"]
    return {
        "both": [(_("True now"), numbers["current"]), (_("True once"), numbers["factual"])],
        "answers": [(code, counts[code]) for code in naming.FATES if counts[code]],
        "multiples": _multiples(report, numbers),
        "alike": [
            (naming.DIMENSIONS[dimension], naming.slice_(slices[0]["name"], dimension))
            for dimension, slices in _ordered(numbers)
            if len(slices) == 1
        ],
        "bands": [(_band(band), band["slice"]) for band in numbers["calibration"]["bands"]],
    }


def _band(band: Mapping[str, Any]) -> str:
    return f"{sentences.percent(band['low']).removesuffix(' %')}–{sentences.percent(band['high'])}"


def _multiples(report: Result, numbers: Mapping[str, Any]) -> list[Multiple]:
    return [
        Multiple(
            dimension,
            str(naming.DIMENSIONS.get(dimension, dimension)),
            f"by-{dimension}",
            report.pictures.get(f"by-{dimension}", ""),
            [(naming.slice_(each["name"], dimension), each["current"]) for each in slicing.shown(dimension, slices)],
            len(slices),
        )
        for dimension, slices in _ordered(numbers)
        if len(slices) > 1
    ]


def _ordered(numbers: Mapping[str, Any]) -> Iterator[tuple[str, Sequence[Mapping[str, Any]]]]:
    """The dimensions as pages name them: a stored result keeps no order."""
    for dimension in naming.DIMENSIONS:
        yield dimension, numbers["slices"].get(dimension, ())
