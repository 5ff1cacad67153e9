"""The report on reviewers."""

from datetime import timedelta
from typing import Any

import pytest

from memory import scope
from memory.models import Fact, Label, User
from memory.portability import reviewed
from memory.portability.numbers import Numbers
from memory.review import reviewing
from tests import factories, labelled
from tests.factories import WHEN
from tests.labelled import CANT_TELL, CORRECT, INCORRECT, STALE

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair() -> list[User]:
    return [factories.make_login("reviewer", name) for name in ("rita", "ravi")]


def report() -> dict[str, Any]:
    with scope.staff():
        return reviewing.report()


def test_agreement_is_over_what_several_labelled(pair: list[User]):
    sample = labelled.make_sample()
    labelled.add_items(sample, *[(CORRECT, CORRECT)] * 27, *[(CORRECT, INCORRECT)] * 3, CORRECT, by=pair)

    found = report()["agreement"]

    assert (found["shared"], found["raw"], round(found["alpha"], 2), round(found["ac1"], 2)) == (30, 0.9, -0.04, 0.89)
    assert found["table"] == [
        {"one": "correct", "other": "correct", "count": 27},
        {"one": "correct", "other": "incorrect", "count": 3},
    ]


def test_disagreements_are_those_that_nobody_has_decided(pair: list[User]):
    third = factories.make_login("admin")
    sample = labelled.make_sample()
    labelled.add_items(sample, (CORRECT, CORRECT), (CORRECT, CANT_TELL), (CORRECT, STALE, STALE), by=[*pair, third])
    (open_one,) = labelled.add_items(sample, (STALE, INCORRECT), by=pair)

    found = report()

    assert (found["disputed"], found["disagreements"]) == (1, [open_one.pk])


def test_reviewers_are_told_by_pace_agreement_and_gold(pair: list[User]):
    sample = labelled.make_sample()
    labelled.add_items(sample, *[(CORRECT, CORRECT)] * 8, (CORRECT, CANT_TELL), by=pair)
    labelled.add_items(sample, *[CORRECT] * 9, INCORRECT, by=pair[:1], gold="correct")
    with scope.staff():
        Label.objects.filter(reviewer=pair[1]).update(seconds=12.0)

    rita, ravi = report()["reviewers"]

    assert (rita["reviewer"], rita["labels"], rita["cant_tell"], rita["seconds"]) == (pair[0].pk, 19, 0, 6.0)
    assert (rita["gold"]["rate"], rita["gold"]["judged"], rita["shared"]["right"]) == (0.9, 10, 8)
    assert (ravi["labels"], ravi["cant_tell"], ravi["seconds"], ravi["gold"]["judged"]) == (9, 1, 12.0, 0)


def test_labels_taken_back_are_counted_apart(pair: list[User]):
    labelled.add_items(labelled.make_sample(), (CORRECT, INCORRECT), by=pair)
    with scope.staff():
        Label.objects.filter(reviewer=pair[1]).update(undone_at=WHEN)

    found = report()

    assert found["agreement"]["shared"] == 0
    assert [(each["labels"], each["undone"]) for each in found["reviewers"]] == [(1, 0), (0, 1)]


def test_pace_is_told_by_week(pair: list[User]):
    sample = labelled.make_sample()
    labelled.add_items(sample, CORRECT, CORRECT, by=pair)
    labelled.add_items(sample, CORRECT, by=pair, at=WHEN + timedelta(days=7))

    assert report()["weeks"] == [{"week": "2026-03-09", "count": 2}, {"week": "2026-03-16", "count": 1}]


def test_labels_brought_along_by_a_restore_say_nothing_of_reviewers(pair: list[User], maya: User):
    numbers = Numbers()
    factories.make_fact(maya, id=numbers.of_link(Fact, 1))
    row = {"subject": "facts", "fact": 1, "at": WHEN.isoformat()}
    row |= dict.fromkeys(("candidate", "ruling", "remark", "as_of", "undone_at"))
    labelled.add_items(labelled.make_sample(), (CORRECT, CORRECT), by=pair)
    before = report()

    with scope.staff():
        count = reviewed.restore([row | {"verdict": verdict} for verdict in (CORRECT, INCORRECT)], maya, numbers)

    assert (count, report()) == (2, before)


def test_nobody_has_no_agreement():
    found = report()

    assert (found["agreement"]["shared"], found["agreement"]["raw"], found["reviewers"]) == (0, None, [])
