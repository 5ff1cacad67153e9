"""Whether facts will do, by rules and by the model."""

import pytest

from memory.errors import ModelError
from memory.recall import plan
from tests.scripted_model import ScriptedModel

SAID_OR_DONE = [
    "What did I say about the budget?",
    "When did I tell you that I moved?",
    "Did you recommend a book last week?",
    "What did we talk about yesterday?",
    "When did Melanie paint a sunrise?",
    "How many times did I miss the train?",
    "Was habe ich dir über Kaffee erzählt?",
    "Wann war ich in Wien?",
    "Wie lief das Gespräch mit der Bank?",
    "¿Qué te dije de mi hermana?",
    "¿Cuándo fui a San Sebastián?",
    "Qu'est-ce que je t'ai dit sur mon stage ?",
    "Quand suis-je allé à Genève ?",
    "Mitä tein viime viikolla?",
    "Milloin kävin Tallinnassa?",
    "Что я тебе говорил о работе?",
    "Когда я был в Будапеште?",
    "我上次说了什么？",
    "前回何を話しましたか",
]
FACTS_WILL_DO = [
    "Where does Maya live?",
    "What is my sister's name?",
    "Which database should I use?",
    "Am I allergic to nuts?",
    "Wo wohnt Jonas?",
    "Welche Sprachen spreche ich?",
    "¿Dónde vive Lucía?",
    "Où habite Théo ?",
    "Missä Aino asuu?",
    "Где живёт Илья?",
    "我住在哪里？",
    "",
    "Recommend a restaurant for tonight",
    "I would like to didactically explain",
]


@pytest.mark.parametrize("question", SAID_OR_DONE)
def test_rules_look_at_episodes_for_what_was_said_or_done(question: str) -> None:
    assert plan(question, model=None).needs_episodes is True


@pytest.mark.parametrize("question", FACTS_WILL_DO)
def test_rules_leave_other_questions_to_facts(question: str) -> None:
    assert plan(question, model=None).needs_episodes is False


@pytest.mark.parametrize("needs_episodes", [True, False])
def test_model_decides_where_there_is_one(needs_episodes: object) -> None:
    model = ScriptedModel([{"needs_episodes": needs_episodes, "why": "it is\n asked"}])

    planned = plan("Where does Maya live?", model=model)

    assert (planned.needs_episodes, planned.why) == (needs_episodes, "it is asked")
    assert planned.call is not None
    assert [(call.name, call.user) for call in model.calls] == [("retrieval_plan", "Question: Where does Maya live?")]


@pytest.mark.parametrize(("question", "expected"), [("What did I say?", True), ("Where do I live?", False)])
def test_rules_decide_where_the_model_fails(question: str, expected: object) -> None:
    planned = plan(question, model=ScriptedModel([ModelError("no answer")]))

    assert planned.needs_episodes is expected
    assert planned.why.endswith("by rules, since the model failed: no answer")


def test_model_is_not_asked_about_nothing() -> None:
    model = ScriptedModel()

    plan("", model=model)

    assert model.calls == []
