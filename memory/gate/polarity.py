"""Whether the sentence around a quote denies what the claim affirms, or the other way round."""

from collections.abc import Iterable

from memory.gate import lexing, markers
from memory.gate.cases import Case, Passage
from memory.gate.phrases import Found
from memory.types import Polarity


def denied(case: Case, affirmed: Iterable[Passage]) -> str:
    """What shows that claim and sentence are of opposite polarity, "" if nothing does."""
    if tuple(affirmed):
        return ""
    passages = [p for p in case.spoken if p.target is not None] or list(case.spoken)
    return next((why for p in passages if (why := _opposed(case, p))), "")


def _opposed(case: Case, passage: Passage) -> str:
    is_negative = _is_negative(case)
    negation = _negation(passage)
    if negation and not is_negative:
        return f"the sentence denies it: “{negation}”"
    if case.proposal.polarity is Polarity.DENIES and not negation and not _may_deny(passage):
        return "the sentence does not deny it"
    return _was_so(case, passage) or _averse(case, passage)


def _is_negative(case: Case) -> bool:
    """Whether the claim itself denies: by its polarity, its words, or a predicate that is an antonym."""
    proposal = case.proposal
    predicate = proposal.predicate.replace("_", " ")
    key = "_".join(predicate.casefold().split())
    if proposal.polarity is Polarity.DENIES or key in case.policy.vocabulary.antonyms:
        return True
    return any(
        markers.has("polarity", table, sentence)
        for sentence in (case.claim, lexing.read(f"{predicate} {proposal.object}"))
        for table in ("negators", "denying", "aversion")
    )


def _negation(passage: Passage) -> str:
    """The negator that stands before the object in the quote's own part of the sentence."""
    sentence = passage.sentence
    target = _target(passage)
    part = set(sentence.part_around(range(target, target + 1)))
    unsure = {i for table in ("words", "whole") for f in markers.find_all("hedged", table, sentence) for i in f.tokens}
    scope = (f for f in markers.find_all("polarity", "negators", sentence) if _precedes(f, target, part - unsure))
    return next((markers.words_of(sentence, found) for found in scope), "")


def _precedes(found: Found, target: int, part: set[int]) -> bool:
    return found.tokens[0] in part and found.tokens[0] <= target


def _target(passage: Passage) -> int:
    """The token where the object begins within the quote, else the quote's last."""
    if passage.target is not None:
        return passage.target
    return passage.tokens[-1] if passage.tokens else 0


def _may_deny(passage: Passage) -> bool:
    """Whether words in the sentence can carry a denial without a negator."""
    sentence = passage.sentence
    tables = ("denying", "aversion", "former", "negators")
    return any(markers.has("polarity", table, sentence) for table in tables)


def _was_so(case: Case, passage: Passage) -> str:
    """Whether it is over: "I used to live in Oslo" does not say where one lives."""
    proposal = case.proposal
    if proposal.polarity is Polarity.DENIES or proposal.valid_to or _is_negative(case):
        return ""
    part = set(passage.sentence.part_around(passage.tokens))
    finds = [f for f in markers.find_all("polarity", "former", passage.sentence) if part & set(f.tokens)]
    if not finds or _speaks_of_past(case) or markers.has("hypothetical", "unreal", passage.sentence):
        return ""
    return f"it is over by the sentence: “{markers.words_of(passage.sentence, finds[0])}”"


def _speaks_of_past(case: Case) -> bool:
    claim = case.claim
    past = any(token.endswith(("ed", "вал", "вала", "жил", "жила")) or token in _PAST for token in claim.tokens)
    return past or markers.has("polarity", "former", claim)


_PAST = frozenset({"was", "were", "had", "went", "former", "formerly", "past", "previously", "ex", "before", "früher"})


def _averse(case: Case, passage: Passage) -> str:
    """Whether a liking is claimed of what is hated: "I hate sushi"."""
    if case.proposal.polarity is Polarity.DENIES or _is_negative(case):
        return ""
    predicate = lexing.read(f"{case.proposal.predicate.replace('_', ' ')} {case.proposal.text}")
    if not markers.has("polarity", "liking", predicate):
        return ""
    part = set(passage.sentence.part_around(passage.tokens))
    finds = (f for f in markers.find_all("polarity", "aversion", passage.sentence) if part & set(f.tokens))
    return next((f"the sentence says “{markers.words_of(passage.sentence, f)}”" for f in finds), "")
