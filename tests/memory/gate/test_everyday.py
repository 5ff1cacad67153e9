"""Everyday sentences about home, work, family, tastes, tools and plans, as a native reader would take them."""

import pytest

from tests.memory.gate.everyday import EVERYDAY
from tests.memory.gate.hearing import heard


@pytest.mark.parametrize("language", EVERYDAY)
def test_hear_everyday_sentence_is_taken_as_it_is_meant(language: str) -> None:
    said = EVERYDAY[language]

    assert {sentence: heard(sentence, language) for sentence in said} == said
