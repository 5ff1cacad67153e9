"""By which words an erased claim is told elsewhere."""

import pytest

from memory.forgetting import wording


@pytest.mark.parametrize(
    "words", ["Oslo", "oat milk", "zebra-7731", "东京", "🦓", "Ёж", "is divorced", "1.5 litres", "tea"]
)
def test_object_that_names_something_is_telling(words: str) -> None:
    assert wording._is_telling(words) is (words != "Ёж")


@pytest.mark.parametrize(
    "words", ["yes", "Yes", "no", "true", "nein", "oui", "sí", "kyllä", "да", "5", "C", "B1", "猫", "", "!"]
)
def test_object_that_could_be_anything_is_not_telling(words: str) -> None:
    assert wording._is_telling(words) is False


@pytest.mark.parametrize(
    ("words", "content", "found"),
    [
        ("Oslo", "oslo and OSLO, not Oslofjord", ["oslo", "OSLO"]),
        ("zebra-7731", "zebra-7731's zebra-77312", ["zebra-7731"]),
        ("oat  milk", "oat\nmilk", ["oat\nmilk"]),
        ('the "big" one', "the “big” one", ["the “big” one"]),
        ("东京", "我住在东京。", ["东京"]),
        ("C++ (all of it)", "She knows C++ (all of it).", ["C++ (all of it)"]),
        ("🦓", "my🦓here", ["🦓"]),
        ("a.b", "axb", []),
    ],
)
def test_words_are_found_as_words(words: str, content: str, found: list[str]) -> None:
    assert [content[start:end] for start, end in wording.places(content, [words])] == found
