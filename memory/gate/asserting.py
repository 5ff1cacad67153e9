"""Whether the sentence asserts: no question, no supposition, no request."""

from collections.abc import Iterator

from memory.gate import lexing, markers, reaching, wordlists
from memory.gate.cases import Case, Passage
from memory.gate.lexing import Sentence
from memory.gate.phrases import Found
from memory.gate.sourcing import affirmed
from memory.types import Proposal, Role

_ASKS = ("?", "？", "؟", "⁇", "⁈")


def question(case: Case) -> str:
    """What asks, "" if nothing does."""
    if case.proposal.text.rstrip().endswith(_ASKS):
        return "the claim is a question"
    if affirmed(case):
        return ""
    asked = markers.find_all("question", "words", case.claim)
    if asked:
        return f"“{markers.words_of(case.claim, asked[0])}”"
    return next((why for p in case.spoken if (why := _asks(p))), "")


def _asks(passage: Passage) -> str:
    if any(_requested(passage)):
        return ""
    sentence = passage.sentence
    part = sentence.part_around(passage.tokens)
    near = {*part, *range(part.start - 1, part.start)}
    found = [f for f in markers.find_all("question", "words", sentence) if near & set(f.tokens)]
    if found:
        return f"“{markers.words_of(sentence, found[0])}”"
    if not sentence.text.rstrip(" \"'”»)*_").endswith(_ASKS) or _is_stated_beside(passage):
        return ""
    return "the sentence is a question"


def _is_stated_beside(passage: Passage) -> bool:
    """Whether the quote's part states and another asks: "I'm vegan, what should I cook?"."""
    sentence = passage.sentence
    part = sentence.part_around(passage.tokens)
    opener = sentence.tokens[part[0]] if part else ""
    states = opener in wordlists.flat("clauses", "subjects") or (part and part[0] == 0 and opener not in _askers())
    rest = [i for i in range(len(sentence.tokens)) if i not in part]
    openers = [sentence.tokens[i] for i in rest if i and sentence.parts[i] != sentence.parts[i - 1]]
    openers += [sentence.tokens[0]] if 0 in rest else []
    asks = any(sentence.tokens[i] in _askers() and sentence.parts[i] != sentence.parts[i - 1] for i in part if i)
    return bool(states) and not asks and any(o in _askers() for o in openers) and not _is_tag(sentence, rest)


def _askers() -> frozenset[str]:
    return wordlists.flat("clauses", "askers")


def _is_tag(sentence: Sentence, rest: list[int]) -> bool:
    """Whether what asks is but a tag: "…, right?" asks for what stands before it."""
    tokens = [sentence.tokens[i] for i in rest if sentence.tokens[i] not in _ASKS and sentence.tokens[i] != ","]
    return len(tokens) <= _TAG_LENGTH and bool(set(tokens) & wordlists.flat("question", "tags"))


_TAG_LENGTH = 2


def hypothetical(case: Case) -> str:
    """What supposes, "" if nothing does."""
    passages = (*case.spoken, *affirmed(case))
    found = reaching.marked(case, "hypothetical", passages)
    return found or next((f"“{words}”" for p in passages for words in _supposed(p)), "")


def _supposed(passage: Passage) -> Iterator[str]:
    sentence = passage.sentence
    for found in markers.find_all("hypothetical", "unreal", sentence):
        if set(sentence.clause_around(passage.tokens)) & set(found.tokens):
            yield markers.words_of(sentence, found)
    for found in markers.find_all("hypothetical", "opener", sentence):
        if _is_condition(passage, found.tokens):
            yield markers.words_of(sentence, found)


def _is_condition(passage: Passage, opener: range) -> bool:
    """Whether the quote begins in the condition that an opener opens, and ends in it."""
    sentence, tokens = passage.sentence, passage.tokens
    if not tokens or tokens[0] < opener[0]:
        return False
    end = next((i for i in range(opener[-1] + 1, len(sentence.tokens)) if _ends_condition(sentence, i, opener)), None)
    return end is None or tokens[0] < end


def _ends_condition(sentence: Sentence, index: int, opener: range) -> bool:
    """A comma, "then", or a second "I"."""
    token = sentence.tokens[index]
    if token in {",", ";", "then", "dann", "entonces", "alors", "niin", "то"}:
        return True
    return token in {"i", "i'm", "i'll", "i've"} and index > opener[-1] + 1


def task(case: Case) -> str:
    """What requests or names the matter at hand, "" if nothing does."""
    found = [f for f in markers.find_all("task", "words", case.claim) if not _names(case.claim, f, case.proposal)]
    if found and not any(markers.has("task", "standing", s) for s in (case.claim, *(p.sentence for p in case.spoken))):
        return f"“{markers.words_of(case.claim, found[0])}”"
    return next((f"“{words}”" for p in (*case.spoken, *affirmed(case)) for words in _ordered(p, case)), "")


def _ordered(passage: Passage, case: Case) -> Iterator[str]:
    sentence = passage.sentence
    yield from (markers.words_of(sentence, f) for f in _requested(passage) if not _names(sentence, f, case.proposal))


def _names(sentence: Sentence, found: Found, proposal: Proposal) -> bool:
    """Whether an opening verb is a noun: it opens the subject, or what is said of it follows soon.

    "Order number is 5", "Book club meets on Mondays"; but "Book a table that is free" orders.
    """
    opener = sentence.tokens[found.tokens[-1]]
    if not found.phrase.startswith("^") or len(found.tokens) > 1:
        return False
    subject = lexing.read(proposal.subject).tokens
    if len(subject) > 1 and subject == sentence.tokens[: len(subject)]:
        return True
    for token in sentence.tokens[found.tokens[-1] + 1 :][:_NOUN_LENGTH]:
        if token in wordlists.flat("task", "finite"):
            return opener in wordlists.flat("task", "nouns")
        if not token[0].isalnum() or token in wordlists.flat("task", "objects"):
            return False
    return False


_NOUN_LENGTH = 4


def _requested(passage: Passage) -> Iterator[Found]:
    sentence = passage.sentence
    if passage.turn.role is Role.TOOL or markers.has("task", "standing", sentence):
        return
    part = set(sentence.part_around(passage.tokens))
    for found in markers.find_all("task", "words", sentence):
        if part & set(found.tokens):
            yield found
