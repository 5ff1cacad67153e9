"""Models spell subjects, predicates and objects as they like: one thing to say stays one fact."""

import pytest

from tests.faults.telling import Person, proposing
from tests.scripted_model import candidate

pytestmark = pytest.mark.django_db


def _twice(first: dict[str, str], second: dict[str, str], *said: str) -> Person:
    sentences = said or ("I live in Oslo, Norway.", "I live in Oslo, Norway.")
    claims = [candidate(sentences[n], **{"object": "Oslo"} | spelt) for n, spelt in enumerate((first, second))]
    person = Person(model=proposing(claims[:1], claims[1:]))
    for n, sentence in enumerate(sentences):
        person.says(sentence, day=n * 30)
    return person


@pytest.mark.parametrize(
    "predicate",
    [
        "lives in",
        "Lives In",
        "lives-in",
        "livesIn",
        "LIVES_IN",
        "residence",
        "home_city",
        "city",
        "location",
        "resides in",
        "is based in",
        "currently lives in",
        "is living in",
        "has residence in",
        "home city",
        "current city",
        "current location",
        "place of residence",
        "lives_in_city",
        "residence_city",
        "wohnt in",
        "vive en",
        "habite à",
        "asuu",
        "живёт в",
    ],
)
def test_predicate_in_another_spelling_is_the_same(predicate: str) -> None:
    person = _twice({"predicate": "lives_in"}, {"predicate": predicate})

    assert person.facts == ["active lives_in=Oslo"]


@pytest.mark.parametrize(
    ("predicate", "canonical"),
    [
        ("works at", "works_at"),
        ("employer", "works_at"),
        ("works for", "works_at"),
        ("is employed by", "works_at"),
        ("company", "works_at"),
        ("current employer", "works_at"),
        ("workplace", "works_at"),
        ("job", "works_as"),
        ("job title", "works_as"),
        ("occupation", "works_as"),
        ("is allergic to", "allergic_to"),
        ("allergy", "allergic_to"),
        ("allergies", "allergic_to"),
        ("has allergy to", "allergic_to"),
        ("has_allergy", "allergic_to"),
        ("food allergy", "allergic_to"),
        ("diet", "diet"),
        ("dietary preference", "diet"),
        ("follows diet", "diet"),
        ("speaks", "speaks"),
        ("speaks language", "speaks"),
        ("language spoken", "speaks"),
        ("languages", "speaks"),
        ("deploy target", "deploys_to"),
        ("deployment target", "deploys_to"),
        ("deploys to", "deploys_to"),
        ("likes", "likes"),
        ("loves", "likes"),
        ("enjoys", "likes"),
        ("is fond of", "likes"),
        ("favorite color", "favourite_color"),
        ("favourite colour", "favourite_color"),
        ("has name", "name"),
        ("is named", "name"),
        ("birthday", "born_on"),
        ("date of birth", "born_on"),
        ("spouse", "married_to"),
        ("wife", "married_to"),
        ("is married to", "married_to"),
        ("body weight", "weight"),
        ("weighs", "weight"),
        ("weight_kg", "weight"),
    ],
)
def test_predicate_is_filed_under_its_canonical_name(predicate: str, canonical: str) -> None:
    person = Person(model=proposing([candidate("My thing is Oslo.", predicate=predicate, object="Oslo")]))

    person.says("My thing is Oslo.")

    assert person.live == [f"{canonical}=Oslo"]


@pytest.mark.parametrize(
    ("predicate", "canonical"),
    [
        ("hates", "likes"),
        ("dislikes", "likes"),
        ("does not like", "likes"),
        ("doesn't like", "likes"),
        ("no longer likes", "likes"),
        ("does not eat", "eats"),
        ("can't stand", "likes"),
        ("no longer uses", "uses"),
        ("is not allergic to", "allergic_to"),
    ],
)
@pytest.mark.parametrize("polarity", ["affirms", "denies"])
def test_predicate_that_denies_denies_once(predicate: str, canonical: str, polarity: str) -> None:
    said = "I do not want any Oslo, I hate it, I never eat or use it, not even allergic."
    claim = candidate(said, predicate=predicate, object="Oslo", polarity=polarity)
    person = Person(model=proposing([claim]))

    person.says(said)

    expected = [] if (predicate in ANTONYMS and polarity == "denies") else [f"not {canonical}=Oslo"]
    assert [fact for fact in person.live if fact.startswith("not ")] == expected


ANTONYMS = ("hates", "dislikes", "can't stand")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("nurse", "a nurse"),
        ("nurse", "Nurse"),
        ("nurse", "the nurse"),
        ("Netherlands", "the Netherlands"),
        ("United States", "the US"),
        ("USA", "United States"),
        ("Postgres", "PostgreSQL"),
        ("New York City", "NYC"),
        ("Schweiz", "die Schweiz"),
        ("VS Code", "VS  Code"),
        ("Oslo", "Oslo."),
        ("Oslo", "oslo"),
        ("“Oslo”", "Oslo"),
    ],
)
def test_object_in_another_spelling_is_the_same(first: str, second: str) -> None:
    said = (f"It is {first} for me, truly.", f"It is {second} for me, truly.")
    person = _twice({"object": first}, {"object": second}, *said)

    assert [fact.partition(" ")[0] for fact in person.facts] == ["active"]


@pytest.mark.parametrize(
    "quote", ["I live in Oslo", "Oslo", "live in Oslo", "I live in Oslo and I love it here.", "in  Oslo"]
)
def test_quote_of_a_whole_turn_or_a_fragment_is_evidence(quote: str) -> None:
    claim = candidate("Lives in Oslo", evidence=[{"turn": 1, "quote": quote}])
    person = Person(model=proposing([claim]))

    person.says("I live in Oslo and I love it here.")

    assert person.live == ["lives_in=Oslo"]
