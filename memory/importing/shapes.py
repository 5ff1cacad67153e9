"""Which format a file is in, and where in its JSON the records stand."""

from dataclasses import dataclass

from memory.errors import Unreadable
from memory.importing import lines, values
from memory.importing.sources import Source

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
_FIRST_LINES = 20


@dataclass(frozen=True, slots=True)
class Shape:
    """A format, and the keys above its records; none when records are documents or lines of their own."""

    format: str
    path: values.Path

    @property
    def is_lines(self) -> bool:
        return self.format == "jsonl" and not self.path


def recognise(source: Source, *, named: str) -> Shape:
    """By the first telling key. A format that was `named` is taken at its word. Raises Unreadable."""
    with source.open() as stream:
        for place, key in values.keys(stream, limit=_PEEK):
            if place in _PLACES and _SIGNS.get(key) and named in {"auto", _SIGNS[key]}:
                return Shape(_SIGNS[key], place)
    with source.open() as stream:
        start = stream.read(_PEEK).lstrip()
    if named == "auto" and not any(_is_episode(line) for line in start.splitlines()[:_FIRST_LINES]):
        raise Unreadable(f"{source.name}: holds no record in a known format. If it is in one, name it with --format.")
    if named in {"auto", "jsonl"}:
        return Shape("jsonl", ())
    return Shape(named, ("item",) if start.startswith(b"[") else ())


def _is_episode(line: bytes) -> bool:
    value = lines.parsed(line)
    return isinstance(value, dict) and "turns" in value
