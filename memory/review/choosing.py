"""Which sample a report is about. Inside the staff scope, as all that reads samples."""

from memory.errors import NotFound
from memory.models import Sample
from memory.types import SampleSubject


def newest(subject: SampleSubject = SampleSubject.FACTS) -> Sample | None:
    """The random sample of all there is that was closed last: what a verdict rests on. One that was narrowed speaks for a part."""
    closed = Sample.objects.closed().whole().filter(subject=subject)
    return closed.order_by("-closed_at", "-pk").first()


def named(sample_id: int) -> Sample:
    """A sample of facts. Raises NotFound when there is none of this number."""
    sample = Sample.objects.filter(pk=sample_id).first()
    if sample is None:
        raise NotFound(f"There is no sample {sample_id}.")
    if sample.subject != SampleSubject.FACTS:
        raise NotFound(f"Sample {sample_id} is of {sample.subject}, not of facts: it says nothing of precision.")
    return sample


def numbered(about: str) -> Sample:
    """As `named`, from what a report is about."""
    if not about.isdecimal():
        raise NotFound(f"There is no sample {about}.")
    return named(int(about))


def recent(subject: SampleSubject = SampleSubject.FACTS, *, most: int = 30) -> list[Sample]:
    """Samples to choose from, those of today first."""
    return list(Sample.objects.filter(subject=subject).order_by("-created_at", "-pk")[:most])
