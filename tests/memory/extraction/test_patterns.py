"""The extractor that needs no model, sentence by sentence and in conversation."""

import re
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import keying, policy
from memory.extraction import patterns
from memory.extraction.patterns import making, tools
from memory.extraction.patterns.book import LANGUAGES, book
from memory.types import Cardinality, Ground, Kind, Polarity, Proposal, Quote, Role, Speech, Turn
from tests.memory.extraction.spoken import NOTHING, SAID

AT = datetime(2024, 3, 10, 12, tzinfo=UTC)
NOT_BELIEVED = {"password", "feels", "asks_for", "is_told", "instruction", "happening", "expects"}
"""Predicates of forms that are only ever refused."""
INFLECTING = ("fi", "ru")
"""Languages of which an object's base form need not stand in the sentence."""


def talk(*said: tuple[str, str], name: str = "", **more: Any) -> Ground:
    roles = {"u": Role.USER, "a": Role.ASSISTANT, "t": Role.TOOL, "s": Role.SYSTEM}
    return Ground(tuple(Turn(n, roles[r], c, AT, name) for n, (r, c) in enumerate(said, start=1)), **more)


def find(ground: Ground) -> tuple[Proposal, ...]:
    return patterns.find(ground, zone=UTC)


def written(proposal: Proposal) -> str:
    """A proposal in the notation of `spoken`."""
    note = f" ({proposal.subject_note})" if proposal.subject_note else ""
    parts = [
        f"{proposal.subject}{note}:" if proposal.subject != "user" else "",
        "not" if proposal.polarity is Polarity.DENIES else "",
        f"{proposal.predicate}={proposal.object}",
        f"[{proposal.speech}]" if proposal.speech is not Speech.STATES else "",
        f"from {proposal.valid_from}" if proposal.valid_from else "",
        f"to {proposal.valid_to}" if proposal.valid_to else "",
        f"expires {proposal.expires_on}" if proposal.expires_on else "",
    ]
    return " ".join(part for part in parts if part)


def claims(*said: tuple[str, str], **more: Any) -> list[str]:
    return [written(proposal) for proposal in find(talk(*said, **more))]


@pytest.mark.parametrize(("language", "sentence", "expected"), SAID)
def test_find_sentence_says_what_it_says(language: str, sentence: str, expected: list[str]) -> None:
    assert claims(("u", sentence), language=language) == expected


@pytest.mark.parametrize(("language", "sentence"), NOTHING)
def test_find_sentence_that_says_nothing_lasting_gives_nothing(language: str, sentence: str) -> None:
    assert claims(("u", sentence), language=language) == []


@pytest.mark.parametrize(("language", "sentence", "expected"), SAID)
def test_find_proposal_is_fit_for_the_gate(language: str, sentence: str, expected: list[str]) -> None:
    made = find(talk(("u", sentence), language=language))

    assert len(made) == len(expected)
    for proposal in made:
        assert all(quote.quote in sentence for quote in proposal.evidence)
        assert proposal.object in sentence or language in INFLECTING or proposal.predicate == "smokes"
        assert (proposal.flaw, proposal.is_keyless) == ("", False)
        assert "{" not in proposal.text
        assert len(proposal.text) >= 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_book_of_each_language_uses_predicates_that_the_policy_knows(language: str) -> None:
    vocabulary = policy.default().vocabulary
    of = book(language)

    used = {f.pattern.predicate for f in (*of.forms, *of.asked, *of.bare)} - NOT_BELIEVED

    assert {p for p in used if keying.cardinality(p, vocabulary) is Cardinality.UNKNOWN} == set()
    assert {p for p in used if keying.canonical(p, Polarity.AFFIRMS, vocabulary)[0] != p} == set()


def test_tools_use_predicates_that_the_policy_knows() -> None:
    vocabulary = policy.default().vocabulary

    used = {entry["predicate"] for entry in tools.keys()["keys"].values()}

    assert {p for p in used if keying.cardinality(p, vocabulary) is Cardinality.UNKNOWN} == set()
    assert {p for p in used if keying.canonical(p, Polarity.AFFIRMS, vocabulary)[0] != p} == set()


# Whose voice ----------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["a", "s"])
def test_find_words_of_assistant_and_system_give_nothing(role: str) -> None:
    assert claims((role, "I live in Oslo. My name is Bob."), ("u", "What time is it?")) == []


@pytest.mark.parametrize("owner", ["user", "Sam"])
def test_find_subject_is_the_owner(owner: str) -> None:
    assert [p.subject for p in find(talk(("u", "I live in Oslo"), owner=owner))] == [owner]


def test_find_other_language_than_the_users_is_still_read() -> None:
    assert claims(("u", "Ich wohne in Oslo"), language="en") == ["lives_in=Oslo"]
    assert claims(("u", "Я живу в Осло"), language="fi") == ["lives_in=Осло"]
    assert claims(("u", "I live in Oslo"), language="xx") == ["lives_in=Oslo"]


