"""What a claim may stand on: quotes that are there, in turns of those who may speak for the user."""

import random
from dataclasses import replace

import pytest

from memory.types import BLOCK_CLOSE, BLOCK_OPEN, Basis, Judgement, Polarity, Quote, Reason

from .judging import claim, judge, judge_in, turn
from .test_accepting import SENTENCES

NUMBERED = [
    "I pay 1200 a month for the flat in Leeds 12",
    "We have 3 cats and 14 fish at home",
    "My rent is 1.5 times 900",
]
SPOKEN = [content for content, *_ in SENTENCES if len(content.split()) > 3] + NUMBERED


def _without_negation(words: list[str], rng: random.Random) -> list[str]:
    return ["never", *words] if rng.random() < 0.5 else [*words[:1], "not", *words[1:]]


def _with_other_number(words: list[str], rng: random.Random) -> list[str]:
    return [*words, str(rng.randrange(2, 9999))]


def _with_other_name(words: list[str], rng: random.Random) -> list[str]:
    place = rng.randrange(len(words))
    return [*words[:place], rng.choice(["Zebulon", "Quito", "Xanthippe"]), *words[place + 1 :]]


def _swapped(words: list[str], rng: random.Random) -> list[str]:
    place = rng.randrange(len(words) - 1)
    return [*words[:place], words[place + 1] + "x", words[place], *words[place + 2 :]]


