"""Finding the marker phrases of the data files in a sentence."""

from functools import cache, lru_cache

from memory.gate import languages, wordlists
from memory.gate.lexing import Sentence
from memory.gate.phrases import Found, Lexicon


@cache
def lexicon(name: str, table: str) -> Lexicon:
    """The phrases of one table in all languages.

    All are looked for at once: speakers mix languages, short sentences cannot be told apart,
    and the phrases are chosen so that they mean nothing else in another of the languages.
    """
    return Lexicon(wordlists.languages(name, table))


@lru_cache(maxsize=32768)
def find_all(name: str, table: str, sentence: Sentence) -> tuple[Found, ...]:
    """Every phrase of a table in a sentence, less what the file's `excused` phrases cover."""
    found = tuple(f for f in lexicon(name, table).find(sentence) if _is_in_language(sentence, f))
    if not found or "excused" not in wordlists.read(name) or table == "excused":
        return found
    excused = [set(excuse.tokens) for excuse in lexicon(name, "excused").find(sentence)]
    return tuple(f for f in found if not any(excuse & set(f.tokens) for excuse in excused))


def _is_in_language(sentence: Sentence, found: Found) -> bool:
    """Whether a single word that another language has too is read in the right one."""
    if len(found.tokens) > 1:
        return True
    word = sentence.tokens[found.tokens[0]]
    ambiguous = wordlists.languages("languages", "ambiguous").get(found.language, ())
    return (word not in ambiguous and "*" not in found.phrase) or languages.is_likely(sentence.text, found.language)


def has(name: str, table: str, sentence: Sentence) -> bool:
    """Whether a sentence has any phrase of a table."""
    return bool(find_all(name, table, sentence))


def words_of(sentence: Sentence, found: Found) -> str:
    """The words of a find as they were written."""
    first, last = sentence.spans[found.tokens[0]], sentence.spans[found.tokens[-1]]
    return sentence.text[first[0] : last[1]]
