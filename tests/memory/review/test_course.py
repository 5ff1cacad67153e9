"""Precision from sample to sample; targeted review and members' corrections apart."""

from datetime import timedelta
from typing import Any

import pytest

from memory import scope
from memory.models import Correction
from memory.review import course
from tests import factories, labelled
from tests.factories import WHEN
from tests.labelled import CORRECT, INCORRECT, STALE

pytestmark = pytest.mark.django_db


def report() -> dict[str, Any]:
    with scope.staff():
        return course.report()


def test_samples_stand_in_order_of_time_with_limits():
    second = labelled.closed_sample(*[CORRECT] * 22, *[INCORRECT] * 8, closed_at=WHEN + timedelta(days=9))
    first = labelled.closed_sample(*[CORRECT] * 27, *[INCORRECT] * 3)

    found = report()

    assert [(each["id"], each["rate"]) for each in found["samples"]] == [(first.pk, 0.9), (second.pk, 22 / 30)]
    assert (found["centre"], round(found["change"], 2)) == (49 / 60, 0.18)
    assert [each["is_outside"] for each in found["samples"]] == [False, False]


def test_targeted_review_is_counted_apart():
    labelled.closed_sample(*[CORRECT] * 30)
    labelled.closed_sample(CORRECT, *[INCORRECT] * 5, STALE, is_random=False)

    found = report()

    assert found["targeted"] == {"correct": 1, "incorrect": 5, "stale": 1, "cant_tell": 0, "samples": 1}
    assert len(found["samples"]) == 1


def test_members_corrections_are_counted_apart():
    user = factories.make_user()
    facts = [factories.make_fact(user, predicate=f"likes_{n}") for n in range(3)]
    with scope.user(user.pk):
        for fact, verdict, undone in zip(facts, (INCORRECT, STALE, INCORRECT), (None, None, WHEN), strict=True):
            Correction.objects.create(user=user, fact=fact, verdict=verdict, at=WHEN, undone_at=undone)

    assert report()["corrections"] == {"correct": 0, "incorrect": 1, "stale": 1, "cant_tell": 0}


def test_nothing_at_all_has_no_centre():
    found = report()

    assert (found["samples"], found["centre"], found["change"]) == ([], None, None)


def test_sample_of_which_nothing_was_judged_is_left_out():
    labelled.closed_sample("", "")

    assert report()["samples"] == []
