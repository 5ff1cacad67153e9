"""Results of tools that describe the user: JSON or `key: value` lines whose keys say so."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from memory import keying
from memory.types import Kind, Proposal, Quote, Turn

MAX_CHARS = 20_000
MAX_VALUE = 120
_LINE = re.compile(r"^[ \t]*[-*]?[ \t]*\"?([A-Za-z][\w .-]{1,40}?)\"?[ \t]*[:=][ \t]*(\S.*?)[ \t]*,?$", re.MULTILINE)


def read(turn: Turn, *, owner: str) -> Iterator[Proposal]:
    """Proposals about the user from a result that is plainly a description of them."""
    if len(turn.content) > MAX_CHARS:
        return
    for key, value, quote in _pairs(turn):
        entry = keys()["keys"].get(key)
        if entry and len(value) <= MAX_VALUE:
            yield Proposal(
                text=entry["text"].replace("{obj}", value),
                subject=owner,
                predicate=entry["predicate"],
                object=value,
                kind=Kind(entry["kind"]),
                evidence=(Quote(turn.n, quote),),
            )


def _pairs(turn: Turn) -> Iterator[tuple[str, str, str]]:
    """Key, value and the words that say so, from what describes a person and nothing else."""
    try:
        value = json.loads(turn.content)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        names = [keying.predicate_key(key) for key, item in value.items() if not isinstance(item, dict | list)]
        yield from _of_object(value, turn, is_profile=_is_profile(turn.name) or _are_known(names))
    elif value is None:
        yield from _of_lines(turn)


def _of_lines(turn: Turn) -> Iterator[tuple[str, str, str]]:
    found = [(keying.predicate_key(m[1]), m[2], m[0].strip()) for m in _LINE.finditer(turn.content)]
    is_all = len(found) == sum(1 for line in turn.content.splitlines() if line.strip())
    if found and (_is_profile(turn.name) or (is_all and _are_known([key for key, _, _ in found]))):
        yield from found


def _of_object(value: Mapping[str, Any], turn: Turn, *, is_profile: bool) -> Iterator[tuple[str, str, str]]:
    """Its own values if it is a profile, and those of the profiles in it."""
    for key, item in value.items():
        if isinstance(item, dict):
            yield from _of_object(item, turn, is_profile=_is_profile(key))
        elif is_profile and isinstance(item, str | int | float) and not isinstance(item, bool):
            quote = _quote(key, item, turn.content)
            if quote:
                yield keying.predicate_key(key), str(item), quote


def _quote(key: str, item: object, content: str) -> str:
    """The verbatim `"key": value` of the text; "" when it is written in a way of its own."""
    written = (json.dumps(item, ensure_ascii=False), json.dumps(item))
    pattern = rf"{re.escape(json.dumps(key, ensure_ascii=False))}\s*:\s*(?:{'|'.join(map(re.escape, written))})"
    match = re.search(pattern, content)
    return match[0] if match else ""


def _are_known(names: list[str]) -> bool:
    """A forecast has a city and a temperature; what has nothing but a person's keys describes a person."""
    known = keys()
    return bool(names) and all(key in known["keys"] or key in known["beside"] for key in names)


def _is_profile(name: str) -> bool:
    parts = keying.predicate_key(name).split("_")
    return any(part in keys()["profiles"] for part in parts)


@cache
def keys() -> dict[str, Any]:
    """The keys that say something of a person, by what stands beside them."""
    return tomllib.loads((Path(__file__).parent / "tools.toml").read_text(encoding="utf-8"))
