"""Quotes of several sentences: markers count where the claim rests, and nowhere else."""

import pytest

from memory.types import Polarity, Reason, Speech

from .judging import claim, judge, judge_in, turn
from .test_refusing import CASES


@pytest.mark.parametrize(
    ("content", "obj"),
    [
        (
            "I've got lots of cookbooks - old ones, French ones. What's your favourite dish?",
            "a collection of cookbooks",
        ),
        ("Here's my greenhouse, I grow chillies in it. Can you show me yours?", "chillies in a greenhouse"),
        ("So glad you came! Last Friday I joined a choir.", "joined a choir last Friday"),
        ("I think you'd love it there. I moved to Bergen in May.", "moved to Bergen in May"),
        ("I don't know the way. I work at Acme.", "works at Acme"),
        ("If only it would stop raining. I keep bees.", "keeps bees"),
        ("They say winter is coming. I heat with wood.", "heats with wood"),
        ("Ich bin so müde heute. Ich arbeite als Hebamme.", "Hebamme"),
        ("¿Qué tal? Trabajo de bombero en Sevilla.", "bombero en Sevilla"),
        ("Tu peux m'aider ? Je suis allergique aux arachides.", "arachides"),
        ("Voisitko auttaa? Olen kasvissyöjä.", "kasvissyöjä"),
        ("Так устал сегодня. Я поступил в МГУ.", "МГУ"),
    ],
)
def test_judge_of_statement_quoted_with_its_turn_accepts(content: str, obj: str) -> None:
    judgement = judge(content, content, obj)

    assert judgement.is_accepted, judgement


@pytest.mark.parametrize(
    ("reason", "content", "obj"),
    [
        (Reason.HEDGED, "Hello there. I think I might switch to Postgres.", "Postgres"),
        (Reason.UNSOURCED, "I don't like sushi. You know.", "sushi"),
        (Reason.UNSOURCED, "I eat anything. Well, I don't eat pork.", "pork"),
        (Reason.UNSOURCED, "I love olives. Actually I don't like olives.", "olives"),
        (Reason.HYPOTHETICAL, "I love the sea. If I lived in Oslo, I'd sail.", "Oslo"),
        (Reason.QUESTION, "I love Paris. Should I apply to the Sorbonne?", "applies to the Sorbonne"),
        (Reason.QUESTION, "I went to Paris in May. Should I go to Rome too?", "Paris in May and Rome"),
        (Reason.TASK, "I live in Leeds. Remind me to call the plumber.", "call the plumber"),
        (Reason.AFFECTIVE, "I live in Leeds. I feel so lonely tonight.", "lonely"),
        (Reason.HEARSAY, "I like music. My neighbour says jazz is dead.", "jazz is dead"),
        (Reason.TRANSIENT, "We use Bazel. The build is broken again.", "build is broken"),
        (Reason.NOT_OWN_WORDS, "Hi! Please proofread: I work at Siemens.", "Siemens"),
        (Reason.UNSOURCED, "No vivo en Murcia. Vivo en Alicante.", "Murcia"),
    ],
)
def test_judge_of_what_the_resting_sentence_takes_back_refuses(reason: Reason, content: str, obj: str) -> None:
    judgement = judge(content, content, obj)

    assert judgement.reason == reason, judgement


@pytest.mark.parametrize(
    "doubt",
    [
        "But I'm not sure.",
        "Not 100% sure though.",
        "Just kidding!",
        "Not anymore.",
        "Bin mir aber nicht sicher.",
        "Pero no estoy seguro.",
        "Je ne suis pas sûre.",
        "En ole kyllä varma.",
        "Хотя не уверен.",
    ],
)
@pytest.mark.parametrize("is_quoted", [True, False])
def test_judge_before_a_doubt_that_says_nothing_else_refuses(doubt: str, *, is_quoted: bool) -> None:
    said = "I live in Oslo."

    judgement = judge(f"{said} {doubt}", f"{said} {doubt}" if is_quoted else said, "Oslo")

    assert judgement.reason == Reason.HEDGED


@pytest.mark.parametrize("after", ["Maybe you know it?", "I think you'd like it.", "I'm not sure about the weather."])
def test_judge_before_a_doubt_of_another_thing_accepts(after: str) -> None:
    judgement = judge(f"I live in Oslo. {after}", "I live in Oslo.", "Oslo")

    assert judgement.is_accepted, judgement


@pytest.mark.parametrize(
    ("content", "obj"),
    [
        ("Ich mag Oliven nicht.", "Oliven"),
        ("Oliven mag ich gar nicht so gern.", "Oliven"),
        ("Kaffee trinke ich keinen.", "Kaffee"),
        ("Sushi I don't like.", "sushi"),
        ("El cilantro no me gusta.", "cilantro"),
        ("Le café, je n'aime pas.", "café"),
        ("Sushia en syö.", "sushia"),
        ("Мясо я не ем.", "мясо"),
    ],
)
def test_judge_of_denial_after_its_object_refuses(content: str, obj: str) -> None:
    judgement = judge(content, content, obj)

    assert judgement.reason == Reason.UNSOURCED


