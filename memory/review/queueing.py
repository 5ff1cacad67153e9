"""What stands before a reviewer: the next item of a sample, and how far they are; and which samples wait for them."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q

from memory import prepared
from memory.errors import NotFound
from memory.models import Handout, Sample, SampleItem
from memory.review import asked, handing, labelling, progress
from memory.review.asked import Asked
from memory.review.progress import Progress

MOST_SAMPLES = 100

_SAMPLE = f"SELECT {prepared.columns(Sample, 'sample')} FROM memory_sample sample WHERE id = %(sample)s"  # noqa: S608
# Places have no gaps, so that the last is how many there are; what is left has an index of its own.
_COUNTS = """
    SELECT (SELECT coalesce(max(place), 0) FROM memory_sampleitem WHERE sample_id = %(sample)s), (
        SELECT count(*) FROM memory_sampleitem
        WHERE sample_id = %(sample)s AND lacking > 0 AND words_id IS NOT NULL AND user_id IS NOT NULL
    )
"""


@dataclass(frozen=True, slots=True)
class Station:
    """A reviewer's place in a sample. `asked` is None when there is nothing for them; `progress` says then why.

    `last` is their newest label that they can take back.
    """

    sample: Sample
    total: int
    done: int
    asked: Asked | None = None
    last: int | None = None
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """An open sample with what there is left in it."""

    sample: Sample
    progress: Progress


def station(sample_id: int, reviewer_id: int, *, last: int | None = None) -> Station:
    """Hands out the next item and shows it; inside the staff scope. Raises NotFound when it is others' to label.

    `last` is the label they gave just now, if they did.
    """
    sample = theirs(sample_id, reviewer_id)
    handout = handing.take(sample, reviewer_id)
    shown = asked.show(handout.item_id) if handout else None
    total, done = _counts(sample_id)
    last = last or labelling.last(sample_id, reviewer_id)
    parts = None if shown else progress.of([sample_id])[sample_id]
    return Station(sample, total, done, shown, last, parts)


def theirs(sample_id: int, reviewer_id: int) -> Sample:
    """The sample, if it is this reviewer's to label."""
    found = prepared.rows(_SAMPLE, {"sample": sample_id})
    sample = prepared.instance(Sample, found[0]) if found else None
    if sample is None or not handing.may_label(sample, reviewer_id):
        raise NotFound("There is no such sample.")
    return sample


def waiting(reviewer_id: int) -> list[Waiting]:
    """Open samples that are this reviewer's to label: those assigned to them first, then the oldest."""
    rows = [
        sample
        for sample in Sample.objects.open().order_by("created_at", "pk")[:MOST_SAMPLES]
        if handing.may_label(sample, reviewer_id)
    ]
    parts = progress.of([sample.pk for sample in rows])
    rows.sort(key=lambda sample: not sample.reviewers)
    return [Waiting(sample, parts[sample.pk]) for sample in rows]


def is_awaited(reviewer_id: int) -> bool:
    """Whether anything waits for this reviewer's answer; inside the staff scope."""
    theirs = Q(sample__reviewers=[]) | Q(sample__reviewers__contains=[reviewer_id])
    open_items = SampleItem.objects.filter(theirs, sample__closed_at=None, lacking__gt=0)
    answered = Handout.objects.filter(item=OuterRef("pk"), reviewer=reviewer_id, labelled_at__isnull=False)
    return open_items.exclude(Q(words=None) | Q(user=None)).filter(~Exists(answered)).exists()


def _counts(sample_id: int) -> tuple[int, int]:
    [[total, left]] = prepared.rows(_COUNTS, {"sample": sample_id})
    return total, total - left
