"""People nobody spoke of, words handed over to work on, and words of others."""

from typing import Any

import pytest

from memory.types import Judgement, Kind, Reason

from .judging import claim, judge, judge_in, turn

INVENTED = [
    ("We met in Boston.", "John Doe", "Boston"),
    ("We met in Boston.", "Doe", "Boston"),
    ("Our office is in Boston.", "John Doe", "Boston"),
    ("Wir haben uns in Boston getroffen.", "John Doe", "Boston"),
    ("Nos conocimos en Boston.", "John Doe", "Boston"),
    ("On s'est rencontrés à Boston.", "Doe", "Boston"),
    ("Tapasimme Bostonissa.", "John Doe", "Boston"),
    ("Мы встретились в Бостоне.", "Иван Петров", "Бостон"),
]
KNOWN: list[tuple[str, str, dict[str, Any]]] = [
    ("John lives in Boston.", "John Doe", {}),
    ("My brother lives in Boston.", "Brother", {}),
    ("We live in Boston.", "Ada Doe", {"owner_names": frozenset({"Ada"})}),
    ("Meine Schwester wohnt in Boston.", "Schwester", {}),
    ("Джон живёт в Boston.", "Джон", {}),
]
TRANSLATED = [
    'Translate to German: "I live in Seattle"',
    'Please translate "I live in Seattle" to German.',
    "Übersetze ins Englische: „Ich wohne in Seattle“",
    "Traduce al alemán: «Vivo en Seattle»",
    "Traduis en allemand : « J'habite à Seattle »",
    'Käännä saksaksi: "Asun Seattlessa"',
    "Переведи на немецкий: «Я живу в Seattle»",
]


@pytest.mark.parametrize(("content", "subject", "obj"), INVENTED)
def test_claim_about_a_name_in_no_turn_is_refused_as_unsourced(content: str, subject: str, obj: str) -> None:
    judgement = judge(content, content.removesuffix("."), obj, subject=subject, text=f"{subject}: {obj}.")

    assert judgement == Judgement(is_accepted=False, reason=Reason.UNSOURCED, detail=f"nobody spoke of “{subject}”")


@pytest.mark.parametrize(("content", "subject", "ground"), KNOWN)
def test_claim_about_a_name_or_role_in_a_turn_is_accepted(content: str, subject: str, ground: dict[str, Any]) -> None:
    proposal = claim(content, "Boston", subject=subject)

    judgement = judge_in((turn(1, content),), proposal, **ground)

    assert judgement == Judgement(is_accepted=True, source="user")


def test_claim_about_a_name_of_an_earlier_turn_is_accepted() -> None:
    turns = (turn(1, "I saw John Doe again."), turn(2, "We met in Boston."))

    judgement = judge_in(turns, claim("We met in Boston", "Boston", n=2, subject="John Doe"))

    assert judgement == Judgement(is_accepted=True, source="user")


@pytest.mark.parametrize("content", TRANSLATED)
@pytest.mark.parametrize("text", ["", "The user lives in Seattle."])
def test_statement_to_translate_is_refused_as_not_their_own_words(content: str, text: str) -> None:
    judgement = judge(content, content, "Seattle", predicate="lives_in", text=text or content)

    assert judgement.reason is Reason.NOT_OWN_WORDS


PLAIN = [
    ("My 10k time is 52 minutes.", "52 minutes"),
    ("My marathon time is 3:52.", "3:52"),
    ("I'm allergic to shellfish though, so please tell the restaurant.", "shellfish"),
    ("My cousin says that I live in Leeds.", "Leeds"),
]


@pytest.mark.parametrize(("content", "obj"), PLAIN)
def test_plain_statement_near_other_markers_is_accepted(content: str, obj: str) -> None:
    judgement = judge(content, content.removesuffix("."), obj)

    assert judgement == Judgement(is_accepted=True, source="user")


LIKENED = [
    ("My cousin says that I speak like a television presenter.", "like a television presenter"),
    ("My mother says I sing like an angel.", "like an angel"),
    ("Mein Bruder sagt, ich rede wie ein Moderator.", "wie ein Moderator"),
    ("Mi hermano dice que hablo como un locutor, yo no sé.", "como un locutor"),
    ("Mon frère dit que je parle comme un présentateur.", "comme un présentateur"),
    ("Veljeni sanoo että minä laulan kuin enkeli.", "kuin enkeli"),
    ("Брат говорит, что я пою как ангел.", "как ангел"),
]


@pytest.mark.parametrize(("content", "obj"), LIKENED)
def test_likeness_that_another_sees_is_refused_as_hearsay(content: str, obj: str) -> None:
    judgement = judge(content, content.removesuffix("."), obj)

    assert judgement.reason is Reason.HEARSAY


# A sentence about another says nothing of the speaker ------------------------------------------


@pytest.mark.parametrize(
    ("said", "quote", "obj"),
    [
        ("My sister is vegan.", "is vegan", "vegan"),
        ("My neighbour lives in Oslo.", "lives in Oslo", "Oslo"),
        ("Someone at work lives in Oslo.", "lives in Oslo", "Oslo"),
        ("Meine Tochter wohnt in Bonn.", "wohnt in Bonn", "Bonn"),
        ("Mi hermano trabaja en Zara.", "trabaja en Zara", "Zara"),
        ("Ma mère habite à Lyon.", "habite à Lyon", "Lyon"),
        ("Siskoni asuu Turussa.", "asuu Turussa", "Turku"),
        ("Мой брат веган.", "веган", "веган"),
    ],
)
def test_judge_of_claim_about_the_speaker_from_a_sentence_about_another_refuses(
    said: str, quote: str, obj: str
) -> None:
    assert judge(said, quote, obj, predicate="has").reason is Reason.UNSOURCED


@pytest.mark.parametrize(
    ("said", "quote", "obj", "more"),
    [
        ("My sister is vegan.", "is vegan", "vegan", {"subject": "sister"}),
        ("My sister and I live in Oslo.", "I live in Oslo", "Oslo", {}),
        ("My wife works with me at Acme.", "works with me at Acme", "Acme", {}),
        ("My brother Tom lives in Rome.", "My brother Tom", "Tom", {}),
        ("My daughter is called Lina.", "is called Lina", "Lina", {}),
        ("My husband's name is Ivo.", "name is Ivo", "Ivo", {}),
        ("Meine Frau arbeitet hier, ich arbeite bei BMW.", "ich arbeite bei BMW", "BMW", {}),
        ("My son is ten.", "My son is ten", "ten", {"text": "Has a son of ten."}),
        ("My boss is Ann.", "My boss is Ann", "Ann", {"kind": Kind.RELATIONSHIP}),
    ],
)
def test_judge_of_what_the_speaker_has_in_others_accepts(said: str, quote: str, obj: str, more: dict[str, Any]) -> None:
    assert judge(said, quote, obj, predicate="has", **more).is_accepted is True
