"""How far the markers of a reason reach: in a claim and in the sentences around its quotes."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain

from memory.gate import lexing, wordlists
from memory.gate.cases import Case, Passage
from memory.gate.lexing import Sentence
from memory.gate.markers import find_all, words_of
from memory.gate.phrases import Found, Lexicon
from memory.types import Proposal

_SHOUTING = 2
_FINE = frozenset({"affective", "transient"})
"""Reasons that colour only their own part of a sentence: "I'm vegan, what can I eat tonight?"."""


def marked(case: Case, reason: str, passages: Iterable[Passage], *, table: str = "words") -> str:
    """The first marker of a reason in the claim or around its quotes, "" if none.

    Those of the shipped `table` count in the clauses the quote stands in, `whole` ones and those of
    the policy anywhere in the sentence.
    """
    told = next((f"“{words}”" for words in _in_claim(case, reason, table)), "")
    return told or around(case, reason, passages, table=table)


def around(case: Case, reason: str, passages: Iterable[Passage], *, table: str = "words") -> str:
    """The same around the quotes alone."""
    finds = chain.from_iterable(_around(case, reason, table, p) for p in passages)
    return next((f"“{words}”" for words in finds), "")


def _in_claim(case: Case, reason: str, table: str) -> Iterator[str]:
    sentence = case.claim
    finds = chain(find_all(reason, table, sentence), _policy_finds(case, reason, sentence))
    yield from (words_of(sentence, f) for f in finds if not _is_name(sentence, f, case.proposal))


def _around(case: Case, reason: str, table: str, passage: Passage) -> Iterator[str]:
    sentence = passage.sentence
    clause = _reach(reason, passage)
    near = (f for f in find_all(reason, table, sentence) if clause & set(f.tokens))
    whole = find_all(reason, "whole", sentence) if "whole" in wordlists.read(reason) else ()
    finds = chain(near, whole, _policy_finds(case, reason, sentence))
    yield from (words_of(sentence, f) for f in finds if not _is_name(sentence, f, case.proposal))


def _reach(reason: str, passage: Passage) -> set[int]:
    """The tokens on which a marker colours what the claim rests on."""
    sentence, tokens = passage.sentence, passage.tokens
    if reason == "affective" and passage.target and _is_after_mood(passage):
        return set(tokens)
    return set(sentence.part_around(tokens) if reason in _FINE else sentence.clause_around(tokens))


def _is_after_mood(passage: Passage) -> bool:
    """Whether a statement follows that a mood is about: "I'm so glad I moved to Oslo"."""
    moods = find_all("affective", "words", passage.sentence)
    subjects = wordlists.flat("affective", "stating")
    return all(f.tokens[-1] < passage.tokens[0] for f in moods) and any(
        passage.sentence.tokens[i] in subjects for f in moods for i in range(f.tokens[-1] + 1, passage.tokens[0] + 1)
    )


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
