"""A large JSON object read once, member by member, and its lists item by item: what is in memory is one item."""

import io
import json
from collections.abc import Iterator
from typing import IO, Any

PIECE = 1 << 16
LONGEST = 1 << 26
"""Characters of one item; more is not waited for."""

_SPACE = " \t\r\n"
_AFTER = frozenset(f",:]}}{_SPACE}")


def members(file: IO[bytes]) -> Iterator[tuple[str, Any]]:
    """(name, value) of the object in a UTF-8 file; a list comes as (name, item) for each item, after (name, LIST).

    Raises ValueError for what is no JSON, EOFError where it ends too soon, RecursionError for what is too deep.
    """
    text = _Text(file)
    text.expect("{")
    while True:
        name = text.value()
        if not isinstance(name, str):
            raise ValueError("a member without a name")  # noqa: TRY004 - as the decoder says of other nonsense
        text.expect(":")
        yield from _items(name, text) if text.peek() == "[" else [(name, text.value())]
        if text.expect(",}") == "}":
            return


LIST = object()
"""Stands for the list whose items follow."""


def _items(name: str, text: "_Text") -> Iterator[tuple[str, Any]]:
    yield name, LIST
    text.expect("[")
    if text.peek() == "]":
        text.expect("]")
        return
    yield name, text.value()
    while text.expect(",]") == ",":
        yield name, text.value()


class _Text:
    """What is left of the file, as much of it as is needed."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = io.TextIOWrapper(file, encoding="utf-8", newline="")
        self._text, self._at, self._is_all = "", 0, False
        self._decoder = json.JSONDecoder()

    def expect(self, signs: str) -> str:
        """The next sign, which must be one of these."""
        sign = self.peek()
        if sign not in signs:
            raise ValueError("not the sign that must stand here")
        self._at += 1
        return sign

    def peek(self) -> str:
        """The next sign that is no space."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            self._read()

    def value(self) -> Any:
        """The whole value that begins here. Of a number only a part may have been read: `1` or `1.` of `1.5`."""
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError:
                self._read()
                continue
            if self._is_all or self._text[end : end + 1] in _AFTER:
                self._at = end
                return value
            self._read()

    def _read(self) -> None:
        """More of it: twice as much as an item took so far, so that a long one is not read over and over."""
        left = self._text[self._at :]
        more = "" if self._is_all else self._file.read(max(PIECE, len(left)))
        if not more and self._is_all:
            raise EOFError("it ends in the middle")
        if len(left) > LONGEST:
            raise ValueError("an item that is longer than any of ours")
        self._is_all = not more
        self._text, self._at = left + more, 0
