"""Candidates as models write them, sound and broken."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.extraction.reading import MAX_CHARS, MAX_QUOTES, read
from memory.types import Basis, Kind, Polarity, Proposal, Quote, Speech
from tests.scripted_model import candidate


def test_read_whole_candidate_is_all_there() -> None:
    raw = candidate(
        "Anna hates Oslo",
        subject="Anna",
        subject_note="sister",
        predicate="likes",
        kind="preference",
        polarity="denies",
        basis="inferred",
        speech="changes",
        valid_from="2024-02-26/2024-03-03",
        valid_to="2024-03",
        expires_on="2026",
        about=2,
    )

    assert read(raw, known=2) == Proposal(
        text="Anna hates Oslo",
        subject="Anna",
        subject_note="sister",
        predicate="likes",
        object="Oslo",
        kind=Kind.PREFERENCE,
        polarity=Polarity.DENIES,
        basis=Basis.INFERRED,
        speech=Speech.CHANGES,
        valid_from="2024-02-26/2024-03-03",
        valid_to="2024-03",
        expires_on="2026",
        about=2,
        evidence=(Quote(1, "Anna hates Oslo"),),
    )


def test_read_optional_fields_missing_are_the_plain_ones() -> None:
    wanted = ("text", "subject", "predicate", "object", "kind", "evidence")
    raw = {name: value for name, value in candidate("Lives in Oslo").items() if name in wanted}

    read_one = read(raw, known=0)

    assert read_one.flaw == ""
    assert (read_one.polarity, read_one.basis, read_one.speech) == (Polarity.AFFIRMS, Basis.STATED, Speech.STATES)
    assert (read_one.subject_note, read_one.valid_from, read_one.about) == (None, None, None)


@pytest.mark.parametrize(
    ("raw", "clean"), [("Os\u200blo\0", "Oslo"), ("Oslo\ud83d", "Oslo"), ("  Oslo ", "Oslo"), ("e\u0301", "é")]
)
def test_read_strings_are_cleaned(raw: str, clean: str) -> None:
    made = read(candidate("x", object=raw, evidence=[{"turn": 1, "quote": raw}]), known=0)

    assert (made.object, made.evidence) == (clean, (Quote(1, clean),))


@pytest.mark.parametrize(
    ("raw", "read_as"),
    [
        ("2024-03-10T22:30:00Z", "2024-03-10"),
        ("2024-03-10 22:30", "2024-03-10"),
        ("", None),
        (" ", None),
        (" 2026 ", "2026"),
        (None, None),
    ],
)
def test_read_dates_of_other_forms_are_brought_to_ours(raw: str | None, read_as: str | None) -> None:
    made = read(candidate("x", valid_from=raw), known=0)

    assert (made.valid_from, made.flaw) == (read_as, "")


DEEP: Any = "x"
for _ in range(5000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "fact"},
        {"kind": "Preference"},
        {"kind": None},
        {"polarity": "yes"},
        {"polarity": None},
        {"basis": "guessed"},
        {"speech": 3},
        {"text": None},
        {"text": 5},
        {"text": ["a"]},
        {"subject": {"name": "Anna"}},
        {"object": True},
        {"object": float("nan")},
        {"predicate": DEEP},
        {"subject_note": 1},
        {"valid_from": "last week"},
        {"valid_from": "2024-02-30"},
        {"valid_from": "2024-03-03/2024-02-26"},
        {"valid_to": 2024},
        {"expires_on": "soon"},
        {"about": 3},
        {"about": 0},
        {"about": -1},
        {"about": "1"},
        {"about": True},
        {"about": 1.0},
        {"about": 10**30},
        {"evidence": None},
        {"evidence": "Lives in Oslo"},
        {"evidence": [None]},
        {"evidence": [{"turn": 1}]},
        {"evidence": [{"turn": "1", "quote": "x"}]},
        {"evidence": [{"turn": True, "quote": "x"}]},
        {"evidence": [{"turn": float("nan"), "quote": "x"}]},
        {"evidence": [{"turn": 1, "quote": None}]},
        {"evidence": [{"turn": 1, "quote": "x"}] * (MAX_QUOTES + 1)},
        {"text": "x" * (MAX_CHARS + 1)},
        {"object": "x" * 2_000_000},
        {"evidence": [{"turn": 1, "quote": "x" * (MAX_CHARS + 1)}]},
    ],
    ids=lambda change: "-".join(f"{k}" for k in change),
)
def test_read_wrong_field_is_a_flaw_that_names_it(change: dict[str, Any]) -> None:
    made = read(candidate("Lives in Oslo") | change, known=2)

    assert made.flaw != ""
    assert len(made.text) <= MAX_CHARS
    assert len(made.object) <= MAX_CHARS


@pytest.mark.parametrize("name", ["text", "subject", "predicate", "object", "kind", "evidence"])
def test_read_field_missing_is_a_flaw_that_names_it(name: str) -> None:
    raw = candidate("Lives in Oslo")
    del raw[name]

    assert read(raw, known=0).flaw == f"{name}: missing"


@pytest.mark.parametrize("raw", [None, 1, "Lives in Oslo", [], [candidate("x")], float("inf"), True])
def test_read_what_is_no_object_is_a_flaw(raw: object) -> None:
    assert read(raw, known=0) == Proposal("", "", "", "", flaw=read(raw, known=0).flaw)
    assert read(raw, known=0).flaw != ""


def test_read_broken_candidate_keeps_its_quotes_for_the_gate_to_see() -> None:
    made = read(
        candidate(
            "x", kind="?", evidence=[{"turn": 1, "quote": "my password is hunter2"}, {"turn": 10**40, "quote": "y"}]
        ),
        known=0,
    )

    assert made.evidence == (Quote(1, "my password is hunter2"),)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda c: st.lists(c) | st.dictionaries(st.text(), c),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(sorted(candidate("x"))), JSON), st.integers(0, 3))
def test_read_anything_gives_a_proposal(change: dict[str, Any], known: int) -> None:
    made = read(candidate("Lives in Oslo") | change, known=known)

    assert made.about is None or 1 <= made.about <= known
    assert "\0" not in made.text
