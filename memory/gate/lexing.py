"""A sentence as the gate reads it: tokens, where they stand, and what clause each is in."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import regex

from memory import text
from memory.gate import scripts, wordlists

# French elisions are words of their own (j'aime → j' aime); English contractions stay whole.
_TOKEN = regex.compile(
    r"(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’](?=\p{L}{2,})"
    rf"|{text.NUMBER}"
    rf"|[\p{{L}}\p{{M}}\p{{N}}]+(?:['’\-][\p{{L}}\p{{M}}\p{{N}}]+)*{text.WORD_SIGNS}"
    r"|[,;:?!…¿]|\.\.\.|\s[-–—]\s|—",
    flags=regex.IGNORECASE,
)
_FOLDS = str.maketrans({"ё": "е", "？": "?", "！": "!", "；": ";", "：": ":", "，": ","})
_WIDE = str.maketrans({"？": "?", "！": "!", "；": ";", "：": ":", "，": ","} | dict.fromkeys("’‘ʼ´`＇", "'"))
BREAKS = frozenset({";", ":", "?", "!", "…", "-"})


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """`clauses` and `parts` number the clause of each token; parts are the finer cut.

    `joined` is the tokens in a row, each with a space before and after, and `keys` the
    beginnings of the tokens, by which phrases are ruled out. Compared by identity: `read`
    hands out one for each text.
    """

    text: str
    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    clauses: tuple[int, ...]
    parts: tuple[int, ...]
    joined: str
    keys: frozenset[str]

    def tokens_in(self, start: int, end: int) -> range:
        """Indexes of the tokens that a span of characters touches."""
        touched = [i for i, (begin, stop) in enumerate(self.spans) if begin < end and stop > start]
        return range(touched[0], touched[-1] + 1) if touched else range(0)

    def part_around(self, tokens: range) -> range:
        """The tokens of the parts that some tokens stand in."""
        return _same(self.parts, tokens)

    def clause_around(self, tokens: range) -> range:
        """The tokens of the clauses that some tokens stand in."""
        return _same(self.clauses, tokens)


def _same(numbers: tuple[int, ...], tokens: range) -> range:
    if not tokens:
        return range(len(numbers))
    first, last = numbers[tokens[0]], numbers[tokens[-1]]
    inside = [i for i, number in enumerate(numbers) if first <= number <= last]
    return range(inside[0], inside[-1] + 1)


def fold(word: str) -> str:
    """One spelling of a token, however it was written."""
    folded = word.strip().casefold()
    if not folded.isascii():
        folded = scripts.in_one(folded.translate(_FOLDS))
    return _SIGNS.get(folded, folded)


_SIGNS = {"...": "…", "–": "-", "—": "-"}
_KEY = 3


@lru_cache(maxsize=4096)
def read(plain: str) -> Sentence:
    """Cut one sentence into tokens, clauses and parts."""
    found = [(fold(match.group()), match.span()) for match in _TOKEN.finditer(plain.translate(_WIDE))]
    tokens = tuple(token for token, _ in found)
    return Sentence(
        text=plain,
        tokens=tokens,
        spans=tuple(span for _, span in found),
        clauses=tuple(_numbered(tokens, wordlists.flat("clauses", "clause_openers"), is_fine=False)),
        parts=tuple(_numbered(tokens, wordlists.flat("clauses", "part_openers"), is_fine=True)),
        joined=f" {' '.join(tokens)} ",
        keys=frozenset(token[:size] for token in tokens for size in range(1, _KEY + 1)),
    )


def _numbered(tokens: tuple[str, ...], openers: frozenset[str], *, is_fine: bool) -> Iterator[int]:
    """The number of each token's clause; a clause begins at an opener or after a break."""
    subjects = wordlists.flat("clauses", "subjects")
    joiners = wordlists.flat("clauses", "joiners")
    fine = subjects | wordlists.flat("clauses", "askers") if is_fine else frozenset[str]()
    number = 0
    for index, token in enumerate(tokens):
        before = tokens[index - 1] if index else ""
        opens = token in openers or before in BREAKS or (before in joiners and token in subjects)
        number += bool(index and (opens or (before == "," and token in fine)))
        yield number
