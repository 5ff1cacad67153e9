"""Which person or thing a claim is about. A name plus what tells it apart; never by likeness.

Attribution is a pure fold over all mentions of a name in the order they were said, so that the
order of arrival does not matter:

- a mention with a note ("my sister Anna") is the entity of that name and note;
- a bare mention ("Anna") is the one so named that was told apart by then, or, before any was,
  the first that is later; with two or more told apart it is unclear, and held as a question;
- a bare role ("my brother") is, by the same rule, whoever has it as their note ("my brother Tom").
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

type Key = tuple[str, str]
"""name_key and note_key of an entity."""


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """One claim's subject. `order` is when it was said, made total by its place."""

    order: tuple[object, ...]
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
    told_apart = list(_told_apart(ordered))
    return {mention.claim: _one(mention, told_apart, owned) for mention in ordered}


def _told_apart(ordered: Sequence[Mention]) -> Iterator[tuple[tuple[object, ...], Key]]:
    """Each entity with a note, at the moment it was first named so. "little sister" is "sister" again."""
    seen: dict[str, list[str]] = defaultdict(list)
    for mention in ordered:
        if mention.note and not _known(mention.note, seen[mention.name]):
            seen[mention.name].append(mention.note)
            yield mention.order, (mention.name, mention.note)


def _known(note: str, notes: Sequence[str]) -> str | None:
    """The note among `notes` that says the same, give or take words around it."""
    tokens = set(note.split())
    return next((known for known in notes if tokens <= set(known.split()) or set(known.split()) <= tokens), None)


def _one(
    mention: Mention, told_apart: Sequence[tuple[tuple[object, ...], Key]], owned: Mapping[str, Key]
) -> Attributed:
    if not mention.note and mention.name in owned:
        return Attributed(owned[mention.name])
    if mention.note:
        notes = [key[1] for _, key in told_apart if key[0] == mention.name]
        return Attributed((mention.name, _known(mention.note, notes) or mention.note))
    meant = [(order, key) for order, key in told_apart if mention.name in key]
    by_then = [key for order, key in meant if order <= mention.order] or [key for _, key in meant[:1]]
    if len(by_then) > 1:
        return Attributed(None, between=tuple(by_then))
    return Attributed(by_then[0] if by_then else (mention.name, ""))
