"""Who is meant: a pure fold over the mentions of a name, in the order they were said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import entities
from memory.entities import Attributed, Mention

NAMES = ["anna", "tom", "max", "brother"]
NOTES = ["", "sister", "colleague", "brother"]

mentions = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NOTES)), max_size=8).map(
    lambda pairs: [Mention((n,), n, name, note) for n, (name, note) in enumerate(pairs)]
)


def meant(*said: tuple[str, str], owned: dict[str, entities.Key] | None = None) -> list[entities.Key | None]:
    """Of mentions in the order they were said: name and note."""
    found = entities.attribute([Mention((n,), n, *one) for n, one in enumerate(said)], owned=owned or {})
    return [found[n].entity for n in range(len(said))]


@given(mentions, st.randoms())
def test_order_of_arrival_does_not_matter(said: list[Mention], chance: object) -> None:
    shuffled = list(said)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]

    assert entities.attribute(shuffled, owned={}) == entities.attribute(said, owned={})


@given(mentions)
def test_mention_with_a_note_is_always_who_it_says(said: list[Mention]) -> None:
    found = entities.attribute(said, owned={})

    assert all(found[one.claim].entity == (one.name, one.note) for one in said if one.note)


def test_names_that_are_only_alike_are_apart() -> None:
    assert meant(("tigran", ""), ("iran", ""), ("victor h", ""), ("victor", "")) == [
        ("tigran", ""),
        ("iran", ""),
        ("victor h", ""),
        ("victor", ""),
    ]


def test_sister_and_colleague_of_one_name_are_two() -> None:
    assert meant(("anna", "sister"), ("anna", "colleague")) == [("anna", "sister"), ("anna", "colleague")]


def test_bare_name_means_the_one_told_apart_by_then() -> None:
    assert meant(("anna", "sister"), ("anna", ""), ("anna", "colleague")) == [
        ("anna", "sister"),
        ("anna", "sister"),
        ("anna", "colleague"),
    ]


def test_bare_name_before_it_was_told_apart_means_the_first() -> None:
    assert meant(("anna", ""), ("anna", "sister"))[0] == ("anna", "sister")


def test_bare_name_of_two_is_a_question() -> None:
    found = entities.attribute(
        [Mention((0,), 0, "anna", "sister"), Mention((1,), 1, "anna", "colleague"), Mention((2,), 2, "anna")], owned={}
    )

    assert found[2] == Attributed(None, between=(("anna", "sister"), ("anna", "colleague")))


def test_bare_role_means_who_has_it() -> None:
    assert meant(("tom", "brother"), ("brother", "")) == [("tom", "brother"), ("tom", "brother")]


def test_bare_role_of_two_brothers_is_a_question() -> None:
    assert meant(("tom", "brother"), ("max", "brother"), ("brother", ""))[2] is None


def test_name_that_a_person_fixed_means_what_they_said() -> None:
    assert meant(("annie", ""), ("anna", "sister"), owned={"annie": ("anna", "sister")})[0] == ("anna", "sister")


def test_fixed_name_with_a_note_is_someone_else() -> None:
    assert meant(("annie", "vet"), owned={"annie": ("anna", "sister")}) == [("annie", "vet")]


@pytest.mark.parametrize(
    ("note", "key"),
    [
        ("sister", "sister"),
        ("my little sister", "sister"),
        ("the user's sister", "sister"),
        ("sister-in-law", "sister in law"),
        ("ex-wife", "ex wife"),
        ("meine jüngere Schwester", "schwester"),
        ("ma petite sœur", "sœur"),
        ("mi hermana mayor", "hermana"),
        ("моя младшая сестра", "сестра"),
        ("minun pikku sisko", "sisko"),
        ("the little one", "one"),
        ("my", "my"),
        ("", ""),
    ],
)
def test_note_keeps_what_tells_apart(note: str, key: str) -> None:
    assert entities.note_key(note) == key