def _cut_in_word(words: list[str], rng: random.Random) -> list[str]:
    return [words[0][1:] or "x", *words[1:-1], words[-1][: len(words[-1]) // 2 or 1] + "q"]


ALTERATIONS = (_without_negation, _with_other_number, _with_other_name, _swapped, _cut_in_word)


def test_judge_of_500_altered_quotes_accepts_none() -> None:
    rng = random.Random(7)
    altered = [(content, ALTERATIONS[i % 5](content.split(), rng)) for i, content in enumerate(SPOKEN * 6)][:500]

    judgements = [judge(content, " ".join(words), content) for content, words in altered]

    assert (len(judgements), {j.reason for j in judgements}) == (500, {Reason.UNSOURCED})


def test_judge_of_300_quotes_of_assistant_and_system_accepts_none() -> None:
    sentences = [
        (content, quote, obj, role) for content, quote, obj, _ in SENTENCES for role in ("assistant", "system")
    ]
    drawn = (sentences * 2)[:300]

    judgements = [
        judge_in((turn(1, content, role), turn(2, "what time is it?")), claim(quote, obj))
        for content, quote, obj, role in drawn
    ]

    assert (len(judgements), sum(j.is_accepted for j in judgements)) == (300, 0)


def test_judge_of_assistant_quote_refuses_as_assistant_only() -> None:
    turns = (turn(1, "As I remember, you like tea", "assistant"), turn(2, "what time is it?"))

    judgement = judge_in(turns, claim("you like tea", "tea", subject="I"))

    assert judgement.reason == Reason.ASSISTANT_ONLY


@pytest.mark.parametrize(
    ("content", "quote"),
    [
        ("I smoke non-filter cigars", "filter cigars"),
        ("It costs 1.5 million", "5 million"),
        ("It is −5 degrees at home", "5 degrees at home"),
        ("I code in C++ and Go", "I code in C"),
        ("I don't like sushi", "t like sushi"),
        ("I moved to Newcastle", "I moved to New"),
        ("I'm a non-smoker", "smoker"),
    ],
)
def test_judge_of_quote_cut_inside_word_refuses(content: str, quote: str) -> None:
    judgement = judge(content, quote, quote)

    assert judgement.reason == Reason.UNSOURCED


@pytest.mark.parametrize("n", [0, 2, -1, 99])
def test_judge_of_turn_out_of_range_refuses_and_names_it(n: int) -> None:
    judgement = judge_in((turn(1, "I live in Oslo"),), claim("I live in Oslo", "Oslo", n=n))

    assert judgement == Judgement(is_accepted=False, reason=Reason.UNSOURCED, detail=f"there is no turn {n}")


@pytest.mark.parametrize("obj", ["Bergen", "Google", "42 cats", "Москва", "サッカー"])
def test_judge_of_object_nobody_said_refuses(obj: str) -> None:
    judgement = judge("I live in Oslo with my cats.", "I live in Oslo", obj)

    assert judgement.reason == Reason.UNSOURCED


def test_judge_of_other_number_than_said_refuses() -> None:
    judgement = judge("I am 40 years old.", "I am 40 years old", "41 years old")

    assert judgement.reason == Reason.UNSOURCED


def test_judge_of_invented_person_refuses() -> None:
    judgement = judge("I work at Google.", "work at Google", "Google", subject="John Doe")

    assert judgement == Judgement(is_accepted=False, reason=Reason.UNSOURCED, detail="nobody spoke of “John Doe”")


@pytest.mark.parametrize(
    ("quote", "obj"),
    [("I live in Lisbon", "Lisbon"), ("prefers dark mode", "dark mode"), ("John Doe works at Acme", "Acme")],
)
def test_judge_of_example_from_the_prompt_refuses(quote: str, obj: str) -> None:
    judgement = judge_in((turn(1, "hello there"),), claim(quote, obj))

    assert judgement.reason == Reason.UNSOURCED


def test_judge_without_evidence_refuses() -> None:
    judgement = judge_in((turn(1, "I live in Oslo"),), claim("", "Oslo", evidence=()))

    assert judgement.reason == Reason.UNSOURCED


ANSWERS = [
    ("You live in Oslo?", "Yes"),
    ("So you live in Oslo?", "Yes, that's right."),
    ("Do you live in Oslo?", "yeah"),
    ("Wohnst du in Oslo?", "Ja, genau."),
    ("¿Vives en Oslo?", "Sí, claro."),
    ("Tu habites à Oslo ?", "Oui."),
    ("Asutko siis kaupungissa Oslo?", "Kyllä!"),
    ("Ты живёшь в городе Oslo?", "Да, верно"),
]


@pytest.mark.parametrize(("question", "answer"), ANSWERS)
def test_judge_of_question_and_plain_yes_accepts(question: str, answer: str) -> None:
    evidence = (Quote(1, question), Quote(2, answer))

    judgement = judge_in((turn(1, question, "assistant"), turn(2, answer)), claim("", "Oslo", evidence=evidence))

    assert judgement == Judgement(is_accepted=True, source="user")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("You live in Oslo?", "No"),
        ("You live in Oslo?", "Maybe"),
        ("You live in Oslo?", "Yes and no"),
        ("You live in Oslo?", "Yes, but only until May"),
        ("You live in Oslo?", "what time is it?"),
        ("You live in Oslo.", "ok"),
        ("You live in Oslo.", "Yes"),
        ("Do you live in Oslo or Bergen?", "Yes"),
        ("Shall I look for flats in Oslo?", "Yes"),
        ("Wohnst du in Oslo?", "Nein"),
        ("Wohnst du in Oslo?", "Jein"),
        ("¿Vives en Oslo?", "No"),
        ("¿Vives en Oslo?", "Quizás"),
        ("Tu habites à Oslo ?", "Non"),
        ("Asutko kaupungissa Oslo?", "En"),
        ("Ты живёшь в городе Oslo?", "Нет"),
        ("You live in Oslo?", "Norway is nice"),
    ],
)
def test_judge_of_question_without_plain_yes_refuses(question: str, answer: str) -> None:
    evidence = (Quote(1, question), Quote(2, answer))

    judgement = judge_in((turn(1, question, "assistant"), turn(2, answer)), claim("", "Oslo", evidence=evidence))

    assert not judgement.is_accepted


