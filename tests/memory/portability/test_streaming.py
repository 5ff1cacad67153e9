"""A large JSON document read piece by piece is the document."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.portability import streaming
from memory.portability.streaming import LIST, members

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def _read(raw: str) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for name, value in members(io.BytesIO(raw.encode())):
        if value is LIST:
            document[name] = []
        elif isinstance(document.get(name), list):
            document[name].append(value)
        else:
            document[name] = value
    return document


@given(
    document=st.dictionaries(st.text(), VALUES, min_size=1, max_size=5),
    piece=st.integers(1, 9),
    indent=st.sampled_from([None, 1]),
)
def test_document_is_the_same_whatever_the_pieces(document: dict[str, Any], piece: int, indent: int | None):
    raw = json.dumps(document, ensure_ascii=False, indent=indent)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streaming, "PIECE", piece)
        read = _read(raw)

    assert read == document


@pytest.mark.parametrize(
    "raw", ["", "{", "[]", '{"a"', '{"a": 1', '{"a": [1', '{"a": [1,]}', "{1: 2}", '{"a": x}', '{"a" 1}']
)
def test_what_is_no_whole_document_is_refused(raw: str):
    with pytest.raises((ValueError, EOFError)):
        _read(raw)


def test_item_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(streaming, "LONGEST", 1_000)
    monkeypatch.setattr(streaming, "PIECE", 100)

    with pytest.raises(ValueError, match="longer than any"):
        _read('{"a": "' + "x" * 10_000)
