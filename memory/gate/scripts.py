"""Words that mix Latin and Cyrillic letters that look the same, read as the one word that they look like."""

from functools import lru_cache

import regex

_LATIN, _CYRILLIC = "aceopxyikmthb", "асеорхуікмтнв"
_TO_LATIN = str.maketrans(_CYRILLIC, _LATIN)
_TO_CYRILLIC = str.maketrans(_LATIN, _CYRILLIC)
_MIXED = regex.compile(r"(?=.*\p{Latin})(?=.*\p{Cyrillic})")
_TWINS = frozenset("асеорхуі")
"""Cyrillic small letters that no reader tells from Latin ones."""


@lru_cache(maxsize=4096)
def in_one(word: str) -> str:
    """A case-folded word in one script: all Latin if its Cyrillic letters could be, else all Cyrillic."""
    if word.isascii() or not _MIXED.match(word):
        return word
    is_latin = all(char in _TWINS for char in word if regex.match(r"\p{Cyrillic}", char))
    return word.translate(_TO_LATIN if is_latin else _TO_CYRILLIC)
