"""Finding the marker words of a reason in a claim and in the sentences around its quotes."""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain

from memory.gate import languages, lexing, wordlists
from memory.gate.cases import Case, Passage
from memory.gate.lexing import Sentence
from memory.gate.phrases import Found, Lexicon
from memory.types import Proposal

_SHOUTING = 2
_FINE = frozenset({"affective", "transient"})
"""Reasons that colour only their own part of a sentence: "I'm vegan, what can I eat tonight?"."""


@cache
def lexicon(name: str, table: str) -> Lexicon:
    """The phrases of one table in all languages.

    All are looked for at once: speakers mix languages, short sentences cannot be told apart,
    and the phrases are chosen so that they mean nothing else in another of the languages.
    """
    return Lexicon(wordlists.languages(name, table))


@lru_cache(maxsize=8192)
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


def marked(case: Case, reason: str, passages: Iterable[Passage]) -> str:
    """The first marker of a reason in the claim or around its quotes, "" if none.

    The shipped `words` count in the clauses the quote stands in, `whole` ones and those of
    the policy anywhere in the sentence.
    """
    finds = chain(_in_claim(case, reason), chain.from_iterable(_around(case, reason, p) for p in passages))
    return next((f"“{words}”" for words in finds), "")


def _in_claim(case: Case, reason: str) -> Iterator[str]:
    sentence = case.claim
    finds = chain(find_all(reason, "words", sentence), _policy_finds(case, reason, sentence))
    yield from (words_of(sentence, f) for f in finds if not _is_name(sentence, f, case.proposal))


def _around(case: Case, reason: str, passage: Passage) -> Iterator[str]:
    sentence = passage.sentence
    around = sentence.part_around if reason in _FINE else sentence.clause_around
    clause = set(around(passage.tokens))
    near = (f for f in find_all(reason, "words", sentence) if clause & set(f.tokens))
    whole = find_all(reason, "whole", sentence) if "whole" in wordlists.read(reason) else ()
    finds = chain(near, whole, _policy_finds(case, reason, sentence))
    yield from (words_of(sentence, f) for f in finds if not _is_name(sentence, f, case.proposal))


def _policy_finds(case: Case, reason: str, sentence: Sentence) -> Iterator[Found]:
    extra = case.policy.markers.get(reason)
    if extra:
        yield from _policy_lexicon(tuple((language, tuple(words)) for language, words in extra.items())).find(sentence)


@lru_cache(maxsize=64)
def _policy_lexicon(phrases: tuple[tuple[str, tuple[str, ...]], ...]) -> Lexicon:
    return Lexicon(dict(phrases))


# Proper names -------------------------------------------------------------------------------


def _is_name(sentence: Sentence, found: Found, proposal: Proposal) -> bool:
    """Whether a find is written as a name: capitals where the sentence does not ask for them.

    A word that opens a sentence is a name only if the claim's subject or object has it.
    Of several words the last one tells; German writes every noun so, there all must.
    """
    if _is_shouted(sentence):
        return False
    are_names = [_is_name_token(sentence, index, proposal) for index in found.tokens]
    return all(are_names) if found.language == "de" else are_names[-1]


def _is_name_token(sentence: Sentence, index: int, proposal: Proposal) -> bool:
    start, end = sentence.spans[index]
    word = sentence.text[start:end]
    if not word[:1].isupper() or word.split("'")[0].split("’")[0] == "I":
        return False
    opens = index == 0 or sentence.tokens[index - 1] in lexing.BREAKS or sentence.text[start - 1] in "\"'“«„("
    return not opens or word in f"{proposal.subject} {proposal.object}".split()


def _is_shouted(sentence: Sentence) -> bool:
    letters = [char for char in sentence.text if char.isalpha()]
    return len(letters) > _SHOUTING and sum(map(str.isupper, letters)) > len(letters) // 2
