"""Rule 4: keys on which several values, or a series of them, are true at once."""

import pytest

from memory.types import Relation
from tests.memory.resolver.telling import believe, denied, live, relation, said, statuses


@pytest.mark.parametrize(
    ("predicate", "one", "other"),
    [
        ("speaks", "Finnish", "Swedish"),
        ("speaks", "suomea", "ruotsia"),
        ("likes", "sushi", "ramen"),
        ("has_child", "Aino", "Eero"),
        ("uses", "Постгрес", "Redis"),
        ("allergic_to", "Nüsse", "Penizillin"),
        ("has_pet", "un perro", "un gato"),
    ],
)
@pytest.mark.parametrize("day", [0.1, 30])
def test_second_value_of_many_is_compatible(predicate: str, one: str, other: str, day: float) -> None:
    second = said(other, day, predicate=predicate)

    folded = believe(said(one, predicate=predicate), second)

    assert statuses(folded) == [(one, "active"), (other, "active")]
    assert folded.groups == ()
    assert [fact.is_exclusive or fact.is_unjudged for fact in folded.facts] == [False, False]
    assert relation(folded, second) == Relation.COMPATIBLE


@pytest.mark.parametrize(
    ("predicate", "one", "other"),
    [
        ("weight", "80 kg", "79 kg"),
        ("weight", "80 kg", "176 lb"),
        ("blood_pressure", "120/80", "135/85"),
        ("heart_rate", "52", "58"),
        ("revenue", "10 k€", "12 k€"),
        ("elo", "1500", "1512"),
    ],
)
def test_readings_of_two_days_are_two_facts(predicate: str, one: str, other: str) -> None:
    folded = believe(
        said(one, predicate=predicate, valid_from="2024-05-01"),
        said(other, predicate=predicate, valid_from="2024-06-01"),
    )

    assert [(fact.object, fact.status.value, fact.valid_from) for fact in folded.facts] == [
        (one, "active", "2024-05-01"),
        (other, "active", "2024-06-01"),
    ]


def test_reading_of_the_same_value_on_another_day_is_kept() -> None:
    folded = believe(*(said("80 kg", day, predicate="weight") for day in (0, 30, 60)))

    assert live(folded) == ["80 kg", "80 kg", "80 kg"]


def test_reading_said_twice_of_one_day_is_one() -> None:
    folded = believe(
        said("80 kg", 0, predicate="weight"),
        said("80 kg", 0, hour=2, predicate="weight"),
        said("80 kg", 9, predicate="weight", valid_from="2024-03-01"),
    )

    assert [len(fact.claims) for fact in folded.facts] == [3]


def test_reading_of_two_values_on_one_day_keeps_both() -> None:
    folded = believe(said("120/80", predicate="blood_pressure"), said("130/85", hour=3, predicate="blood_pressure"))

    assert live(folded) == ["120/80", "130/85"]


def test_reading_dated_with_its_end_is_not_past() -> None:
    folded = believe(said("80 kg", 30, predicate="weight", valid_from="2024-03-01", valid_to="2024-03-01"))

    assert statuses(folded) == [("80 kg", "active")]
    assert folded.facts[0].valid_to == "2024-03-01"


def test_reading_denied_ends_it_on_its_day_only() -> None:
    folded = believe(
        said("80 kg", 0, predicate="weight"),
        said("80 kg", 30, predicate="weight"),
        denied("80 kg", 40, predicate="weight", valid_from="2024-03-01"),
    )

    assert statuses(folded) == [("80 kg", "superseded"), ("80 kg", "active")]


@pytest.mark.parametrize(("first", "second"), [("2019", "2023"), ("2019-05", "2019-07"), ("2024-01-03", "2024-01-04")])
def test_what_happened_twice_is_two_facts(first: str, second: str) -> None:
    folded = believe(
        said("Rome", predicate="visits", valid_from=first, valid_to=first),
        said("Rome", 9, predicate="visits", valid_from=second, valid_to=second),
    )

    assert [(fact.status.value, fact.valid_from) for fact in folded.facts] == [("active", first), ("active", second)]


def test_what_happened_said_again_without_its_date_is_one_fact() -> None:
    folded = believe(said("Rome", predicate="visits", valid_from="2019"), said("Rome", 9, predicate="visits"))

    assert [(len(fact.claims), fact.valid_from) for fact in folded.facts] == [(2, "2019")]


def test_many_valued_key_has_no_finer_or_coarser() -> None:
    folded = believe(said("Postgres", predicate="uses"), said("Postgres 16", 9, predicate="uses"))

    assert live(folded) == ["Postgres", "Postgres 16"]


@pytest.mark.parametrize(
    ("predicate", "first", "second", "words"),
    [
        ("lives_in", "Oslo", "Bergen", "I also live in Bergen."),
        ("lives_in", "Oslo", "Bergen", "I live in Bergen, too."),
        ("works_at", "Acme", "Hooli", "My other employer is Hooli."),
        ("works_at", "Acme", "Hooli", "Another employer of mine is Hooli."),
        ("works_as", "Koch", "Fahrer", "Ich bin auch Fahrer."),
        ("favourite_food", "sushi", "ramen", "Another favourite food of mine is ramen."),
        ("lives_in", "Madrid", "Lima", "Yo también vivo en Lima."),
        ("lives_in", "Lyon", "Nice", "J'habite aussi à Nice."),
        ("lives_in", "Turku", "Oulu", "Asun myös Oulu"),
        ("lives_in", "Москва", "Казань", "Я ещё живу в Казань"),
    ],
)
def test_another_value_of_a_one_valued_key_stands_beside(predicate: str, first: str, second: str, words: str) -> None:
    other = said(second, 30, predicate=predicate, text=words)

    folded = believe(said(first, predicate=predicate), other)

    assert (live(folded), relation(folded, other)) == ([first, second], Relation.COMPATIBLE)


@pytest.mark.parametrize(
    "words", ["I live in Bergen.", "Also, I live in Bergen.", "I live in Bergen with my other cat and another."]
)
def test_newer_value_with_such_words_elsewhere_is_an_update(words: str) -> None:
    assert live(believe(said("Oslo"), said("Bergen", 30, text=words))) == ["Bergen"]


def test_second_car_stands_beside_the_first() -> None:
    cars = [said(car, day, predicate="drives", object_key=car) for day, car in enumerate(("volvo", "fiat"))]

    assert live(believe(*cars)) == ["volvo", "fiat"]