def test_judge_of_yes_two_turns_later_refuses() -> None:
    turns = (turn(1, "You live in Oslo?", "assistant"), turn(2, "hm"), turn(3, "ok?", "assistant"), turn(4, "Yes"))
    evidence = (Quote(1, "You live in Oslo?"), Quote(4, "Yes"))

    judgement = judge_in(turns, claim("", "Oslo", evidence=evidence))

    assert judgement.reason == Reason.ASSISTANT_ONLY


def test_judge_of_question_and_no_for_denial_accepts() -> None:
    turns = (turn(1, "Do you smoke cigars?", "assistant"), turn(2, "No."))
    evidence = (Quote(1, "Do you smoke cigars?"), Quote(2, "No"))

    judgement = judge_in(turns, claim("", "cigars", evidence=evidence, polarity=Polarity.DENIES))

    assert judgement == Judgement(is_accepted=True, source="user")


def test_judge_of_recalled_block_handed_back_refuses() -> None:
    content = f"{BLOCK_OPEN}\n- likes tea (2025)\n{BLOCK_CLOSE}\nwhat time is it"

    judgement = judge(content, "likes tea", "tea")

    assert judgement == Judgement(
        is_accepted=False, reason=Reason.ASSISTANT_ONLY, detail="it is recalled memory handed back"
    )


def test_judge_of_words_after_recalled_block_accepts() -> None:
    judgement = judge(f"{BLOCK_OPEN}\n- likes tea\n{BLOCK_CLOSE}\nI live in Oslo.", "I live in Oslo", "Oslo")

    assert judgement.is_accepted


def test_judge_of_ten_rounds_of_repeated_memory_learns_nothing() -> None:
    rounds = [("assistant", "As I remember, you like tea."), ("user", "ok")] * 10
    turns = tuple(turn(n, content, role) for n, (role, content) in enumerate(rounds, start=1))

    judgements = [
        judge_in(turns, claim("", "tea", evidence=(Quote(n, "you like tea"), Quote(n + 1, "ok"))))
        for n in range(1, 20, 2)
    ]

    assert {j.reason for j in judgements} == {Reason.ASSISTANT_ONLY}


def test_judge_of_tool_result_names_the_tool() -> None:
    judgement = judge_in((turn(1, "home city: Oslo", "tool", "crm"),), claim("home city: Oslo", "Oslo"))

    assert judgement == Judgement(is_accepted=True, source="tool:crm")


def test_judge_of_user_and_tool_prefers_the_user() -> None:
    turns = (turn(1, "home city: Oslo", "tool", "crm"), turn(2, "I live in Oslo"))
    evidence = (Quote(1, "home city: Oslo"), Quote(2, "I live in Oslo"))

    judgement = judge_in(turns, claim("", "Oslo", evidence=evidence))

    assert judgement == Judgement(is_accepted=True, source="user")


def test_judge_of_inferred_basis_is_inferred() -> None:
    judgement = judge("I live in Oslo", "I live in Oslo", "Oslo", basis=Basis.INFERRED)

    assert judgement == Judgement(is_accepted=True, source="inferred")


def test_judge_of_imported_memory_stands_on_its_own_text() -> None:
    proposal = replace(claim("", "tea"), text="User likes tea", evidence=())

    judgement = judge_in((turn(1, "User likes tea"),), proposal, document="mem0.json")

    assert judgement == Judgement(is_accepted=True, source="imported:mem0.json")


def test_judge_of_first_person_in_tool_result_refuses() -> None:
    judgement = judge_in((turn(1, "I live in Paris", "tool", "web"),), claim("I live in Paris", "Paris"))

    assert judgement.reason == Reason.NO_SUBJECT


def test_judge_of_outright_keyless_sentence_accepts() -> None:
    proposal = replace(
        claim("", ""), text="Mia's birthday party had 12 guests", predicate="", is_keyless=True, evidence=()
    )

    judgement = judge_in((turn(1, "Mia's birthday party had 12 guests"),), proposal, is_outright=True)

    assert judgement == Judgement(is_accepted=True, source="user")
