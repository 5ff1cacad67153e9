"""Rule 1, corrections: the slip is taken back, and nothing that does not belong."""

import pytest

from memory.types import Basis, Relation, Status
from tests.memory.resolver.telling import (
    believe,
    changed,
    corrected,
    decision,
    denied,
    inferred,
    live,
    relation,
    said,
    statuses,
)


@pytest.mark.parametrize(
    ("predicate", "slip", "right"),
    [
        ("lives_in", "Oslo", "Bergen"),
        ("works_at", "Müller GmbH", "Möller GmbH"),
        ("deadline", "15 October", "16 October"),
        ("lives_in", "東京", "京都"),
        ("born_in", "Саратов", "Самара"),
        ("budget", "1.5 M€", "15 M€"),
    ],
)
def test_slip_corrected_within_a_minute_was_never_true(predicate: str, slip: str, right: str) -> None:
    known = said(slip, predicate=predicate)
    sorry = corrected(right, hour=0.01, predicate=predicate)

    folded = believe(known, sorry)

    assert statuses(folded) == [(slip, "retracted"), (right, "active")]
    assert (relation(folded, sorry), decision(folded, sorry).against) == (Relation.CORRECTION, 0)


def test_slip_in_the_same_turn_is_told_by_its_place() -> None:
    slip = said("Oslo", episode=1, order=("e", 1, 1, ""))
    sorry = corrected("Bergen", episode=1, order=("e", 1, 2, ""))

    assert statuses(believe(sorry, slip)) == [("Oslo", "retracted"), ("Bergen", "active")]


def test_correction_long_after_takes_back_the_standing_value() -> None:
    assert statuses(believe(said("Oslo"), corrected("Bergen", 200))) == [("Oslo", "retracted"), ("Bergen", "active")]


def test_correction_gives_back_what_the_slip_had_replaced() -> None:
    folded = believe(said("Bergen"), said("Oslo", 100), corrected("Bergen", 100, hour=0.1))

    assert statuses(folded) == [("Bergen", "active"), ("Oslo", "retracted")]
    assert folded.facts[0].superseded_by is None
    assert folded.facts[0].valid_to is None


def test_correction_to_a_third_value_replaces_what_the_slip_had_replaced() -> None:
    folded = believe(said("Bergen"), said("Oslo", 100), corrected("Trondheim", 100, hour=0.1))

    assert statuses(folded) == [("Bergen", "superseded"), ("Oslo", "retracted"), ("Trondheim", "active")]
    assert folded.facts[0].superseded_by == 2


def test_correction_of_a_value_in_the_middle_leaves_lineage_whole() -> None:
    middle = said("Oslo", 100)

    folded = believe(said("Bergen"), middle, said("Trondheim", 200), corrected("Paris", 300, corrects=middle.id))

    assert statuses(folded) == [
        ("Bergen", "superseded"),
        ("Oslo", "retracted"),
        ("Trondheim", "superseded"),
        ("Paris", "active"),
    ]
    assert [fact.superseded_by for fact in folded.facts] == [2, None, 3, None]


def test_correction_names_the_fact_it_is_about() -> None:
    finnish = said("Finnish", predicate="speaks")

    folded = believe(
        finnish, said("Danish", predicate="speaks"), corrected("Estonian", 9, predicate="speaks", corrects=finnish.id)
    )

    assert statuses(folded) == [("Finnish", "retracted"), ("Danish", "active"), ("Estonian", "active")]


def test_correction_naming_a_fact_of_another_key_takes_nothing_back() -> None:
    folded = believe(said("Oslo"), corrected("Bergen", 9, corrects=987654))

    assert statuses(folded) == [("Oslo", "superseded"), ("Bergen", "active")]


def test_correction_naming_what_it_repeats_takes_nothing_back() -> None:
    known = said("Oslo")

    assert statuses(believe(known, corrected("Oslo", 9, corrects=known.id))) == [("Oslo", "active")]


@pytest.mark.parametrize(
    ("predicate", "slip", "right"),
    [("speaks", "Finnish", "Swedish"), ("has_pet", "Musti", "Mirri"), ("weight", "80 kg", "79 kg")],
)
def test_correction_on_a_many_valued_key_takes_back_the_word_before(predicate: str, slip: str, right: str) -> None:
    folded = believe(
        said("English", predicate=predicate),
        said(slip, 5, predicate=predicate, session="s"),
        corrected(right, 5, hour=0.1, predicate=predicate, session="s"),
    )

    assert statuses(folded) == [("English", "active"), (slip, "retracted"), (right, "active")]


@pytest.mark.parametrize(
    "fields",
    [{"session": "other"}, {"session": "s", "source": "tool:form"}],
)
def test_correction_on_a_many_valued_key_leaves_what_was_not_just_said(fields: dict[str, str]) -> None:
    folded = believe(
        said("Finnish", 5, predicate="speaks", session="s"),
        corrected("Swedish", 5, hour=0.1, predicate="speaks", **fields),
    )

    assert live(folded) == ["Finnish", "Swedish"]


