"""Whole histories through the real pipeline and database: the memory they end in, in every order of arrival."""

import pytest
from pytest_django import Settings

from tests.dialogue import Dialogue, differences, play, play_at_once, play_in_any_order, read_all

pytestmark = pytest.mark.django_db

DIALOGUES = read_all()


@pytest.fixture
def dialogue(request: pytest.FixtureRequest, settings: Settings) -> Dialogue:
    """The dialogue of the parameter, with the clock at its end."""
    found: Dialogue = request.param
    settings.ASSAY_NOW = found.now
    return found


every_dialogue = pytest.mark.parametrize("dialogue", DIALOGUES, indirect=True, ids=[d.slug for d in DIALOGUES])


@every_dialogue
def test_dialogue_as_it_happened_ends_in_its_memory(dialogue: Dialogue) -> None:
    order = range(len(dialogue.episodes))

    state = play(dialogue, order)

    assert differences(state, dialogue) == []


@every_dialogue
def test_dialogue_in_any_order_ends_in_the_same_memory(dialogue: Dialogue) -> None:
    first = play(dialogue, range(len(dialogue.episodes)))

    others = {order: end for order, end in play_in_any_order(dialogue) if end != first}

    assert others == {}


@every_dialogue
def test_dialogue_in_one_import_ends_in_the_same_memory(dialogue: Dialogue) -> None:
    one_by_one = play(dialogue, range(len(dialogue.episodes)))

    at_once = play_at_once(dialogue)

    assert at_once == one_by_one


def test_recorded_quotes_stand_in_the_turns_they_name() -> None:
    quotes = [
        (episode["turns"][quote["turn"] - 1]["content"], quote["quote"])
        for dialogue in DIALOGUES
        for episode in dialogue.episodes
        for candidate in episode.get("candidates", [])
        for quote in candidate["evidence"]
    ]

    strays = [quote for content, quote in quotes if quote not in content]

    assert strays == []
