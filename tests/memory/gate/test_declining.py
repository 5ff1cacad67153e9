"""What the user asked not to remember: which words the wish covers, and which it leaves alone."""

import pytest

from memory.types import Reason

from .judging import claim, judge, judge_in, turn


@pytest.mark.parametrize(
    "request_",
    [
        "Please don't remember that.",
        "Forget I said that.",
        "don't store this please",
        "Merk dir das nicht.",
        "Vergiss das bitte.",
        "No guardes eso.",
        "Olvídalo.",
        "Ne retiens pas ça.",
        "Oublie ça.",
        "Älä tallenna tätä.",
        "Unohda se.",
        "Не запоминай это.",
        "Забудь это, пожалуйста.",
    ],
)
def test_judge_of_turn_before_a_bare_request_refuses(request_: str) -> None:
    turns = (turn(1, "I live in Oslo."), turn(2, "Noted!", "assistant"), turn(3, request_))

    judgement = judge_in(turns, claim("I live in Oslo", "Oslo"))

    assert judgement.reason == Reason.DECLINED


def test_judge_of_other_turns_than_the_declined_accepts() -> None:
    turns = (turn(1, "I live in Oslo."), turn(2, "I earn 5000."), turn(3, "Please don't remember that."))

    judgement = judge_in(turns, claim("I live in Oslo", "Oslo"))

    assert judgement.is_accepted


def test_judge_of_turn_after_an_announcement_refuses() -> None:
    turns = (turn(1, "Don't remember what I tell you next."), turn(2, "I live in Oslo."))

    judgement = judge_in(turns, claim("I live in Oslo", "Oslo", n=2))

    assert judgement.reason == Reason.DECLINED


@pytest.mark.parametrize(
    ("request_", "said", "obj"),
    [
        ("Forget what I said about my divorce.", "I am divorced since May", "divorced"),
        ("Vergiss, was ich über meine Scheidung gesagt habe.", "Meine Scheidung war im Mai", "Scheidung"),
        ("Olvida lo que dije sobre mi divorcio.", "Mi divorcio fue en mayo", "divorcio"),
        ("Oublie ce que j'ai dit sur mon divorce.", "Mon divorce date de mai", "divorce"),
        ("Забудь, что я говорил про развод.", "Мой развод был в мае", "развод"),
    ],
)
def test_judge_of_topic_asked_to_forget_refuses(request_: str, said: str, obj: str) -> None:
    judgement = judge_in((turn(1, said), turn(2, "ok", "assistant"), turn(3, request_)), claim(said, obj))

    assert judgement.reason == Reason.DECLINED


def test_judge_of_other_topic_than_asked_to_forget_accepts() -> None:
    turns = (turn(1, "I live in Oslo."), turn(2, "Forget what I said about my divorce."))

    judgement = judge_in(turns, claim("I live in Oslo", "Oslo"))

    assert judgement.is_accepted


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        ("my divorce", "My divorce was in May"),
        ("health issues", "My health is poor since May"),
        ("salary", "My salaries were paid in May"),
        ("meine Scheidung", "Die Scheidung war im Mai"),
        ("развод", "После развода я живу в Туле"),
    ],
)
def test_judge_of_standing_topic_refuses(topic: str, said: str) -> None:
    judgement = judge_in((turn(1, said),), claim(said, said), declined=(topic,))

    assert judgement.reason == Reason.DECLINED


def test_judge_beside_a_standing_topic_accepts() -> None:
    judgement = judge_in((turn(1, "I live in Oslo."),), claim("I live in Oslo", "Oslo"), declined=("my divorce", "job"))

    assert judgement.is_accepted


@pytest.mark.parametrize(
    ("content", "obj"),
    [
        ("Don't forget that I live in Oslo.", "Oslo"),
        ("I never forget a face from Oslo.", "a face from Oslo"),
        ("I don't keep alcohol at home in Oslo.", "no alcohol at home"),
        ("I can't remember numbers, I have dyscalculia.", "dyscalculia"),
        ("Vergiss nicht: Ich wohne in Ulm.", "Ulm"),
        ("No olvides que vivo en Lima.", "Lima"),
        ("N'oublie pas que j'habite à Lyon.", "Lyon"),
        ("Älä unohda, että asun Turussa.", "Turussa"),
        ("Не забудь, что я живу в Туле.", "Туле"),
    ],
)
def test_judge_of_words_that_only_sound_like_a_request_accepts(content: str, obj: str) -> None:
    judgement = judge(content, content.rstrip("."), obj, text=f"About the user: {obj}")

    assert judgement.is_accepted, judgement
