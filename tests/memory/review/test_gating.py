"""The report on the gate."""

from datetime import UTC, datetime
from typing import Any

import pytest

from memory import scope
from memory.models import Candidate, Episode, Fact, User
from memory.review import gating
from tests import factories, labelled
from tests.labelled import CORRECT, INCORRECT

pytestmark = pytest.mark.django_db

MONDAY, NEXT = datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 3, 9, tzinfo=UTC)


@pytest.fixture
def maya() -> User:
    return factories.make_user("maya")


def report() -> dict[str, Any]:
    with scope.staff():
        return gating.report()


def date(model: Any, when: datetime, *ids: int) -> None:
    with scope.staff():
        model.objects.filter(**({"pk__in": ids} if ids else {})).update(created_at=when)


def test_nothing_at_all_is_told_in_noughts():
    assert report() == {
        "line": 0.2,
        "verdicts": {"accepted": 0, "refused": 0, "held": 0, "lapsed": 0},
        "reasons": [],
        "weeks": [],
        "audit": None,
        "promoted": [],
        "turns": 0,
        "facts": 0,
        "accepted_last": [],
        "refused_last": [],
    }


def test_weeks_are_those_in_which_the_gate_judged(maya: User):
    episode = factories.make_episode(maya, *["Hello."] * 10, read_turns=10)
    factories.make_fact(maya, episode=episode)
    first = factories.make_refusal(maya, episode=episode, place=2)
    second = factories.make_refusal(maya, reason="task", episode=episode, place=3, said_at=MONDAY)
    for model in (Candidate, Episode, Fact):
        date(model, MONDAY)
    date(Candidate, NEXT, first.pk, second.pk)

    found = report()

    assert found["weeks"] == [
        {
            "week": "2026-03-02",
            "accepted": 1,
            "refused": 0,
            "held": 0,
            "lapsed": 0,
            "turns": 10,
            "facts": 1,
            "rate": 0.1,
        },
        {
            "week": "2026-03-09",
            "accepted": 0,
            "refused": 2,
            "held": 0,
            "lapsed": 0,
            "turns": 0,
            "facts": 0,
            "rate": None,
        },
    ]
    assert found["reasons"] == [
        {"name": "hedged", "count": 1, "weeks": [0, 1]},
        {"name": "task", "count": 1, "weeks": [0, 1]},
    ]


def test_audited_refusals_tell_what_should_have_been_kept():
    sample = labelled.make_sample(subject="refusals", size=11, strata={"": [5000, 11]})
    labelled.add_items(sample, *[CORRECT] * 8, *[INCORRECT] * 2, outcome="hedged")
    labelled.add_items(sample, CORRECT, outcome="task")

    audit = report()["audit"]

    assert (audit["all"]["wrong"], audit["all"]["judged"]) == (2, 11)
    assert [(each["name"], each["right"], each["wrong"]) for each in audit["reasons"]] == [
        ("hedged", 8, 2),
        ("task", 1, 0),
    ]


def test_what_reviewers_took_in_is_counted_apart(maya: User):
    row = factories.make_refusal(maya)
    with scope.staff():
        Candidate.objects.filter(pk=row.pk).update(verdict="accepted", reason="", refused_for="hedged")

    found = report()

    assert (found["promoted"], found["reasons"]) == ([{"name": "hedged", "count": 1}], [])


def test_lists_side_by_side_are_ids_of_the_last_judged(maya: User):
    factories.make_fact(maya)
    refused = [factories.make_refusal(maya).pk for _ in range(gating.BESIDE + 1)]

    found = report()

    assert (len(found["accepted_last"]), found["refused_last"]) == (1, refused[:0:-1])
