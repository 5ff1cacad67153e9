"""Phrases as the data files write them, and finding them in a sentence.

A phrase is tokens with spaces between. `a|b` is either, `stem*` any ending, `be*ing` any between, `*` any one
word, `(x)` an optional token, `..` up to four words, `^` and `$` the sentence's edges. Each matches
whole words only; gaps do not cross punctuation.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from memory.gate.lexing import Sentence

_WORD = "[^ ,;:?!…]+ "
_KEY = 3


@dataclass(frozen=True, slots=True)
class Found:
    """A phrase of a language and the tokens it was found on."""

    phrase: str
    tokens: range
    language: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Phrase:
    """`keys` are prefixes of which a sentence must have one for the pattern to be worth trying."""

    source: str
    language: str
    pattern: re.Pattern[str]
    keys: frozenset[str]


class Lexicon:
    """Many phrases, found by a first look at the words they cannot do without."""

    def __init__(self, sources: Mapping[str, Iterable[str]]) -> None:
        self._by_key: dict[str, list[Phrase]] = {}
        self._keyless: list[Phrase] = []
        for language, phrases in sources.items():
            for source in phrases:
                self._add(compiled(source, language))

    def _add(self, phrase: Phrase) -> None:
        for key in phrase.keys:
            self._by_key.setdefault(key, []).append(phrase)
        if not phrase.keys:
            self._keyless.append(phrase)

    def find(self, sentence: Sentence) -> Iterator[Found]:
        """Every phrase that stands in the sentence, with its place."""
        joined = sentence.joined
        for phrase in self._candidates(sentence):
            for match in phrase.pattern.finditer(joined):
                first = joined.count(" ", 0, match.start()) - 1
                yield Found(phrase.source, range(first, first + match.group().count(" ")), phrase.language)

    def _candidates(self, sentence: Sentence) -> dict[Phrase, None]:
        candidates = dict.fromkeys(self._keyless)
        for key in sentence.keys & self._by_key.keys():
            candidates.update(dict.fromkeys(self._by_key[key]))
        return candidates


@cache
def compiled(source: str, language: str = "") -> Phrase:
    """The pattern of one phrase over a sentence's joined tokens."""
    tokens = source.casefold().replace("ё", "е").replace("’", "'").split()
    pattern = re.compile("(?<= )" + "".join(_piece(token) for token in tokens))
    return Phrase(source, language, pattern, _keys(tokens))


def _piece(token: str) -> str:
    if token in _EDGES:
        return _EDGES[token]
    if token.startswith("("):
        return f"(?:{_piece(token[1:-1])})?"
    return f"(?:{'|'.join(map(_alternative, token.split('|')))}) "


_EDGES = {"^": "(?<=^ )(?:[¿…-] )*", "$": "(?=[!?…]? ?$)", "*": _WORD, "..": f"(?:{_WORD}){{0,4}}"}


def _alternative(word: str) -> str:
    return _ANY.join(map(re.escape, word.split("*")))


_ANY = "[^ ,;:?!…]*"


def _keys(tokens: list[str]) -> frozenset[str]:
    """The beginnings of the phrase's rarest token, taken to be the longest; none if it may be anything."""
    needed = [token.split("|") for token in tokens if token not in _EDGES and not token.startswith("(")]
    longest = max(needed, key=_certain, default=[])
    return frozenset(_beginning(word)[:_KEY] for word in longest) if _certain(longest) else frozenset()


def _certain(words: list[str]) -> int:
    """How many letters every alternative is sure to begin with."""
    return min((len(_beginning(word)) for word in words), default=0)


def _beginning(word: str) -> str:
    """What a word begins with, whatever it has for a star."""
    return word.partition("*")[0]
