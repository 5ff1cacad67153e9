"""How stored values are put into words, and people into URLs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.models import ApiKey, JobState, State
from memory.models.ownership import Owned
from memory.types import Kind, Relation, Role, Status, Verdict
from reviewer import wording
from reviewer.converters import PersonConverter
from reviewer.templatetags import words


@pytest.mark.parametrize(
    ("table", "codes"),
    [
        ("STATUSES", Status),
        ("KINDS", Kind),
        ("ROLES", Role),
        ("EPISODES", State),
        ("JOBS", JobState),
        ("VERDICTS", Verdict),
        ("RELATIONS", Relation),
    ],
)
def test_every_code_has_a_word(table: str, codes: type):
    known = getattr(wording, table)

    assert {code.value for code in codes} <= set(known)


def test_every_table_that_goes_with_a_person_has_a_word():
    tables = {model._meta.db_table.removeprefix("memory_") for model in [ApiKey, *Owned.__subclasses__()]}

    assert tables - set(wording.TABLES) == set()


@pytest.mark.parametrize("text", ["plain", "naïve", "日本語", "👩\u200d🚀", "می\u200cخواهم", "a\n\tb", "co\u00adop"])
def test_ordinary_text_is_shown_unchanged(text: str):
    assert words.shown(text) == text


@pytest.mark.parametrize("code", [0x202E, 0x2066, 0x200B, 0xFEFF, 0x0000, 0x001B, 0x0085, 0xE0041])
def test_hidden_character_is_shown_by_its_code(code: int):
    assert words.shown(f"a{chr(code)}b") == f"a⟨U+{code:04X}⟩b"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("user", "said by the user"),
        ("tool:crm", "shown by the tool crm"),
        ("imported:mem0", "imported from mem0"),
        ("inferred", "inferred, not said"),
        ("odd%s", "odd%s"),
    ],
)
def test_source_is_told_in_words(source: str, said: str):
    assert words.source(source) == said


@given(st.text(min_size=1).filter(lambda text: "\x00" not in text))
def test_any_id_survives_its_url(external_id: str):
    converter = PersonConverter()

    written = converter.to_url(external_id)

    assert ("/" in written, written in {".", ".."}, converter.to_python(written)) == (False, False, external_id)


@pytest.mark.parametrize("written", ["~", "~6Da", "~2f", "a~", "~zz", "\x00"])
def test_other_spelling_of_an_id_is_no_address(written: str):
    with pytest.raises(ValueError, match="no id"):
        PersonConverter().to_python(written)
