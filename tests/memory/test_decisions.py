"""What facts decide: depth, difficulty, tone, and what a policy adds."""

import json
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import override_settings

from memory import decisions, scope
from memory.decisions import Decision, Known, weigh
from memory.errors import InvalidQuestion
from memory.models import Decided, PolicyVersion, User
from memory.types import Polarity
from tests.factories import WHEN, make_conflict, make_user
from tests.memory.recall.finding import entity, tell

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_then")]


@pytest.fixture
def _then() -> Iterator[None]:
    with override_settings(ASSAY_NOW=WHEN + timedelta(days=1)):
        yield


def _decide(user: User) -> dict[str, Decision]:
    return decisions.decide(user, actor="a test")


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("Prefers explanations with code examples", "explanation_depth", "code"),
        ("Bevorzugt Erklärungen mit Codebeispielen", "explanation_depth", "code"),
        ("Le gustan los ejemplos de código", "explanation_depth", "code"),
        ("Préfère les exemples de code", "explanation_depth", "code"),
        ("Pitää koodiesimerkeistä", "explanation_depth", "code"),
        ("Любит примеры кода", "explanation_depth", "code"),
        ("Likes explanations with formulas", "explanation_depth", "formula"),
        ("Aime les explications avec des formules", "explanation_depth", "formula"),
        ("Wants things explained in plain language", "explanation_depth", "intuition"),
        ("Предпочитает объяснения простыми словами", "explanation_depth", "intuition"),
        ("Is a complete beginner in statistics", "difficulty", "beginner"),
        ("Ist Anfängerin im Programmieren", "difficulty", "beginner"),
        ("Is an expert in databases", "difficulty", "advanced"),
        ("Prefers short answers", "tone", "concise"),
        ("Le gusta: respuestas cortas", "tone", "concise"),
        ("Любит короткие ответы", "tone", "concise"),
        ("Möchte gesiezt werden", "tone", "formal"),
        ("Préfère le tutoiement", "tone", "casual"),
        ("Prefers an informal tone", "tone", "casual"),
    ],
)
def test_a_wish_decides_its_dimension_and_no_other(text: str, dimension: str, value: str) -> None:
    user = make_user()
    (fact,) = tell(user, text)

    decided = _decide(user)

    assert decided.pop(dimension) == Decision(value, "default", (fact.pk,))
    assert {one.value for one in decided.values()} == {"default"}


@pytest.mark.parametrize(
    "text",
    [
        "Likes tea", "Drives a formula one car", "Works at Kurz & Partner", "Has a brief case", "Prefers dark mode",
        "Plays an expertly tuned piano", "Uses a code editor", "Knows an expertise centre", "Is called Frau Profilic",
    ],
)  # fmt: skip
def test_other_facts_decide_nothing(text: str) -> None:
    user = make_user()
    tell(user, text)

    assert {one.value for one in _decide(user).values()} == {"default"}


@pytest.mark.parametrize(
    ("fields", "value"),
    [
        ({"confidence": 0.61, "kind": "identity"}, "concise"),
        ({"confidence": 0.60, "kind": "identity"}, "default"),
        ({"status": "superseded"}, "default"),
        ({"status": "retracted"}, "default"),
        ({"last_supported_at": WHEN - timedelta(days=120), "kind": "preference"}, "default"),
        ({"expires_on": WHEN.date()}, "default"),
        ({"polarity": "denies"}, "default"),
    ],
)
def test_only_what_is_sure_and_live_decides(fields: Mapping[str, Any], value: str) -> None:
    user = make_user()
    tell(user, "Prefers short answers", **fields)

    assert _decide(user)["tone"].value == value


def test_disputed_facts_and_those_about_others_decide_nothing() -> None:
    user = make_user()
    make_conflict(user, *tell(user, "Prefers short answers", "Prefers formal answers"))
    tell(user, "Prefers code examples", entity=entity(user, "Anna"), subject="Anna")

    assert {one.value for one in _decide(user).values()} == {"default"}


def test_the_stronger_side_wins_and_names_its_facts_the_strongest_first() -> None:
    known = [
        Known(1, "Works as software engineer", "works_as", Polarity.AFFIRMS, 0.9),
        Known(2, "Wants plain language", "likes", Polarity.AFFIRMS, 0.7),
        Known(3, "Likes analogies", "likes", Polarity.AFFIRMS, 0.8),
    ]

    decision = weigh(known, decisions.shipped()["explanation_depth"])

    assert decision == Decision("intuition", "default", (3, 2))


def test_a_denial_speaks_against_its_value() -> None:
    known = [
        Known(1, "Works as software engineer", "works_as", Polarity.AFFIRMS, 0.9),
        Known(2, "Does not like code examples", "likes", Polarity.DENIES, 0.9),
    ]

    assert weigh(known, decisions.shipped()["explanation_depth"]) == Decision("default", "default")


def test_every_decision_is_recorded_with_and_without() -> None:
    user = make_user()
    (fact,) = tell(user, "Prefers short answers")

    _decide(user)

    with scope.user(user.pk):
        rows = Decided.objects.order_by("dimension").values_list("dimension", "value", "without", "because", "actor")
        assert list(rows) == [
            ("difficulty", "default", "default", [], "a test"),
            ("explanation_depth", "default", "default", [], "a test"),
            ("tone", "concise", "default", [fact.pk], "a test"),
        ]


def test_policy_adds_a_dimension() -> None:
    user = make_user()
    (fact,) = tell(user, "Uses metric units")
    units = {"default": "imperial", "rules": [{"value": "metric", "words": ["metric"]}]}
    with scope.staff():
        PolicyVersion.objects.create(version=1, changes={"dimensions": {"units": units}})

    assert _decide(user)["units"] == Decision("metric", "imperial", (fact.pk,))


def test_a_dimension_that_is_not_there_is_refused() -> None:
    with pytest.raises(InvalidQuestion, match="mood"):
        decisions.decide(make_user(), dimensions=["tone", "mood"], actor="a test")


def test_command_prints_decisions_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    user = make_user("maya")
    (fact,) = tell(user, "Prefers short answers")

    call_command("decide", "--user", "maya", "--dimension", "tone", "--json")

    assert json.loads(capsys.readouterr().out) == {
        "tone": {"value": "concise", "without": "default", "because": [fact.pk]}
    }
