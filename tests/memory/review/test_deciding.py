"""The report on whether memory changes anything."""

from datetime import UTC, datetime
from typing import Any

import pytest

from memory import forgetting, scope
from memory.models import Decided, Fact, Recalled, User
from memory.review import deciding
from tests import factories

pytestmark = pytest.mark.django_db

MONDAY, NEXT = datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 3, 9, tzinfo=UTC)


@pytest.fixture
def maya() -> User:
    return factories.make_user("maya")


def report() -> dict[str, Any]:
    with scope.staff():
        return deciding.report()


def decide(user: User, *because: Fact, dimension: str = "tone", value: str = "dry", at: datetime = MONDAY) -> None:
    with scope.user(user.pk):
        ids = [fact.pk for fact in because]
        Decided.objects.create(
            user=user, dimension=dimension, value=value, without="warm", because=ids, actor="x", at=at
        )


def test_nothing_at_all_is_told_in_noughts():
    assert report() == {
        "decisions": 0,
        "changed": 0,
        "recalls": 0,
        "dimensions": [],
        "weeks": [],
        "movers": [],
        "live": 0,
        "unused": 0,
        "unused_newest": [],
    }


def test_dimensions_tell_how_often_facts_changed_them(maya: User):
    fact = factories.make_fact(maya)
    for value in ("dry", "dry", "warm"):
        decide(maya, fact, value=value)
    decide(maya, dimension="length", value="warm")

    found = report()

    assert (found["decisions"], found["changed"]) == (4, 2)
    assert found["dimensions"] == [
        {"name": "tone", "count": 3, "changed": 2, "rate": pytest.approx(2 / 3)},
        {"name": "length", "count": 1, "changed": 0, "rate": 0.0},
    ]


def test_weeks_tell_decisions_and_changes(maya: User):
    fact = factories.make_fact(maya)
    decide(maya, fact)
    decide(maya, value="warm", at=NEXT)

    assert report()["weeks"] == [
        {"week": "2026-03-02", "count": 1, "changed": 1},
        {"week": "2026-03-09", "count": 1, "changed": 0},
    ]


def test_facts_are_ranked_by_the_decisions_they_changed(maya: User):
    often, seldom, beside = (factories.make_fact(maya) for _ in range(3))
    for _ in range(2):
        decide(maya, often)
    decide(maya, seldom)
    decide(maya, beside, value="warm")

    assert report()["movers"] == [{"fact": often.pk, "times": 2}, {"fact": seldom.pk, "times": 1}]


def test_erased_fact_keeps_the_decisions_it_changed(maya: User):
    fact = factories.make_fact(maya)
    decide(maya, fact)
    before = report()

    with scope.user(maya.pk):
        forgetting.erase(maya.pk, [fact.pk], actor="command line")

    after = report()
    assert (before["live"], after["live"]) == (1, 0)
    assert (after["changed"], after["dimensions"]) == (before["changed"], before["dimensions"])


def test_live_facts_that_reached_nobody_are_told_the_newest_first(maya: User):
    recalled, deciding_one, first, last = (factories.make_fact(maya) for _ in range(4))
    factories.make_fact(maya, status="retracted")
    with scope.user(maya.pk):
        Recalled.objects.create(user=maya, facts=[recalled.pk], actor="x")
    decide(maya, deciding_one, value="warm")

    found = report()

    assert (found["live"], found["unused"], found["unused_newest"]) == (4, 2, [last.pk, first.pk])
