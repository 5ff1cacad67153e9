"""What differs between sentences that say nearly the same, word by word. No I/O."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby

_TOKEN = re.compile(r"\s+|\w+|[^\w\s]+")
MOST_TOKENS = 400
"""Longer texts are shown as they are: comparing them takes long, and a page of marks tells nobody anything."""
MOST_OTHERS = 8
"""With how many others a sentence is compared."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a sentence, and whether some other sentence has something else there."""

    text: str
    is_different: bool


def marked(texts: Sequence[str]) -> list[tuple[Piece, ...]]:
    """Each text in pieces. Letters' case is no difference, and neither is space."""
    split = [_TOKEN.findall(text) for text in texts]
    return [
        _pieces(tokens, _changed(tokens, split[:number] + split[number + 1 :])) for number, tokens in enumerate(split)
    ]


def _changed(tokens: list[str], others: list[list[str]]) -> set[int]:
    found: set[int] = set()
    for other in others[:MOST_OTHERS]:
        if max(len(tokens), len(other)) > MOST_TOKENS:
            return set()
        matcher = SequenceMatcher(None, _folded(tokens), _folded(other), autojunk=False)
        same = {place for block in matcher.get_matching_blocks() for place in range(block.a, block.a + block.size)}
        found |= set(range(len(tokens))) - same
    return {place for place in found if not tokens[place].isspace()} | _between(tokens, found)


def _between(tokens: list[str], found: set[int]) -> set[int]:
    """Space between two words that both differ belongs to the same mark."""
    return {place for place, token in enumerate(tokens) if token.isspace() and {place - 1, place + 1} <= found}


def _folded(tokens: list[str]) -> list[str]:
    return [" " if token.isspace() else token.casefold() for token in tokens]


def _pieces(tokens: list[str], changed: set[int]) -> tuple[Piece, ...]:
    runs = groupby(range(len(tokens)), key=lambda place: place in changed)
    return tuple(Piece("".join(tokens[place] for place in places), is_different) for is_different, places in runs)
