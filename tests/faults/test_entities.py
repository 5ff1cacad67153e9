"""B15, B26: names that are alike, and names that are shared."""

from collections.abc import Sequence

import pytest

from tests.faults.telling import Person, after, proposing
from tests.scripted_model import candidate

pytestmark = pytest.mark.django_db


# B15: kept apart -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "said", "expected"),
    [
        (
            "en",
            ["Tigran lives in Yerevan", "Iran lives in Oslo"],
            ["(Iran) lives_in=Oslo", "(Tigran) lives_in=Yerevan"],
        ),
        ("en", ["Anna plays chess", "Hanna plays tennis"], ["(Anna) plays=chess", "(Hanna) plays=tennis"]),
        ("en", ["Jon likes tea", "John likes coffee"], ["(John) likes=coffee", "(Jon) likes=tea"]),
        ("en", ["Ali works at Acme", "Alina works at Nokia"], ["(Ali) works_at=Acme", "(Alina) works_at=Nokia"]),
        ("de", ["Jan wohnt in Bonn", "Jana wohnt in Köln"], ["(Jan) lives_in=Bonn", "(Jana) lives_in=Köln"]),
        ("es", ["Juan vive en Lima", "Juana vive en Quito"], ["(Juan) lives_in=Lima", "(Juana) lives_in=Quito"]),
        ("fr", ["Jean habite à Lyon", "Jeanne habite à Lille"], ["(Jean) lives_in=Lyon", "(Jeanne) lives_in=Lille"]),
        ("fi", ["Mari asuu Turussa", "Maria asuu Oulussa"], ["(Mari) lives_in=Turku", "(Maria) lives_in=Oulu"]),
        ("ru", ["Анна живёт в Риге", "Жанна живёт в Праге"], ["(Анна) lives_in=Рига", "(Жанна) lives_in=Прага"]),
    ],
)
def test_names_that_are_alike_are_different_people(language: str, said: Sequence[str], expected: list[str]) -> None:
    person = after(*said, language=language)

    assert (person.live, person.conflicts) == (expected, [])


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        (("firm", "fruit"), ["(Apple, firm) located_at=Cupertino", "(Apple, fruit) located_at=garden"]),
        (("father", "friend"), ["(Apple, father) located_at=Cupertino", "(Apple, friend) located_at=garden"]),
    ],
)
def test_one_name_with_two_notes_is_two_entities(notes: tuple[str, str], expected: list[str]) -> None:
    claims = [
        candidate(
            f"Apple is in the {place}",
            subject="Apple",
            subject_note=note,
            predicate="located_at",
            object=place,
            evidence=[{"turn": 1, "quote": f"Apple the {note} is in {place}"}],
        )
        for note, place in zip(notes, ("Cupertino", "garden"), strict=True)
    ]
    person = Person(model=proposing(claims[:1], claims[1:]))

    person.says(f"Apple the {notes[0]} is in Cupertino")
    person.says(f"Apple the {notes[1]} is in garden", day=30)

    assert (person.live, person.conflicts) == (expected, [])


# B26: one name, two people -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "said", "expected"),
    [
        (
            "en",
            ["My sister Anna lives in Turku", "My colleague Anna lives in Rome"],
            ["(Anna, colleague) lives_in=Rome", "(Anna, sister) lives_in=Turku"],
        ),
        (
            "en",
            ["My brother Tom lives in Rome", "My brother Tim lives in Oslo"],
            ["(Tim, brother) lives_in=Oslo", "(Tom, brother) lives_in=Rome"],
        ),
        (
            "en",
            ["My friend Victor works at Acme", "My boss Victor works at Nokia"],
            ["(Victor, boss) works_at=Nokia", "(Victor, friend) works_at=Acme"],
        ),
        (
            "de",
            ["Meine Schwester Anna wohnt in Turku", "Meine Kollegin Anna wohnt in Rom"],
            ["(Anna, Kollegin) lives_in=Rom", "(Anna, Schwester) lives_in=Turku"],
        ),
        (
            "es",
            ["Mi hermana Ana vive en Turku", "Mi jefa Ana vive en Roma"],
            ["(Ana, hermana) lives_in=Turku", "(Ana, jefa) lives_in=Roma"],
        ),
        (
            "fr",
            ["Ma sœur Anne habite à Turku", "Ma collègue Anne habite à Rome"],
            ["(Anne, collègue) lives_in=Rome", "(Anne, sœur) lives_in=Turku"],
        ),
        (
            "fi",
            ["Siskoni Anna asuu Turussa", "Kollegani Anna asuu Roomassa"],
            ["(Anna, kollega) lives_in=Rooma", "(Anna, sisko) lives_in=Turku"],
        ),
        (
            "ru",
            ["Моя сестра Анна живёт в Турку", "Моя подруга Анна живёт в Риме"],
            ["(Анна, подруга) lives_in=Рим", "(Анна, сестра) lives_in=Турку"],
        ),
    ],
)
def test_people_told_apart_stay_apart(language: str, said: Sequence[str], expected: list[str]) -> None:
    person = after(*said, language=language)

    assert (person.live, person.conflicts) == (expected, [])


@pytest.mark.parametrize(
    ("said", "held"),
    [
        (["My sister Anna lives in Turku", "My colleague Anna lives in Rome", "Anna plays chess"], "Anna plays chess"),
        (["My brother Tom likes tea", "My brother Tim likes jam", "My brother plays golf"], "Brother plays golf"),
        (
            ["My friend Victor drinks tea", "My boss Victor works at Acme", "Victor lives in Oslo"],
            "Victor lives in Oslo",
        ),
    ],
)
def test_claim_about_one_of_two_is_held_as_a_question(said: list[str], held: str) -> None:
    person = after(*said)

    assert person.held == [held]