@pytest.mark.parametrize(
    ("content", "obj"),
    [
        ("No wait, Bergen, not Oslo", "Bergen"),
        ("Not Oslo, Bergen.", "Bergen"),
        ("Nein, nicht Hamburg, Bremen.", "Bremen"),
        ("Non, pas Lyon, Grenoble.", "Grenoble"),
        ("Ei Oslo, vaan Bergen.", "Bergen"),
        ("Нет, не Осло, а Берген.", "Берген"),
        ("I live in Oslo, not Bergen.", "Oslo"),
        ("Mi hermana Ana no fuma.", "Ana"),
        ("Meine Schwester Ana raucht nicht.", "Ana"),
        ("I can be me without fear and have courage.", "courage"),
    ],
)
def test_judge_beside_a_denial_of_another_thing_accepts(content: str, obj: str) -> None:
    judgement = judge(content, content, obj, speech=Speech.CORRECTS)

    assert judgement.is_accepted, judgement


def test_judge_of_plain_french_denial_accepts() -> None:
    content = "Je ne suis pas végétarien, je ne l'ai jamais été"

    judgement = judge(content, content, "végétarien", polarity=Polarity.DENIES, text="Il n'est pas végétarien.")

    assert judgement.is_accepted, judgement


@pytest.mark.parametrize(
    ("content", "obj"),
    [
        ("They give me peace after work at the allotment.", "peace at the allotment"),
        ("My photos remind me to call my aunt in Turku.", "photos remind of an aunt in Turku"),
        ("I had a puncture last week on my way home from Lund.", "puncture on the way home from Lund"),
        ("I saw a fox while hiking in Nuuksio.", "saw a fox in Nuuksio"),
        ("I'm so glad I moved to Bergen.", "moved to Bergen"),
        ("We had to say goodbye to our dog Max.", "dog Max"),
        ("I finally got better at chess in the game club.", "chess in the game club"),
    ],
)
def test_judge_of_narration_with_a_marker_s_words_accepts(content: str, obj: str) -> None:
    judgement = judge(content, content, obj)

    assert judgement.is_accepted, judgement


def test_judge_of_own_opinion_told_of_the_speaker_accepts() -> None:
    content = "Taking time for yourself is crucial, it keeps you sharp."
    proposal = claim(content, "taking time for oneself is crucial", subject="Mira", text="Mira believes it is crucial.")

    judgement = judge_in((turn(1, content, name="Mira"),), proposal)

    assert judgement.is_accepted, judgement


def test_judge_of_tool_result_with_a_verb_for_a_name_accepts() -> None:
    judgement = judge_in((turn(1, "plan: Pro", "tool", "billing"),), claim("plan: Pro", "Pro", predicate="plan"))

    assert judgement.source == "tool:billing"


@pytest.mark.parametrize("subject", ["we", "our", "wir", "nosotros", "nous", "meidän", "мы", "our team"])
def test_judge_of_plural_speaker_in_own_voice_accepts(subject: str) -> None:
    judgement = judge("We use Postgres 16 on Neon", "We use Postgres 16 on Neon", "Postgres 16", subject=subject)

    assert judgement.is_accepted, judgement


def test_judge_of_plural_speaker_in_a_tool_s_voice_refuses() -> None:
    turns = (turn(1, "We use Postgres 16", "tool", "web"),)

    judgement = judge_in(turns, claim("We use Postgres 16", "Postgres 16", subject="we"))

    assert judgement.reason == Reason.NO_SUBJECT


@pytest.mark.parametrize(
    ("content", "obj", "text"),
    [
        ("I work at Google as a baker", "Google Zürich", "The user works at Google Zürich."),
        ("I met a friend at the pool", "friend John Doe", "The user met a friend, John Doe."),
        ("I have 3 dogs at home", "dogs at home", "The user has 5 dogs at home."),
        ("We keep dogs at home", "7 dogs", "The user keeps 7 dogs."),
        ("Vivo con mi prima en el centro", "prima Lucía", "El usuario vive con su prima Lucía en el centro."),
    ],
)
def test_judge_of_name_or_count_nobody_said_refuses(content: str, obj: str, text: str) -> None:
    judgement = judge(content, content, obj, text=text)

    assert judgement.reason == Reason.UNSOURCED


@pytest.mark.parametrize(
    ("content", "obj", "text"),
    [
        ("I moved to NYC in spring", "NYC", "The user moved to New York City in spring."),
        ("I write TS at work", "TS at work", "The user writes TypeScript at work."),
        ("I have three dogs at home", "3 dogs", "The user has 3 dogs at home."),
        ("I started at Acme last week", "Acme", "The user started at Acme on 3 March."),
    ],
)
def test_judge_of_name_or_count_said_otherwise_accepts(content: str, obj: str, text: str) -> None:
    judgement = judge(content, content, obj, text=text)

    assert judgement.is_accepted, judgement


@pytest.mark.parametrize(
    ("content", "obj"), [(content, obj) for _, content, _, obj in CASES], ids=lambda v: str(v)[:60]
)
def test_judge_of_refused_sentence_quoted_with_its_turn_refuses(content: str, obj: str) -> None:
    whole = f"Hello there.\n\n{content}\n\nThanks a lot!"

    judgement = judge(whole, whole, obj)

    assert not judgement.is_accepted
