"""Words compared but for their endings, and which words of a text tell anything."""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from memory import text
from memory.gate import wordlists

_STEM = 3
_ENDING = 2


@lru_cache(maxsize=16384)
def is_akin(one: str, other: str) -> bool:
    """Whether two words are one but for their endings; numbers and short words must be equal."""
    if one == other:
        return True
    if one[:_STEM] != other[:_STEM]:
        return False
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < _STEM or not (one.isalpha() and other.isalpha()):
        return False
    shared = next((i for i, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    return shared >= max(_STEM, len(shorter) - _ENDING) and len(longer) - shared <= max(_ENDING, len(shorter) - 1)


def content(plain: str) -> tuple[str, ...]:
    """The words of a text that mean something; all of them if none does."""
    return telling(plain) or all_of(plain)


@lru_cache(maxsize=2048)
def telling(plain: str) -> tuple[str, ...]:
    """The words of a text without those that any sentence may have."""
    return tuple(word for word in all_of(plain) if word not in _idle())


@lru_cache(maxsize=2048)
def all_of(plain: str) -> tuple[str, ...]:
    """The words of a text, each without what only joins it to others."""
    return tuple(_bare(word) for word in text.words(plain))


def _bare(word: str) -> str:
    """Without a possessive ending or a French elision."""
    return _ELISION.sub("", word).removesuffix("'s").removesuffix("’s")


_ELISION = re.compile("^(?:[cdjlmnst]|qu)['’](?=..)")


@cache
def _idle() -> frozenset[str]:
    lists = (("vague", "small"), ("polarity", "negators"), ("resting", "idle"))
    return frozenset().union(*(wordlists.flat(name, table) for name, table in lists))


type Index = Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=2048)
def index(wanted: Iterable[str]) -> Index:
    """Words by their beginnings, for `found`."""
    filed: dict[str, tuple[str, ...]] = {}
    for word in wanted:
        filed[word[:_STEM]] = (*filed.get(word[:_STEM], ()), word)
    return filed


@lru_cache(maxsize=2048)
def index_of(plain: str) -> Index:
    """All words of a text, filed."""
    return index(all_of(plain))


def found(token: str, wanted: Index) -> list[str]:
    """The wanted words that a token of a sentence is, or has as one of its parts."""
    parts = _parts(token)
    return [word for part in parts for word in wanted.get(part[:_STEM], ()) if is_akin(word, part)]


@lru_cache(maxsize=16384)
def _parts(token: str) -> tuple[str, ...]:
    bare = _bare(token)
    return (bare, *bare.split("-")) if "-" in bare else (bare,)
