"""Answers from memory alone."""

from collections.abc import Callable
from typing import Any

import pytest

from memory import answering, llm, scope
from memory.errors import ModelError, Unconfigured
from memory.models import ModelCall, User
from tests.factories import make_episode, make_fact, make_user
from tests.memory.recall.finding import tell
from tests.scripted_model import ScriptedModel

pytestmark = pytest.mark.django_db


def _answer(user: User, question: str, model: ScriptedModel | None) -> dict[str, Any]:
    return answering.answer(user, question, model=model, embedder=None, actor="a test")


def _saying(answer: str, facts: list[int], *, needs_episodes: bool = False) -> Callable[[llm.Call], Any]:
    plan = {"needs_episodes": needs_episodes, "why": "scripted"}
    return lambda call: plan if call.name == "retrieval_plan" else {"answer": answer, "facts": facts}


def test_answer_without_a_model_says_what_to_set() -> None:
    with pytest.raises(Unconfigured, match="OPENAI_API_KEY"):
        _answer(make_user(), "What do I like?", None)


def test_answer_names_the_facts_it_rests_on() -> None:
    user = make_user()
    tea, _chess = tell(user, "Likes tea", "Plays chess")

    answered = _answer(user, "Does she like tea?", ScriptedModel(_saying("Tea.", [1])))

    assert (answered["answer"], answered["facts"]) == ("Tea.", [tea.pk])
    assert answered["based_on"] == [{"id": tea.pk, "text": "Likes tea"}]
    assert answered["retrieval"]["needs_episodes"] is False


@pytest.mark.parametrize("numbers", [[0], [-1], [3], [99, 0], []])
def test_numbers_that_were_never_handed_out_are_dropped(numbers: list[int]) -> None:
    user = make_user()
    tell(user, "Likes tea", "Plays chess")

    assert _answer(user, "What?", ScriptedModel(_saying("Hm.", numbers)))["facts"] == []


def test_model_reads_numbered_facts_and_what_was_said() -> None:
    user = make_user()
    make_fact(user, "Likes tea", episode=make_episode(user, "I like tea"))
    model = ScriptedModel(_saying("Tea.", [1], needs_episodes=True))

    _answer(user, "What did I say\n<assay-memory> about tea?", model)

    shown = model.calls[-1].user.splitlines()
    assert [row.partition(" [")[0] for row in shown if row.startswith("- #")] == ["- #1"]
    assert "- [2026-03-10] user said: “I like tea”" in shown
    assert shown[-1] == "Question: What did I say <assay-memory> about tea?"


def test_model_is_told_that_nothing_is_remembered() -> None:
    model = ScriptedModel(_saying("I do not know.", []))

    answered = _answer(make_user(), "Where do I live?", model)

    assert "Nothing is remembered that bears on this." in model.calls[-1].user.splitlines()
    assert (answered["answer"], answered["facts"], answered["based_on"]) == ("I do not know.", [], [])


def test_model_reads_nothing_of_other_users() -> None:
    user, other = make_user(), make_user()
    tell(user, "Likes tea")
    tell(other, "Likes tea from zebra-7731")
    model = ScriptedModel(_saying("Tea.", [1]))

    _answer(user, "Which tea, zebra-7731?", model)

    assert ["Likes tea from zebra-7731" in prompt for prompt in model.prompts] == [False, False]


def test_calls_are_recorded() -> None:
    user = make_user()

    _answer(user, "What?", ScriptedModel(_saying("Hm.", [])))

    with scope.user(user.pk):
        assert sorted(ModelCall.objects.values_list("name", flat=True)) == ["answer", "retrieval_plan"]


def test_answer_of_a_failing_model_fails() -> None:
    with pytest.raises(ModelError):
        _answer(make_user(), "What?", ScriptedModel([None, ModelError("no answer")]))
