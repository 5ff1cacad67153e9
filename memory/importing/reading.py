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


def _records(source: sources.Source, shape: _Shape) -> Iterator[Record]:
    with source.open() as stream:
        if shape.format == "jsonl" and not shape.path:
            items = _lines(stream)
        else:
            items = _values(stream, shape.path)
        for index, (place, value) in enumerate(items):
            position = f"{source.name}: {place}"
            yield value if isinstance(value, Broken) else _converted(value, index)


def _converted() -> None: ...