def test_find_what_follows_a_handover_shows_it_in_the_quote() -> None:
    content = "Translate this to German:\nI live in Paris."

    assert [p.evidence for p in find(talk(("u", content)))] == [(Quote(1, content),)]


def test_find_the_same_again_in_a_turn_is_once() -> None:
    assert claims(("u", "I live in Oslo. I live in Oslo.")) == ["lives_in=Oslo"]


# Answers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "question", "answer", "expected"),
    [
        ("en", "You live in Oslo?", "Yes", "lives_in=Oslo"),
        ("en", "Got it. So you are vegetarian, right?", "Yes, that's right.", "diet=vegetarian"),
        ("en", "Are you allergic to nuts?", "Yep!", "allergic_to=nuts"),
        ("en", "Do you work at Acme?", "I do.", "works_at=Acme"),
        ("en", "Is your name Bob?", "yes", "name=Bob"),
        ("de", "Wohnst du in Oslo?", "Ja, genau.", "lives_in=Oslo"),
        ("es", "¿Vives en Oslo?", "Sí", "lives_in=Oslo"),
        ("fr", "Tu habites à Oslo ?", "Oui", "lives_in=Oslo"),
        ("fi", "Asutko Oslossa?", "Joo", "lives_in=Oslo"),
        ("ru", "Ты живёшь в Осло?", "Да", "lives_in=Осло"),
    ],
)
def test_find_yes_to_a_question_is_evidence_with_it(language: str, question: str, answer: str, expected: str) -> None:
    [made] = find(talk(("a", question), ("u", answer), language=language))

    assert written(made) == expected
    assert [quote.turn for quote in made.evidence] == [1, 2]
    assert [quote.quote in text for quote, text in zip(made.evidence, (question, answer), strict=True)] == [True, True]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("You live in Oslo?", "No"),
        ("You live in Oslo?", "Maybe"),
        ("You live in Oslo?", "Yesterday it rained"),
        ("You live in Oslo?", "What time is it?"),
        ("Do you live in Oslo or Bergen?", "Yes"),
        ("You live in Oslo? And you work at Acme?", "Yes"),
        ("You live in Oslo? Let me check.", "Yes"),
        ("As I remember, you like tea.", "yes"),
        ("Does your sister Anna live in Turku?", "yes"),
        ("Shall I go on?", "Yes"),
    ],
)
def test_find_answer_that_is_not_plain_gives_nothing(question: str, answer: str) -> None:
    assert claims(("a", question), ("u", answer)) == []


def test_find_yes_long_after_the_question_gives_nothing() -> None:
    assert claims(("a", "You live in Oslo?"), ("u", "Let me think."), ("u", "Yes")) == []


# Corrections ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "first", "second", "expected"),
    [
        ("en", "I live in Oslo", "Sorry, I meant Bergen.", "lives_in=Bergen [corrects]"),
        ("en", "I live in Oslo", "No wait, Bergen, not Oslo", "lives_in=Bergen [corrects]"),
        ("en", "I live in Oslo. I work at Acme.", "Not Oslo but Bergen.", "lives_in=Bergen [corrects]"),
        ("en", "My name is Jon", "Correction: John", "name=John [corrects]"),
        ("en", "I live in Oslo", "No, I live in Bergen", "lives_in=Bergen [corrects]"),
        ("de", "Ich wohne in Oslo", "Nicht in Oslo, sondern in Bergen.", "lives_in=Bergen [corrects]"),
        ("es", "Vivo en Oslo", "Perdón, en Bergen.", "lives_in=Bergen [corrects]"),
        ("fr", "J'habite à Oslo", "Pardon, à Bergen.", "lives_in=Bergen [corrects]"),
        ("fi", "Asun Oslossa", "Anteeksi, Bergenissä.", "lives_in=Bergen [corrects]"),
        ("ru", "Я живу в Осло", "Не в Осло, а в Бергене.", "lives_in=Берген [corrects]"),
    ],
)
def test_find_correction_is_of_what_was_said_before(language: str, first: str, second: str, expected: str) -> None:
    made = find(talk(("u", first), ("a", "Noted."), ("u", second), language=language))

    assert written(made[-1]) == expected
    assert made[-1].evidence == (Quote(3, second),)


@pytest.mark.parametrize(
    "second", ["Sorry, that was a typo.", "Sorry, I am late.", "No, thanks.", "Paris, not London", "Sorry, oslo."]
)
def test_find_apology_that_corrects_nothing_gives_nothing(second: str) -> None:
    assert claims(("u", "I live in Oslo"), ("u", second)) == ["lives_in=Oslo"]


def test_find_correction_of_nothing_gives_nothing() -> None:
    assert claims(("u", "Sorry, I meant Bergen.")) == []


