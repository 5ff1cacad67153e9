"""Short words with endings and parts of compounds are the words that were said."""

import pytest

from memory.types import Judgement, Reason

from .judging import judge

SAID = [
    ("Pidän teestä.", "tee"),
    ("Juon maitoa.", "maito"),
    ("Kävelen suossa.", "suo"),
    ("Minulla on pähkinäallergia.", "pähkinät"),
    ("Ich habe eine Nussallergie.", "Nüsse"),
    ("Ich habe eine Nussallergie.", "Nuss"),
    ("Ich habe eine Erdnussallergie.", "Erdnüsse"),
    ("Ich bin Mathelehrer.", "Lehrer"),
]
OTHER = [
    ("Pidän teestä.", "tie"),
    ("Ich habe eine Nussallergie.", "Milch"),
    ("Ich habe keine Nussallergie.", "Nüsse"),
    ("I go to parties.", "art"),
    ("I like steak.", "tea"),
]


@pytest.mark.parametrize(("content", "obj"), SAID)
def test_object_said_with_an_ending_or_in_a_compound_is_accepted(content: str, obj: str) -> None:
    judgement = judge(content, content.removesuffix("."), obj)

    assert judgement == Judgement(is_accepted=True, source="user")


@pytest.mark.parametrize(("content", "obj"), OTHER)
def test_object_that_only_looks_like_a_word_said_is_refused_as_unsourced(content: str, obj: str) -> None:
    judgement = judge(content, content.removesuffix("."), obj)

    assert judgement.reason is Reason.UNSOURCED
