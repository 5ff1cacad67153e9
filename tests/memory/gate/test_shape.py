"""Fields, length, subject; and the order in which the gate looks."""

from dataclasses import replace
from typing import Any

import pytest

from memory import gate, policy
from memory.types import Ground, Judgement, Reason

from .judging import claim, judge, judge_in, turn

OSLO = claim("I live in Oslo", "Oslo")
HEARD = (turn(1, "I live in Oslo."),)


def test_checks_stand_in_the_order_of_reasons() -> None:
    assert [reason for reason, _ in gate.CHECKS] == list(Reason)


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        ({"flaw": "kind is missing"}, "kind is missing"),
        ({"text": "  "}, "text is empty"),
        ({"predicate": ""}, "predicate or object is empty"),
        ({"object": " "}, "predicate or object is empty"),
        ({"valid_from": "yesterday"}, "valid_from is not a date: 'yesterday'"),
        ({"expires_on": "2026-13"}, "expires_on is not a date: '2026-13'"),
        ({"valid_from": "2026-03", "valid_to": "2025"}, "valid_to is before valid_from"),
        ({"valid_to": "2026-02-30"}, "valid_to is not a date: '2026-02-30'"),
    ],
)
def test_judge_of_broken_field_refuses_as_malformed(changes: dict[str, Any], detail: str) -> None:
    judgement = judge_in(HEARD, replace(OSLO, **changes))

    assert judgement == Judgement(is_accepted=False, reason=Reason.MALFORMED, detail=detail)


@pytest.mark.parametrize(
    "dates",
    [
        ("2026", "2026-01"),
        ("2026-03", "2026-03-31"),
        ("2026-03-15", "2026-03"),
        ("2024-02-26/2024-03-03", "2024-03-01"),
    ],
)
def test_judge_of_overlapping_validity_accepts(dates: tuple[str, str]) -> None:
    judgement = judge_in(HEARD, replace(OSLO, valid_from=dates[0], valid_to=dates[1]))

    assert judgement.is_accepted


@pytest.mark.parametrize("text", ["Oslo", "is here", "住在", "東京", "ไทย"])
def test_judge_of_too_short_text_refuses(text: str) -> None:
    judgement = judge_in(HEARD, replace(OSLO, text=text))

    assert judgement.reason == Reason.TOO_SHORT


@pytest.mark.parametrize("text", ["word " * 41, "我" * 121, "ab" * 300, "слово " * 41, "ก" * 130])
def test_judge_of_too_long_text_refuses(text: str) -> None:
    judgement = judge_in(HEARD, replace(OSLO, text=text))

    assert judgement.reason == Reason.TOO_LONG


@pytest.mark.parametrize("text", ["in Oslo!", "住在奥斯", " ".join(["fjord"] * 40), "我" * 120])
def test_judge_of_text_just_within_the_limits_accepts(text: str) -> None:
    judgement = judge_in(HEARD, replace(OSLO, text=text))

    assert judgement.is_accepted


@pytest.mark.parametrize(
    "subject",
    [
        "",
        " ",
        "?",
        "he",
        "It",
        "they",
        "this",
        "er",
        "man",
        "él",
        "ella",
        "on",
        "ils",
        "hän",
        "se",
        "он",
        "они",
        "someone",
        "unknown",
        "N/A",
        "you",
    ],
)
def test_judge_of_subject_that_names_no_one_refuses(subject: str) -> None:
    judgement = judge_in(HEARD, replace(OSLO, subject=subject))

    assert judgement.reason == Reason.NO_SUBJECT


@pytest.mark.parametrize("subject", ["I", "me", "User", "the user", "ich", "yo", "je", "minä", "я", "Nutzer"])
def test_judge_of_self_in_own_voice_accepts(subject: str) -> None:
    judgement = judge_in(HEARD, replace(OSLO, subject=subject))

    assert judgement.is_accepted


@pytest.mark.parametrize("subject", ["I", "my", "ich", "yo", "я"])
def test_judge_of_self_in_imported_document_refuses(subject: str) -> None:
    judgement = judge_in(HEARD, replace(OSLO, subject=subject), document="page.html")

    assert judgement.reason == Reason.NO_SUBJECT


def test_judge_of_forgotten_claim_refuses() -> None:
    judgement = gate.judge(OSLO, Ground(turns=HEARD), policy.default(), is_forgotten=True)

    assert judgement.reason == Reason.FORGOTTEN


def test_judge_of_secret_in_forgotten_malformed_claim_names_the_secret() -> None:
    proposal = replace(OSLO, text="my password is hunter2", predicate="")

    judgement = gate.judge(proposal, Ground(turns=HEARD), policy.default(), is_forgotten=True)

    assert judgement.reason == Reason.SECRET


def test_judge_with_marker_of_the_policy_refuses() -> None:
    operators = policy.build(1, {"markers": {"hedged": {"en": ("reckonably",)}, "transient": {"sv": ("just nu",)}}})

    judgements = [
        gate.judge(claim(quote, "Oslo"), Ground(turns=(turn(1, quote),)), operators)
        for quote in ("I reckonably live in Oslo", "jag är i Oslo just nu")
    ]

    assert [j.reason for j in judgements] == [Reason.HEDGED, Reason.TRANSIENT]


@pytest.mark.parametrize(
    ("content", "quote", "subject", "obj"),
    [
        ("Mia works at Mighty Networks.", "works at Mighty Networks", "Mia", "Mighty Networks"),
        ("Lena's firm is called HappyCo.", "is called HappyCo", "Lena's firm", "HappyCo"),
        ("Our vendor is Happy Sad Media.", "vendor is Happy Sad Media", "our vendor", "Happy Sad Media"),
        ("Hope Might lives in Leeds.", "lives in Leeds", "Hope Might", "Leeds"),
        ("May Maybe runs a shop in York.", "runs a shop in York", "May Maybe", "shop in York"),
        ("I work with Will Probably at Acme.", "work with Will Probably", "user", "Will Probably"),
        ("My dentist is Dr. Angst in Ulm.", "dentist is Dr. Angst", "my dentist", "Dr. Angst"),
        ("Meine Chefin heißt Mia Wunsch.", "heißt Mia Wunsch", "Chefin", "Mia Wunsch"),
        ("Mi perro se llama Quizás.", "se llama Quizás", "perro", "Quizás"),
        ("Mon chien s'appelle Peut-Être.", "s'appelle Peut-Être", "chien", "Peut-Être"),
        ("Koirani nimi on Ehkä.", "nimi on Ehkä", "koira", "Ehkä"),
        ("Мою собаку зовут Возможно.", "зовут Возможно", "собака", "Возможно"),
    ],
)
def test_judge_of_marker_word_in_proper_name_accepts(content: str, quote: str, subject: str, obj: str) -> None:
    judgement = judge(content, quote, obj, subject=subject, text=f"{subject} … {quote}")

    assert judgement.is_accepted, judgement


@pytest.mark.parametrize(
    ("content", "quote"),
    [
        ("I almighty love Oslo", "love Oslo"),
        ("The hoped-for Unsure-ness of Oslo", "of Oslo"),
        ("I love unhappyness in Oslo", "in Oslo"),
        ("Mayberry is in Oslo", "in Oslo"),
        ("The probability course in Oslo is mine", "course in Oslo"),
    ],
)
def test_judge_of_marker_inside_a_longer_word_accepts(content: str, quote: str) -> None:
    judgement = judge(content, quote, "Oslo")

    assert judgement.is_accepted, judgement