def test_correction_on_a_many_valued_key_leaves_what_was_known_before() -> None:
    folded = believe(
        said("Finnish", predicate="speaks"),
        said("Finnish", 5, predicate="speaks", session="s"),
        corrected("Swedish", 5, hour=0.1, predicate="speaks", session="s"),
    )

    assert live(folded) == ["Finnish", "Swedish"]


def test_correction_leaves_what_another_source_said() -> None:
    folded = believe(said("Oslo", source="tool:crm"), corrected("Bergen", hour=1))

    assert statuses(folded) == [("Oslo", "superseded"), ("Bergen", "active")]


def test_correction_by_a_tool_cannot_take_back_the_users_word() -> None:
    users = said("Oslo")

    folded = believe(users, corrected("Bergen", 9, source="tool:crm", corrects=users.id))

    assert statuses(folded) == [("Oslo", "conflicted"), ("Bergen", "conflicted")]


def test_correction_of_a_denial_takes_the_denial_back() -> None:
    slip = denied("meat", predicate="eats", session="s")

    folded = believe(slip, corrected("meat", hour=0.1, predicate="eats", session="s"))

    assert statuses(folded) == [("not meat", "retracted"), ("meat", "active")]


def test_correction_settles_a_contradiction() -> None:
    folded = believe(
        said("staging", predicate="deploys_to"),
        said("preview", hour=1, predicate="deploys_to", source="tool:ci"),
        corrected("preview", hour=2, predicate="deploys_to"),
    )

    assert statuses(folded) == [("staging", "retracted"), ("preview", "active")]
    assert folded.groups[0].settled_by == "user"


@pytest.mark.parametrize("again", [inferred, lambda obj, day: said(obj, day, source="imported:mem0")])
def test_retracted_is_not_learnt_again_second_hand(again: object) -> None:
    late, later = again("Oslo", 20), again("Oslo", 40)

    folded = believe(said("Oslo"), corrected("Bergen", hour=0.1), late, later)

    assert statuses(folded) == [("Oslo", "retracted"), ("Bergen", "active")]
    assert [decision(folded, claim).against for claim in (late, later)] == [0, 0]
    assert folded.held == ()


def test_retracted_is_not_learnt_from_older_words_that_arrive_late() -> None:
    folded = believe(said("Oslo"), corrected("Bergen", 10), said("Oslo", 5))

    assert statuses(folded) == [("Oslo", "retracted"), ("Bergen", "active")]


def test_retracted_is_learnt_again_from_the_users_newer_word() -> None:
    folded = believe(said("Oslo"), corrected("Bergen", hour=0.1), changed("Oslo", 50))

    assert statuses(folded) == [("Oslo", "retracted"), ("Bergen", "superseded"), ("Oslo", "active")]


def test_retracted_reading_of_one_day_says_nothing_of_another() -> None:
    slip = said("80 kg", 1, predicate="weight", session="s")

    folded = believe(
        slip,
        corrected("78 kg", 1, hour=0.1, predicate="weight", session="s"),
        said("80 kg", 30, predicate="weight", source="imported:scale"),
    )

    assert statuses(folded) == [("80 kg", "retracted"), ("78 kg", "active"), ("80 kg", "active")]


def test_hint_that_corrects_only_waits() -> None:
    hint = corrected("Bergen", 5, basis=Basis.INFERRED, source="inferred")

    folded = believe(said("Oslo"), hint)

    assert [fact.status for fact in folded.facts] == [Status.ACTIVE]
    assert folded.held == (hint.id,)


@pytest.mark.parametrize(
    ("slip", "right", "words"),
    [
        ("Tom", "Tim", "My cat is called Tim, not Tom."),
        ("a cat called Tom", "a cat called Tim", "My cat is called Tim, not Tom."),
        ("Tom", "Tim", "It is not Tom but Tim."),
        ("Tom", "Tim", "Mein Kater heißt Tim, nicht Tom."),
        ("Tom", "Tim", "Mi gato se llama Tim, no Tom."),
        ("Tom", "Tim", "Mon chat s'appelle Tim, pas Tom."),
        ("Tom", "Tim", "Kissani nimi on Tim, ei Tom."),
        ("Том", "Тим", "Моего кота зовут Тим, а не Том."),
        ("a dog", "a cat", "I have a cat, not a dog."),
    ],
)
def test_correction_among_many_takes_back_what_its_words_name(slip: str, right: str, words: str) -> None:
    known = [said(slip, predicate="has_pet"), said("Rex", 5, predicate="has_pet")]

    folded = believe(*known, corrected(right, 60, predicate="has_pet", text=words))

    assert statuses(folded) == [(slip, "retracted"), ("Rex", "active"), (right, "active")]


@pytest.mark.parametrize(
    "words", ["No, my cat is called Tim.", "My cat is called Tim, not Max.", "It is Tim, not a cat."]
)
def test_correction_among_many_that_names_none_of_them_takes_nothing_back(words: str) -> None:
    known = [said("cat Tom", predicate="has_pet"), said("cat Rex", 5, predicate="has_pet")]

    folded = believe(*known, corrected("Tim", 60, predicate="has_pet", text=words))

    assert live(folded) == ["cat Tom", "cat Rex", "Tim"]