# Tools and lists ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("billing", "plan: Pro", ["plan=Pro"]),
        ("get_settings", '{"timezone": "Europe/Oslo"}', ["time_zone=Europe/Oslo"]),
        ("", '{ "id": 7, "timezone" : "Europe/Oslo" }', ["time_zone=Europe/Oslo"]),
        ("user_profile", '{"name": "Anna", "city": "Turku", "score": 3}', ["name=Anna", "lives_in=Turku"]),
        ("x", '{"user": {"plan": "Pro"}, "weather": {"city": "Oslo"}}', ["plan=Pro"]),
        ("weather", '{"city": "Oslo", "temp": 3}', []),
        ("weather", "city: Oslo\ntemp: 3", []),
        ("web", "I live in Paris. My name is Bob.", []),
        ("web", '["timezone", "Europe/Oslo"]', []),
        ("web", '{"timezone": null}', []),
        ("web", '{"timezone": true}', []),
        ("web", "{" * 5000, []),
        ("web", '{"a":' * 3000, []),
    ],
)
def test_find_tool_result_counts_only_where_it_describes_the_user(name: str, content: str, expected: list[str]) -> None:
    made = find(talk(("t", content), name=name))

    assert [written(p) for p in made] == expected
    assert all(quote.quote in content for p in made for quote in p.evidence)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("User likes sushi", ["likes=sushi"]),
        ("Likes sushi", ["likes=sushi"]),
        ("Name is John", ["name=John"]),
        ("The user is allergic to nuts and eggs", ["allergic_to=nuts", "allergic_to=eggs"]),
        ("Works at Acme as an engineer.", ["works_at=Acme", "works_as=engineer"]),
        ("User doesn't like sushi", ["not likes=sushi"]),
        ("Anna lives in Turku", ["Anna: lives_in=Turku"]),
        ("Uses C#", ["uses=C#"]),
        ("User wants to learn Rust", ["wants_to=learn Rust"]),
        ("Python uses indentation", []),
        ("I live in Oslo", []),
        ("My name is Bob", []),
    ],
)
def test_find_imported_list_is_about_the_user_where_it_says_so(line: str, expected: list[str]) -> None:
    assert claims(("u", line), document="mem0") == expected


def test_find_remembered_fragment_is_about_the_user() -> None:
    assert claims(("u", "Lives in Oslo"), is_outright=True) == ["lives_in=Oslo"]
    assert claims(("u", "Lives in Oslo")) == []


# Kinds and time -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("I live in Oslo", Kind.KNOWLEDGE),
        ("I love sushi", Kind.PREFERENCE),
        ("I've decided to learn Rust", Kind.GOAL),
        ("This month I'm in Lisbon", Kind.TEMPORARY),
        ("I'm vegetarian for Lent", Kind.TEMPORARY),
        ("I'm allergic to nuts", Kind.IDENTITY),
        ("My wife is Anna", Kind.RELATIONSHIP),
        ("keep tooling under 200 a month", Kind.CONSTRAINT),
    ],
)
def test_find_kind_is_what_the_statement_is(sentence: str, kind: Kind) -> None:
    assert [p.kind for p in find(talk(("u", sentence)))] == [kind]


def test_find_today_is_the_day_where_the_user_is() -> None:
    said = datetime(2024, 3, 10, 2, 30, tzinfo=UTC)
    ground = Ground((Turn(1, Role.USER, "today I started at Acme", said),))

    [made] = patterns.find(ground, zone=ZoneInfo("America/New_York"))

    assert made.valid_from == "2024-03-09"


@given(
    st.lists(st.tuples(st.sampled_from("uat"), st.text(max_size=80)), max_size=3), st.sampled_from([*LANGUAGES, "xx"])
)
def test_find_any_text_gives_proposals_with_quotes_from_their_turns(said: list[tuple[str, str]], language: str) -> None:
    for proposal in find(talk(*said, language=language)):
        assert all(quote.quote in said[quote.turn - 1][1] for quote in proposal.evidence)


WORDS = [
    "I",
    "live",
    "in",
    "Oslo",
    "my",
    "sister",
    "Anna",
    "sorry",
    "not",
    ",",
    ".",
    "and",
    "never",
    "now",
    "since",
    "2019",
    "until",
    "last",
    "week",
    "like",
    "am",
    "vegan",
    "nuts",
    "80",
    "kg",
]


@given(st.lists(st.sampled_from(WORDS), min_size=3, max_size=25))
def test_find_any_heap_of_words_gives_whole_proposals(heap: list[str]) -> None:
    for proposal in find(talk(("u", " ".join(heap)))):
        assert proposal.object.strip() == proposal.object != ""
        assert proposal.text
        assert proposal.subject


@pytest.mark.parametrize("language", LANGUAGES)
def test_book_of_each_language_compiles_and_fills_its_texts(language: str) -> None:
    of = book(language)

    forms = (*of.forms, *of.asked, *of.bare)
    slots = {
        (form.name, form.pattern.predicate, slot)
        for form in forms
        for slot in re.findall(r"{(\w+)}", making.template(form))
        if slot not in {"obj", "sentence", *form.regex.groupindex}
    }

    assert slots == set()
