"""JSON as a stream of whole values, one record at a time in memory."""

import io
import itertools
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import ijson
from ijson.common import ObjectBuilder

MAX_DEPTH = 200
MAX_RECORD = 256 << 20
MAX_REPAIRS = 1_000
LIST = ("item",)
_CHUNK = 1 << 16
_MARKS = re.compile(rb'[\\"\[\]{},]')
_STEPS = {b"[": 1, b"{": 1, b"]": -1, b"}": -1, b",": 0}
_FAILURES = (ijson.JSONError, zipfile.BadZipFile, zlib.error, EOFError, OSError)
_OPENING = ("start_map", "start_array")
_CLOSING = ("end_map", "end_array")

type Path = tuple[str, ...]
"""Where a value stands: the keys above it, "item" for a list."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Why a stream of values ends before its end. `is_local`: what comes later may be sound again."""

    why: str
    is_local: bool = False


@dataclass(frozen=True, slots=True)
class Unusable:
    """A value that is not worth building."""

    why: str


class _Cutter:
    """Cuts parse events into the values at `path`. Values nested too deeply come out as Unusable."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._here: list[str] = []
        self._builder: ObjectBuilder | None = None
        self._depth = 0
        self.is_inside = False

    def take(self, event: str, value: object) -> tuple[object, ...]:
        """The value that ends with this event, if one does."""
        if self.is_inside:
            return self._build(event, value)
        if event in _CLOSING:
            self._here.pop()
        elif event == "map_key":
            self._here[-1] = str(value)
        elif tuple(self._here) == self._path:
            self._builder, self._depth, self.is_inside = ObjectBuilder(), 0, True
            return self._build(event, value)
        elif event in _OPENING:
            self._here.append("item" if event == "start_array" else "")
        return ()

    def _build(self, event: str, value: object) -> tuple[object, ...]:
        if event in _OPENING:
            self._depth += 1
        elif event in _CLOSING:
            self._depth -= 1
        if self._depth > MAX_DEPTH:
            self._builder = None
        if self._builder:
            self._builder.event(event, value)
        if self._depth:
            return ()
        self.is_inside = False
        return (self._builder.value if self._builder else Unusable(f"is nested over {MAX_DEPTH} levels deep"),)


def at(stream: io.BufferedReader, path: Path) -> Iterator[object]:
    """The values at `path`, then a Cut if the stream broke off or broke the grammar.

    Of a plain list, a value that breaks the grammar comes out as Unusable and the next ones follow.
    Several documents in a row, as in JSON Lines, are read as one stream.
    """
    begin, opening = stream.tell(), b""
    for _ in range(MAX_REPAIRS):
        count, cut = 0, None
        for value in _parsed(stream, path, opening=opening):
            cut = value if isinstance(value, Cut) else None
            if cut is None:
                count += 1
                yield value
        after = _after(stream, begin, opening=opening, index=count) if cut and cut.is_local and path == LIST else None
        if cut:
            yield cut if after is None else Unusable(cut.why)
        if after is None:
            return
        begin, opening = stream.seek(after), b"["
    yield Cut(f"over {MAX_REPAIRS} records break the grammar")


def _parsed(stream: io.BufferedReader, path: Path, *, opening: bytes) -> Iterator[object]:
    cutter, events = _Cutter(path), ijson.sendable_list()
    parser = _parser(events)
    offset = last = stream.tell()
    is_over = False
    try:
        if opening:  # nothing would mean the end
            parser.send(opening)
        for chunk in _chunks(stream):
            parser.send(chunk)
            offset += len(chunk)
            for value in _drain(events, cutter):
                last = offset
                yield value
            if cutter.is_inside and offset - last > MAX_RECORD:
                yield Cut(f"the record there is over {MAX_RECORD >> 20} MiB")
                return
        is_over = True
        parser.close()
    except _FAILURES as error:
        yield from _drain(events, cutter)
        yield Cut(f"{_reason(error)}, near byte {offset}", is_local=isinstance(error, ijson.JSONError) and not is_over)


def _after(stream: io.BufferedReader, begin: int, *, opening: bytes, index: int) -> int | None:
    """Where the value behind the one with this index begins, or None if there is none."""
    stream.seek(begin)
    commas = _commas(itertools.chain([opening], _chunks(stream)))
    place = next(itertools.islice(commas, index, None), None)
    return None if place is None else begin - len(opening) + place + 1


def _commas(chunks: Iterable[bytes]) -> Iterator[int]:
    """Where the commas of the outermost list stand, by quotes and brackets alone."""
    depth, offset, escaped, is_quoted = 0, 0, -1, False
    for chunk in chunks:
        for match in _MARKS.finditer(chunk):
            place, mark = offset + match.start(), match.group()
            if place == escaped:
                continue
            if mark == b"\\":
                escaped = place + 1
            elif mark == b'"':
                is_quoted = not is_quoted
            elif not is_quoted:
                depth += _STEPS[mark]
                if depth == 1 and mark == b",":
                    yield place
        offset += len(chunk)


def placed(stream: io.BufferedReader, path: Path) -> Iterator[tuple[str, object]]:
    """As `at`, each value with its place in words."""
    for index, value in enumerate(at(stream, path)):
        yield f"after record {index}" if isinstance(value, Cut) else f"record {index + 1}", value


def keys(stream: io.BufferedReader, *, limit: int) -> Iterator[tuple[Path, str]]:
    """The keys of objects near the top, each with where its object stands, from the first `limit` bytes."""
    events = ijson.sendable_list()
    parser = _parser(events)
    here: list[str] = []
    try:
        for chunk in _chunks(stream, limit=limit):
            parser.send(chunk)
            yield from _keys(events, here)
    except _FAILURES:
        yield from _keys(events, here)


def _parser(events: list[tuple[str, object]]) -> Any:
    """With C's numbers: without `use_float`, an integer of over 4,300 digits corrupts memory in ijson 3."""
    return ijson.basic_parse_coro(events, multiple_values=True, use_float=True)


def _keys(events: list[tuple[str, object]], here: list[str]) -> Iterator[tuple[Path, str]]:
    for event, value in events:
        if event in _OPENING:
            here.append("item" if event == "start_array" else "")
        elif event in _CLOSING:
            here.pop()
        elif event == "map_key":
            here[-1] = str(value)
            if len(here) <= 3:  # noqa: PLR2004 - a list in an object is the deepest place of records
                yield tuple(here[:-1]), here[-1]
    events.clear()


def _drain(events: list[tuple[str, object]], cutter: _Cutter) -> Iterator[object]:
    for event, value in events:
        yield from cutter.take(event, value)
    events.clear()


def _chunks(stream: io.BufferedReader, *, limit: int | None = None) -> Iterator[bytes]:
    left = limit
    while (left is None or left > 0) and (chunk := stream.read(_CHUNK)):
        left = None if left is None else left - len(chunk)
        yield chunk


def _reason(error: Exception) -> str:
    first = error.args[0] if error.args else ""
    said = first.decode(errors="replace") if isinstance(first, bytes) else str(first)
    if "overflow" in said:
        return "the JSON holds a number that is too large"
    if "premature EOF" in said:
        return "the file is cut off"
    if "UTF8" in said:
        return "the text is not UTF-8"
    return f"the JSON is broken ({said.splitlines()[0].strip() if said.strip() else type(error).__name__})"
