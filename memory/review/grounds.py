"""What a report rests on that people change: once that is another, the report is old, whatever any clock says."""

from collections.abc import Callable, Mapping

from django.db.models import Count, Sum

from memory import policies
from memory.models import Sample
from memory.review import choosing, reports
from memory.types import SampleSubject


def of(kind: str, about: str = "") -> str:
    """Two that differ are of different reports; "" for what only time makes old. Inside the staff scope."""
    ground = GROUNDS.get(kind)
    return "" if ground is None else ground(about)


def _sample(about: str) -> str:
    sample = choosing.numbered(about)
    whole = "a part" if sample.is_narrowed else "the whole"
    return f"{_bar()}; look {sample.look} at {whole}, {'closed' if sample.closed_at else 'open'}"


def _closed(*subjects: SampleSubject) -> str:
    """Closing raises the sum; opening a sample again for another look lowers it, and closing that one raises it more."""
    closed = Sample.objects.closed().filter(subject__in=subjects)
    found = closed.aggregate(samples=Count("pk"), looks=Sum("look", default=0))
    return f"{found['samples']} closed, {found['looks']} looks"


def _bar() -> str:
    return f"bar {policies.current().thresholds.precision_bar}"


GROUNDS: Mapping[str, Callable[[str], str]] = {
    reports.PRECISION: _sample,
    reports.COURSE: lambda _about: f"{_bar()}; {_closed(SampleSubject.FACTS)}",
    reports.CONTRADICTIONS: lambda _about: f"{_bar()}; {_closed(SampleSubject.RESOLUTIONS)}",
    reports.REVIEWERS: lambda _about: _closed(*SampleSubject),
    reports.GATE: lambda _about: f"{_bar()}; {_closed(SampleSubject.REFUSALS)}",
    reports.CURVE: lambda _about: f"policy {policies.current().version}; {_closed(SampleSubject.FACTS)}",
}


def renew() -> None:
    """Puts down what a closed sample or another policy made old, and the report on the sample closed last, before anybody asks."""
    sample = choosing.newest()
    if sample is not None:
        reports.ask(reports.PRECISION, str(sample.pk), ground=of(reports.PRECISION, str(sample.pk)))
    for kind in reports.stored(GROUNDS.keys()):
        reports.ask(kind, ground=of(kind))
