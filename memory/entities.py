"""Which person or thing a claim is about. A name plus what tells it apart; never by likeness.

Attribution is a pure fold over all mentions of a name in the order they were said, so that the
order of arrival does not matter:

- a mention with a note ("my sister Anna") is the entity of that name and note;
- a bare mention ("Anna") is the one so named that was told apart by then, or, before any was,
  the first that is later; with two or more told apart it is unclear, and held as a question;
- a bare role ("my brother") is, by the same rule, whoever has it as their note ("my brother Tom").
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from memory import text

type Key = tuple[str, str]
"""name_key and note_key of an entity."""
type Order = tuple[object, ...]
"""When something was said, made total by its place."""

_NOTES = Path(__file__).parent / "data" / "notes.toml"


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """One claim's subject."""

    order: Order
    claim: int
    name: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Attributed:
    """The entity a mention means, or those between which it is unclear."""

    entity: Key | None
    between: tuple[Key, ...] = ()


def attribute(mentions: Iterable[Mention], *, owned: Mapping[str, Key]) -> dict[int, Attributed]:
    """Claim id → whom it is about, over all mentions of a connected set of names.

    `owned` maps names a person has fixed (aliases, and those of the user) to their entity.
    """
    ordered = sorted(mentions)
    told_apart = _told_apart(ordered)
    return {mention.claim: _one(mention, told_apart, owned) for mention in ordered}


def note_key(note: str) -> str:
    """A note as it tells apart: "my little sister" is "sister", "sister-in-law" and "ex-wife" stay themselves."""
    words = text.name_key(note).split()
    left = [word for word in words if word not in _idle_words() and not text.is_self(word)]
    return " ".join(left or words)


@cache
def _idle_words() -> frozenset[str]:
    data = tomllib.loads(_NOTES.read_text(encoding="utf-8"))
    return frozenset(word for name, words in data.items() if name != "version" for word in words)


def _told_apart(ordered: Sequence[Mention]) -> dict[Key, Order]:
    """Each entity with a note, and when it was first named so."""
    seen: dict[Key, Order] = {}
    for mention in ordered:
        if mention.note:
            seen.setdefault((mention.name, mention.note), mention.order)
    return seen


def _one(mention: Mention, told_apart: Mapping[Key, Order], owned: Mapping[str, Key]) -> Attributed:
    if mention.note:
        return Attributed((mention.name, mention.note))
    if mention.name in owned:
        return Attributed(owned[mention.name])
    meant = [key for key in told_apart if mention.name in key]
    by_then = [key for key in meant if told_apart[key] <= mention.order] or meant[:1]
    if len(by_then) > 1:
        return Attributed(None, between=tuple(by_then))
    return Attributed(by_then[0] if by_then else (mention.name, ""))
