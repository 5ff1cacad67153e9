"""From a file to a stream of episodes and of what could not be read."""

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memory.errors import InvalidEpisode, Unreadable
from memory.importing import chatgpt, claude, locomo, mem0, sources, values
from memory.incoming import IncomingEpisode, prepare, split

type Raw = Mapping[str, object]

_CONVERTERS: dict[str, Callable[[Raw, int], Iterable[Raw]]] = {
    "jsonl": lambda raw, _: [raw],
    "chatgpt": lambda raw, _: chatgpt.episodes(raw),
    "claude": lambda raw, _: claude.episodes(raw),
    "mem0": lambda raw, _: mem0.episodes(raw),
    "locomo": locomo.episodes,
}
FORMATS = ("auto", *_CONVERTERS)
_SIGNS = {
    "mapping": "chatgpt",
    "chat_messages": "claude",
    "memory": "mem0",
    "qa": "locomo",
    "conversation": "locomo",
    "turns": "jsonl",
}
_PLACES: tuple[values.Path, ...] = (
    ("item",),
    (),
    ("results", "item"),
    ("memories", "item"),
    ("conversations", "item"),
    ("episodes", "item"),
)
_PEEK = 8 << 20
_LONGEST_LINE = 64 << 20


@dataclass(frozen=True, slots=True)
class Broken:
    """What could not be read: where it stands, and why, for a person."""

    position: str
    why: str


type Record = IncomingEpisode | Broken


@dataclass(frozen=True, slots=True)
class _Shape:
    format: str
    path: values.Path


def read(
    path: Path,
    *,
    format: str = "auto",  # noqa: A002 - the name of the option
    user: str | None = None,
    on_bytes: sources.OnBytes | None = None,
) -> Iterator[Record]:
    """The episodes in a file, folder or ZIP, one at a time, with Broken for what could not be read.

    `user` names whose they are. A file that names several people is not given to one of them:
    records of a second one come out as Broken, except in LoCoMo, where `user` picks one speaker.
    Raises Unreadable when nothing can be read at all.
    """
    with sources.find(path, on_bytes=on_bytes) as found:
        for source in found:
            shape = _recognise(source, format)
            yield from _owned(_records(source, shape), user=user, is_picking=shape.format == "locomo")


def _recognise(source: sources.Source, name: str) -> _Shape:
    """The format, and where in the JSON its records stand; a named format is taken at its word."""
    with source.open() as stream:
        for place, key in values.keys(stream, limit=_PEEK):
            if key in _SIGNS and place in _PLACES and name in {"auto", _SIGNS[key]}:
                return _Shape(_SIGNS[key], place)
    with source.open() as stream:
        start = stream.read(_PEEK).lstrip()
    if name == "auto" and any(_is_episode(line) for line in start.splitlines()[:_LINES]):
        return _Shape("jsonl", ())
    if name == "auto":
        raise Unreadable(f"{source.name}: is in no format known here. Say which with --format, if it is one of them.")
    return _Shape(name, ("item",) if start.startswith(b"[") else ())


def _is_episode(line: bytes) -> bool:
    value = _parsed(line)
    return isinstance(value, dict) and "turns" in value


def _records(source: sources.Source, shape: _Shape) -> Iterator[Record]:
    with source.open() as stream:
        is_lines = shape.format == "jsonl" and not shape.path
        for index, (place, value) in enumerate(_lines(stream) if is_lines else _values(stream, shape.path)):
            position = f"{source.name}: {place}"
            if isinstance(value, values.Cut | values.Unusable):
                yield Broken(position, f"{value.why}.")
            else:
                yield from _converted(value, position, _Converter(_CONVERTERS[shape.format], index))


def _values(stream: io.BufferedReader, path: values.Path) -> Iterator[tuple[str, object]]:
    for index, value in enumerate(values.at(stream, path)):
        yield f"after record {index}" if isinstance(value, values.Cut) else f"record {index + 1}", value


def _lines(stream: io.BufferedReader) -> Iterator[tuple[str, object]]:
    """One value a line. A line over the limit is passed over without being held in memory."""
    offset = 0
    for number, (line, length) in enumerate(_bounded(stream), start=1):
        place = f"line {number} (byte {offset})"
        offset += length
        if length > _LONGEST_LINE:
            yield place, values.Unusable(f"is over {_LONGEST_LINE >> 20} MiB long")
        elif line.strip():
            yield place, _parsed(line)


def _bounded(stream: io.BufferedReader) -> Iterator[tuple[bytes, int]]:
    while line := stream.readline(_LONGEST_LINE + 1):
        length, end = len(line), line[-1:]
        while end != b"\n" and (more := stream.readline(_LONGEST_LINE)):
            length, end = length + len(more), more[-1:]
        yield line, length


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line.decode(), parse_constant=_refuse)
    except UnicodeDecodeError as error:
        return values.Unusable(f"is not UTF-8 text (byte {error.start} of the line)")
    except json.JSONDecodeError as error:
        return values.Unusable(f"is not JSON: {error.msg} at character {error.pos}")
    except (ValueError, RecursionError) as error:
        return values.Unusable(f"is not JSON that can be read: {error}")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _converted(value: object, position: str, convert: Callable[[Raw], Iterable[Raw | InvalidEpisode]]) -> Iterator[Record]:
    try:
        if not isinstance(value, dict):
            raise InvalidEpisode("must be an object.")
        for raw in convert(value):
            if isinstance(raw, InvalidEpisode):
                yield Broken(position, str(raw))
            else:
                yield from split(prepare(raw, is_limited=False))
    except InvalidEpisode as error:
        yield Broken(position, str(error))


def _owned(records: Iterator[Record], *, user: str | None, is_picking: bool) -> Iterator[Record]:
    """Gives what is the named user's to them, and nothing that another one's name is on."""
    only = None
    for record in records:
        if isinstance(record, Broken) or user is None:
            yield record
        elif is_picking:
            if record.user == user:
                yield record
        ...
