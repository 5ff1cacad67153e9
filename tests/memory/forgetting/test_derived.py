"""Facts derived from an erased one go too, unless something that stays bears them."""

from collections.abc import Mapping, Sequence

import pytest

from memory import forgetting, scope
from memory.models import Derivation, Fact, User
from tests.factories import make_user
from tests.memory.forgetting.living import claim, erase, fact, facts, tell

pytestmark = pytest.mark.django_db


def _known(*words: str, bases: Mapping[str, Sequence[str]]) -> User:
    """Someone who likes these words; `bases` says which of the likings are derived from which."""
    user = make_user()
    for word in words:
        tell(user, f"I like {word}.", claims=[claim(f"I like {word}.", predicate="likes", object=word)])
    pks = {word: fact(user, word).pk for word in words}
    with scope.user(user.pk):
        Derivation.objects.bulk_create(
            Derivation(user=user, fact_id=pks[word], base_id=pks[base]) for word, on in bases.items() for base in on
        )
    return user


@pytest.mark.parametrize(
    ("bases", "erased", "left"),
    [
        ({"opera": ["music"]}, ["music"], ["tea", "jazz"]),
        ({"opera": ["music"]}, ["opera"], ["tea", "jazz", "music"]),
        ({"jazz": ["music"], "opera": ["jazz"]}, ["music"], ["tea"]),
        ({"opera": ["music", "tea"]}, ["music"], ["tea", "jazz", "opera"]),
        ({"opera": ["music", "tea"]}, ["music", "tea"], ["jazz"]),
        ({"jazz": ["music"], "tea": ["music"], "opera": ["jazz", "tea"]}, ["music"], []),
        ({"jazz": ["music"], "opera": ["jazz", "tea"]}, ["music"], ["tea", "opera"]),
        ({"jazz": ["opera"], "opera": ["jazz"]}, ["music"], ["tea", "jazz", "opera"]),
    ],
    ids=["one", "the derived itself", "chain", "two bases, one stays", "two bases", "diamond", "half", "ring"],
)
def test_derived_facts_go_with_their_last_base(
    bases: Mapping[str, Sequence[str]], erased: Sequence[str], left: Sequence[str]
) -> None:
    user = _known("tea", "jazz", "music", "opera", bases=bases)

    erase(user, *erased)

    assert sorted(word for word, _ in facts(user)) == sorted(left)


def test_preview_tells_the_derived_from_the_named() -> None:
    user = _known("music", "opera", bases={"opera": ["music"]})
    music, opera = (fact(user, word).pk for word in ("music", "opera"))

    with scope.user(user.pk):
        going = forgetting.preview(user.pk, [music])

    assert (going.facts, going.dependent) == ((music,), (opera,))


def test_inference_that_names_a_fact_goes_with_it() -> None:
    user = make_user()
    tell(user, "I like opera.", claims=[claim("I like opera.", predicate="likes", object="opera")])
    for day in (10, 20):
        sentence = f"Day {day}: opera tickets again, a box for the season."
        guess = claim("Likes classical music.", predicate="likes", object="classical music", basis="inferred")
        told = {"about": 1, "evidence": [{"turn": 1, "quote": sentence}], "object": "opera tickets"}
        tell(user, sentence, claims=[guess | told], day=day)
    assert [word for word, _ in facts(user)] == ["opera", "opera tickets"]

    erase(user, "opera")

    assert facts(user) == []
    with scope.user(user.pk):
        assert Fact.objects.count() == 0
