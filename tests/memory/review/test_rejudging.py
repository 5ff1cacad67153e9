"""Which candidates are judged again under other words of the gate: all that may have one, and few besides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.gate.phrases import compiled
from memory.review import rejudging


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("in a manner of speaking", {"speaking"}),
        ("may|might well", {"well"}),
        ("perhaps|maybe", {"perhaps", "maybe"}),
        ("(rather) perhaps*|maybe .. so", {"perhaps", "maybe"}),
        ("^ don't know $", {"know"}),
        ("don’t", {"don"}),
        ("weiß", {"wei"}),
        ("ещё разок", {"разок"}),
        ("maybe|*", {"maybe", ""}),
        ("* .. *", {""}),
    ],
)
def test_text_has_one_of_the_stems_if_it_has_the_phrase(phrase: str, expected: set[str]):
    assert rejudging.stems(phrase) == expected


WORDS = st.sampled_from(["don't", "don’t", "ещё", "еще", "weiß", "weiss", "maybe", "so-so", "a", "naïve", "ΟΔΟΣ"])


@given(st.lists(WORDS, min_size=1, max_size=4), st.lists(WORDS, min_size=1, max_size=3))
def test_no_text_in_which_the_gate_finds_a_phrase_is_passed_over(said: list[str], words: list[str]):
    text, phrase = " ".join(said), " ".join(words)
    read = f" {text} ".casefold().replace("ё", "е").replace("’", "'")

    has_phrase = bool(compiled(phrase).pattern.search(read))

    assert not has_phrase or any(
        stem in text.lower() or stem.upper() in text.upper() for stem in rejudging.stems(phrase)
    )
