"""The report on what the model costs."""

from datetime import UTC, datetime
from typing import Any

import pytest

from memory import scope
from memory.models import Episode, User
from memory.review import costing
from tests import factories

pytestmark = pytest.mark.django_db

MONDAY, NEXT = datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 3, 9, tzinfo=UTC)


@pytest.fixture
def maya() -> User:
    return factories.make_user("maya")


def report() -> dict[str, Any]:
    with scope.staff():
        return costing.report()


def call(user: User, latency: int = 100, *, model: str = "m", prompt: str = "p-1", **fields: Any) -> None:
    values = {"tokens_in": 90, "tokens_out": 10, "at": MONDAY} | fields
    factories.make_call(user, model=model, prompt_version=prompt, latency_ms=latency, **values)


def test_without_calls_there_is_no_cost():
    found = report()

    assert (found["models"], found["weeks"], found["turns"]) == ([], [], 0)
    assert (found["all"]["calls"], found["all"]["tokens"], found["all"]["calls_per_1000"]) == (0, 0, None)


def test_models_and_prompt_versions_are_told_apart(maya: User):
    for prompt in ("p-1", "p-1", "p-2"):
        call(maya, prompt=prompt)
    call(maya, model="other", prompt="p-1")

    found = [(each["model"], each["prompt_version"], each["calls"]) for each in report()["models"]]

    assert found == [("m", "p-1", 2), ("m", "p-2", 1), ("other", "p-1", 1)]


def test_time_to_answer_is_of_those_that_answered(maya: User):
    for latency in range(1, 102):
        call(maya, latency)
    call(maya, 60_000, error="timed out")

    (found,) = report()["models"]

    assert (found["median"], found["p95"], found["calls"], found["failed"]) == (51, 96, 102, 1)


def test_model_that_never_answered_has_no_time(maya: User):
    call(maya, error="refused")

    assert report()["models"][0]["median"] is None


def test_calls_and_tokens_stand_against_a_thousand_turns(maya: User):
    factories.make_episode(maya, *["Hello."] * 40, read_turns=40)
    for _ in range(2):
        call(maya)

    found = report()["all"]

    assert (found["calls_per_1000"], found["tokens_per_1000"]) == (50.0, 5000.0)


def test_weeks_have_their_own_calls_and_turns(maya: User):
    episode = factories.make_episode(maya, *["Hello."] * 10, read_turns=10)
    with scope.staff():
        Episode.objects.filter(pk=episode.pk).update(created_at=MONDAY)
    call(maya)
    call(maya, at=NEXT, error="refused")

    found = report()["weeks"]

    assert [(each["week"], each["calls"], each["failed"], each["turns"]) for each in found] == [
        ("2026-03-02", 1, 0, 10),
        ("2026-03-09", 1, 1, 0),
    ]
    assert [each["calls_per_1000"] for each in found] == [100.0, None]
