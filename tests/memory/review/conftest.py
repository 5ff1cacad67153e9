"""Reviewers, and samples of facts that the engine itself believes, so that rulings fold."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from memory import scope
from memory.models import Handout, Label, Sample, SampleItem, User
from memory.review import handing, labelling, sampling
from memory.review.labelling import Answer, Recorded
from memory.review.sampling import Plan
from memory.types import LabelVerdict
from tests import factories


@pytest.fixture
def maya() -> User:
    return factories.make_user("maya")


@pytest.fixture
def rita() -> User:
    return factories.make_login("reviewer", "rita")


@pytest.fixture
def otto() -> User:
    return factories.make_login("reviewer", "otto")


@pytest.fixture
def draw(maya: User) -> Callable[..., Sample]:
    """`draw(3, overlap=1)`: a sample of three facts, each on a key of its own."""

    def make(count: int = 1, **plan: Any) -> Sample:
        for n in range(count):
            factories.make_believed(maya, f"Collects stamps of kind {n}", "collects", f"stamps {n}")
        return sampling.draw(Plan("Weekly", count, **plan), by=None)

    return make


def take(sample: Sample, reviewer: User) -> Handout:
    found = next_of(sample, reviewer)
    assert found is not None
    return found


def next_of(sample: Sample, reviewer: User) -> Handout | None:
    with scope.staff():
        return handing.take(Sample.objects.get(pk=sample.pk), reviewer.pk)


def say(item: int, by: User, verdict: str = "correct", **answer: Any) -> Recorded:
    return send(item, Answer(LabelVerdict(verdict), **{"key": uuid4(), **answer}), by=by)


def send(item: int, answer: Answer, *, by: User) -> Recorded:
    with scope.staff():
        sample = SampleItem.objects.get(pk=item).sample_id
        return labelling.record(item, answer, by=by, within=sample)


def undo(label: int, *, by: User) -> Label:
    with scope.staff():
        sample = Label.objects.get(pk=label).item.sample_id
        return labelling.undo(label, by=by, within=sample)


def lapse(handout: Handout) -> None:
    """Its lease ran out long ago."""
    with scope.staff():
        Handout.objects.filter(pk=handout.pk).update(leased_until=factories.WHEN)
