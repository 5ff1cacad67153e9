"""What an agent reads before it answers."""

from typing import Any

import pytest
from django.utils import timezone

from memory import scope
from memory.models import Recalled, User
from memory.types import BLOCK_CLOSE, BLOCK_OPEN
from reviewer.api import asking
from tests import factories
from tests.reviewer.api.conftest import Agent
from tests.scripted_server import Answer, ScriptedServer

PATH = "maya/recall"


@pytest.fixture
def maya(db: None) -> User:
    return factories.make_user("maya")


def test_recall_brings_facts_with_their_sources_and_the_block(maya: User, agent: Agent):
    fact = factories.make_believed(maya)

    answer = agent("post", PATH, {"query": "Oslo"})

    (found,) = answer.body["facts"]
    lines = answer.body["block"].splitlines()
    assert (answer.status, found["id"], found["rank"], found["evidence"][0]["quote"]) == (
        200,
        fact.pk,
        1,
        "Lives in Oslo",
    )
    assert (lines[0], lines[-1], "Lives in Oslo" in lines[-2]) == (BLOCK_OPEN, BLOCK_CLOSE, True)


def test_recall_is_noted_under_the_key(maya: User, agent: Agent):
    fact = factories.make_believed(maya)

    agent("post", PATH, {"query": "Oslo"})

    with scope.user(maya.pk):
        noted = Recalled.objects.get()
    assert (noted.facts, noted.actor) == ([fact.pk], f"key {agent.token.split('_')[1]}")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "query: Field required."),
        ({"query": " "}, "query: must say something."),
        (
            {"query": "\x00\ud800"},
            "query: Input should be a valid string, unable to parse raw data as a unicode string.",
        ),
        ({"query": "\x00\u200b"}, "query: must say something."),
        ({"query": "x" * 2_001}, "query: String should have at most 2000 characters."),
        ({"query": 7}, "query: Input should be a valid string."),
        ({"query": {"$ne": ""}}, "query: Input should be a valid string."),
        ({"query": "x", "k": 0}, "k: Input should be greater than or equal to 1."),
        ({"query": "x", "k": 10**400}, "k: Input should be less than or equal to 50."),
        ({"query": "x", "k": "6"}, "k: Input should be a valid integer."),
        ({"query": "x", "k": 6.5}, "k: Input should be a valid integer."),
        ({"query": "x", "k": True}, "k: Input should be a valid integer."),
        ({"query": "x", "as_of": "0000"}, "'0000' is no date: write it like 2026, 2026-03 or 2026-03-04."),
        ({"query": "x", "as_of": "2026-02-30"}, "'2026-02-30' is no date: write it like 2026, 2026-03 or 2026-03-04."),
        ({"query": "x", "user": "jonas"}, "user: Extra inputs are not permitted."),
    ],
)
def test_recall_of_nonsense_says_what_is_wrong(body: Any, words: str, maya: User, agent: Agent):
    answer = agent("post", PATH, body)

    assert (answer.status, answer.body["detail"]) == (422, words)


@pytest.mark.parametrize(
    "query", ["'; DROP TABLE x; --", "%", "\\", "a & | !", "<->", "(((", "\u202eoslo", "オスロ", "🦊"]
)
def test_recall_of_odd_words_is_answered(query: str, maya: User, agent: Agent):
    assert agent("post", PATH, {"query": query, "as_of": "2026-03", "subject": query}).status == 200


def test_body_over_the_limit_is_refused(maya: User, agent: Agent):
    answer = agent("post", PATH, {"query": "x", "subject": "y" * 70_000})

    assert (answer.status, answer.body["detail"]) == (413, "The body is over the limit of 65536 bytes for this call.")


def test_answer_without_a_model_says_what_is_missing(maya: User, agent: Agent):
    answer = agent("post", "maya/answer", {"question": "Where does she live?"})

    assert (answer.status, answer.body["type"], answer.body["detail"]) == (
        503,
        "urn:assay:problem:no-model",
        "Answering needs a model: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own.",
    )


def test_answer_with_a_model_names_its_facts(maya: User, agent: Agent, monkeypatch: pytest.MonkeyPatch):
    fact = factories.make_believed(maya)
    replies = {"answer": {"answer": "In Oslo.", "facts": [1]}, "retrieval_plan": {"needs_episodes": False, "why": "x"}}
    with ScriptedServer(lambda received: replies[received.name]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        asking.configured.cache_clear()
        answer = agent("post", "maya/answer", {"question": "Where in Oslo does she live?"})
    asking.configured.cache_clear()

    assert (answer.status, answer.body["answer"], answer.body["facts"]) == (200, "In Oslo.", [fact.pk])


def test_answer_of_a_model_that_fails_says_so(maya: User, agent: Agent, monkeypatch: pytest.MonkeyPatch):
    with ScriptedServer(lambda _: Answer(status=400)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        asking.configured.cache_clear()
        answer = agent("post", "maya/answer", {"question": "Where in Oslo does she live?"})
    asking.configured.cache_clear()

    assert (answer.status, answer.body["type"]) == (502, "urn:assay:problem:model-failed")


def test_decision_names_the_facts_that_moved_it(maya: User, agent: Agent):
    fact = factories.make_believed(maya, "Prefers explanations with code examples", "prefers", "code examples")
    with scope.user(maya.pk):
        fact.__class__.objects.update(last_supported_at=timezone.now())

    answer = agent("post", "maya/decide", {"dimensions": ["explanation_depth"]})

    assert answer.body == {"explanation_depth": {"value": "code", "without": "default", "because": [fact.pk]}}


@pytest.mark.parametrize(
    ("dimensions", "status"),
    [(["height"], 422), ([], 422), (["tone"] * 51, 422), ("tone", 422), ([7], 422), (None, 200)],
)
def test_dimensions_that_are_none_are_refused(dimensions: Any, status: int, maya: User, agent: Agent):
    assert agent("post", "maya/decide", {"dimensions": dimensions}).status == status
