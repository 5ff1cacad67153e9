"""Who somebody is: made, changed, and what no value can be."""

from typing import Any

import pytest

from memory import forgetting, scope
from memory.models import User
from tests import factories
from tests.reviewer.api.conftest import Agent

GIVEN = {"display_name": "Maya Okafor", "language": "de", "time_zone": "Europe/Berlin", "paused": True}


def told(answer: Any) -> dict[str, Any]:
    return {name: answer.body[name] for name in ("external_id", *GIVEN)}


def test_put_makes_and_then_changes(agent: Agent):
    made = agent("put", "maya", {"display_name": "Maya"})
    changed = agent("put", "maya", GIVEN)
    kept = agent("put", "maya", {})

    assert (made.status, changed.status, kept.status) == (201, 200, 200)
    assert told(kept) == {"external_id": "maya", **GIVEN}


def test_patch_changes_only_what_is_given(agent: Agent):
    agent("put", "maya", GIVEN)

    answer = agent("patch", "maya", {"paused": False})

    assert (answer.status, told(answer)) == (200, {"external_id": "maya", **GIVEN, "paused": False})


def test_patch_of_nobody_makes_nobody(agent: Agent):
    answer = agent("patch", "maya", GIVEN)

    assert (answer.status, User.objects.count()) == (404, 0)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"language": "xx"}, "language: must be the code of a language, such as en or pt-br."),
        ({"language": "e\x00n"}, "language: must be the code of a language, such as en or pt-br."),
        ({"time_zone": "Mars/Olympus"}, "time_zone: must be the name of a time zone, such as Europe/Berlin."),
        ({"time_zone": "../../etc/passwd"}, "time_zone: must be the name of a time zone, such as Europe/Berlin."),
        ({"paused": "yes"}, "paused: Input should be a valid boolean."),
        ({"paused": 1}, "paused: Input should be a valid boolean."),
        ({"display_name": "x" * 201}, "display_name: String should have at most 200 characters."),
        ({"display_name": 7}, "display_name: Input should be a valid string."),
        ({"access": "admin"}, "access: Extra inputs are not permitted."),
        ([], "body: must be an object."),
    ],
)
def test_value_that_cannot_be_is_refused_and_changes_nothing(body: Any, words: str, agent: Agent):
    agent("put", "maya", {})

    answer = agent("patch", "maya", body)

    assert (answer.status, answer.body["detail"]) == (422, words)


@pytest.mark.parametrize(("raw", "stored"), [("PT-BR", "pt-br"), ("ja", "ja"), ("EN", "en")])
def test_language_is_kept_in_lower_case(raw: str, stored: str, agent: Agent):
    assert agent("put", "maya", {"language": raw}).body["language"] == stored


def test_name_is_cleaned_like_all_text(agent: Agent):
    assert agent("put", "maya", {"display_name": " Ma\u202eya \n  O\x00. "}).body["display_name"] == "Maya O."


@pytest.mark.parametrize("name", ["%20maya", "a%09b", "x" * 201, "a%E2%80%8Bb"])
def test_external_id_that_cannot_be_one_is_refused(name: str, agent: Agent):
    answer = agent("put", name, {})

    assert (answer.status, answer.body["type"]) == (422, "urn:assay:problem:invalid")


@pytest.mark.parametrize(("method", "path"), [("put", "maya"), ("post", "maya/episodes")])
def test_forgotten_person_is_not_made_again(method: str, path: str, agent: Agent):
    agent("put", "maya", {})
    forgetting.depart(User.objects.get(), actor="test")
    body = {"external_id": "e", "turns": [{"role": "user", "content": "hi"}]} if method == "post" else {}

    answer = agent(method, path, body)

    with scope.staff():
        assert User.objects.count() == 0
    assert (answer.status, answer.body["type"]) == (410, "urn:assay:problem:forgotten")


def test_changed_language_stems_what_is_known_already(agent: Agent):
    maya = factories.make_user("maya")
    factories.make_believed(maya, "Wohnt in schönen Häusern", "lives_in", "Häuser")

    before = agent("post", "maya/recall", {"query": "Haus schön"}).body["facts"][0]["found_by"]
    agent("patch", "maya", {"language": "de"})
    after = agent("post", "maya/recall", {"query": "Haus schön"}).body["facts"][0]["found_by"]

    assert ("words" in before, "words" in after) == (False, True)
