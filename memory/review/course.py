"""The course of precision from sample to sample; and, apart from it, what was not drawn at random."""

from dataclasses import asdict
from typing import Any

from django.db.models import Count

from memory import policies
from memory.models import Correction, Label, Sample
from memory.review import precision, statistics
from memory.review.statistics import Estimate, Reading
from memory.review.tallying import Truth
from memory.types import LabelVerdict, SampleSubject

MOST = 24
"""How many samples back the course goes."""


def report() -> dict[str, Any]:
    """Inside the staff scope."""
    told = [(sample, estimate) for sample, estimate in map(_estimated, _random()) if estimate.rate is not None]
    counts, effects = [(_right(each), each.judged) for _, each in told], [each.effect for _, each in told]
    chart = statistics.chart(counts, effects)
    points = [
        {"id": sample.pk, "closed_at": sample.closed_at.isoformat() if sample.closed_at else ""}
        | asdict(point)
        | {"rate": point.rate, "is_outside": point.is_outside}
        for (sample, _estimate), point in zip(told, chart.points, strict=True)
    ]
    return {
        "bar": policies.current().thresholds.precision_bar,
        "centre": chart.centre,
        "change": chart.change,
        "samples": points,
        "targeted": _targeted(),
        "corrections": _verdicts(Correction.objects.standing()),
    }


def _random() -> list[Sample]:
    """Those closed last of all there is, in order of time."""
    closed = Sample.objects.closed().whole().filter(subject=SampleSubject.FACTS)
    return list(closed.order_by("-closed_at", "-pk")[:MOST])[::-1]


def _estimated(sample: Sample) -> tuple[Sample, Estimate]:
    weighed = precision.weigh(sample)
    reading = Reading(
        bar=policies.current().thresholds.precision_bar,
        seed=abs(sample.seed),
        effect=precision.cluster(weighed)[0] or 1.0,
    )
    return sample, precision.assess(weighed, Truth.CURRENT, reading)


def _right(estimate: Estimate) -> int:
    """Of a stratified sample as many as its weighted share stands for."""
    return round((estimate.rate or 0) * estimate.judged)


def _targeted() -> dict[str, int]:
    samples = Sample.objects.filter(subject=SampleSubject.FACTS, is_random=False)
    labels = Label.objects.standing().filter(item__sample__in=samples, item__gold="")
    return _verdicts(labels) | {"samples": samples.count()}


def _verdicts(labels: Any) -> dict[str, int]:
    found = dict(labels.order_by().values_list("verdict").annotate(Count("id")))
    return {verdict.value: found.get(verdict, 0) for verdict in LabelVerdict}
