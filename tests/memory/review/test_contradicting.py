"""The report on contradictions."""

from datetime import timedelta
from typing import Any

import pytest

from memory import scope
from memory.models import Conflict, JudgedPair
from memory.review import contradicting
from tests import factories, labelled
from tests.factories import WHEN
from tests.labelled import CORRECT, INCORRECT

pytestmark = pytest.mark.django_db


def report() -> dict[str, Any]:
    with scope.staff():
        return contradicting.report()


def conflict(winner: str = "", *, days: float = 2, by: str = "reviewer", opened: Any = WHEN) -> Conflict:
    """A question between an older, a middle and a newer fact, settled after some days for one of them."""
    user = factories.make_user()
    sides = {
        name: factories.make_fact(user, name, first_said_at=WHEN - timedelta(days=ago), predicate=name)
        for name, ago in (("older", 9), ("between", 5), ("newer", 1))
    }
    settled = {"settled_by": by, "settled_at": opened + timedelta(days=days), "winner": sides.get(winner)}
    return factories.make_conflict(user, *sides.values(), opened_at=opened, **(settled if winner else {}))


def test_audited_resolutions_are_told_by_relation():
    sample = labelled.make_sample(subject="resolutions", size=20, strata={"": [5000, 20]})
    labelled.add_items(sample, *[CORRECT] * 9, INCORRECT, outcome="update")
    labelled.add_items(sample, *[CORRECT] * 5, *[INCORRECT] * 2, outcome="refinement")

    audit = report()["audit"]

    told = [(each["name"], each["right"], each["wrong"], each["rate"]) for each in audit["relations"]]
    assert told == [("update", 9, 1, 0.9), ("refinement", 5, 2, None)]
    assert (audit["sample"], audit["all"]["right"], audit["all"]["judged"]) == (sample.pk, 14, 17)


def test_without_an_audit_there_is_none():
    labelled.closed_sample(CORRECT)

    assert report()["audit"] is None


def test_settled_conflicts_tell_by_whom_and_how_long_it_took():
    for days in (1, 2, 9):
        conflict("newer", days=days)
    conflict("older", by="user", days=0.5)
    conflict()

    found = report()

    assert (found["opened"], found["open"]) == (5, 1)
    assert [(each["by"], each["count"], each["half"]) for each in found["settled"]] == [
        ("reviewer", 3, 2.0),
        ("user", 1, 0.5),
    ]
    assert found["settled"][0]["most"] == pytest.approx(7.6)


def test_winner_is_told_by_when_each_side_was_said():
    for winner in ("newer", "newer", "older", "between", "neither"):
        conflict(winner)

    assert report()["won"] == {"newer": 2, "older": 1, "between": 1, "neither": 1}


def test_months_tell_what_was_opened_and_settled():
    conflict("newer", days=30)
    conflict()

    assert report()["months"] == [
        {"month": "2026-03", "opened": 2, "settled": 0},
        {"month": "2026-04", "opened": 0, "settled": 1},
    ]


def test_decisions_that_people_came_upon_are_counted_apart():
    user = factories.make_user()
    claims = [factories.make_refusal(user, f"Maybe {n}.", place=n) for n in range(4)]
    answers = [("update", "update"), ("update", "conflict"), ("", "duplicate")]
    with scope.user(user.pk):
        for claim, (was, answer) in zip(claims[1:], answers, strict=True):
            by = "reviewer" if was else ""
            JudgedPair.objects.create(user=user, known=claims[0], new=claim, was=was, answer=answer, by=by)

    assert report()["spotted"] == [{"name": "update", "right": 1, "wrong": 1}]


def test_nothing_at_all_is_told_in_noughts():
    assert report() == {
        "bar": 0.9,
        "audit": None,
        "spotted": [],
        "opened": 0,
        "open": 0,
        "settled": [],
        "won": {"newer": 0, "older": 0, "between": 0, "neither": 0},
        "months": [],
    }
