"""Whether the sentence around a quote denies what the claim affirms, or the other way round."""

from collections.abc import Iterable, Iterator

from memory import keying
from memory.gate import lexing, markers, wordlists
from memory.gate.cases import Case, Passage
from memory.gate.lexing import Sentence
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
    part = _governed(sentence, sentence.part_around(range(target, target + 1)))
    unsure = {i for table in ("words", "whole") for f in markers.find_all("hedged", table, sentence) for i in f.tokens}
    found = [f for f in markers.find_all("polarity", "negators", sentence) if not unsure & set(f.tokens)]
    near = [f for f in found if f.tokens[0] in part and f.tokens[0] <= target and not _is_turned(passage, f)]
    before = (f for f in near if _reaches(sentence, f, target))
    is_maybe = bool(unsure & set(sentence.clause_around(range(target, target + 1))))
    after = (f for f in found if passage.target and not is_maybe and _follows(sentence, f, passage.target))
    untrue = (f for f in markers.lexicon("polarity", "untrue").find(sentence) if f.tokens[-1] < target)
    return next((markers.words_of(sentence, f) for f in (*before, *after, *untrue)), "")


def _governed(sentence: Sentence, part: range) -> set[int]:
    """A part, with the one before it where that says of it whether it is so: "I don't say, that I live in Oslo"."""
    before = part.start - 2
    if part and before >= 0 and sentence.tokens[part.start] in wordlists.flat("clauses", "that"):
        return {*part, *sentence.part_around(range(before, before + 1))}
    return set(part)


def _reaches(sentence: Sentence, found: Found, target: int) -> bool:
    """Whether a negator before the object reaches it.

    "Without fear" denies the fear alone, and "not Oslo, Bergen" what stands before the comma.
    """
    between = sentence.tokens[found.tokens[-1] + 1 : target]
    if sentence.tokens[found.tokens[0]] in wordlists.flat("polarity", "near"):
        return len(between) <= _NEAR and not {",", "and", "und", "y", "et", "ja", "и"} & set(between)
    if wordlists.flat("clauses", "that") & set(between):
        return True
    return not ("," in between and between.index(",") <= _CONTRAST and _contrasts(sentence, found.tokens[0]))


_NEAR = 2
_CONTRAST = 3


def _contrasts(sentence: Sentence, first: int) -> bool:
    """Whether a bare "not" opens its phrase: "No, not Oslo, Bergen"."""
    tokens = sentence.tokens
    opens = first == 0 or tokens[first - 1] in _OPENING or tokens[first - 1] in wordlists.flat("polarity", "discourse")
    return opens and tokens[first] in wordlists.flat("polarity", "bare")


_OPENING = frozenset({",", ";", ":", "-", "…", "!"})


def _follows(sentence: Sentence, found: Found, target: range) -> bool:
    """Whether a negator after the object denies it: "Oliven mag ich nicht", "sushi I don't eat".

    It must end its phrase, and either the object opens the sentence or nothing but an adverb
    is between. "Oslo, not Bergen" denies the other.
    """
    first, last = found.tokens[0], found.tokens[-1]
    if first <= target[-1] or _is_other(sentence, last):
        return False
    between = sentence.tokens[target[-1] + 1 : first]
    fronted = all(token in wordlists.flat("vague", "small") for token in sentence.tokens[: target[0]])
    if fronted and not between and sentence.tokens[first] not in wordlists.flat("polarity", "bare_only"):
        return True
    if fronted and between:
        speaks = set(between) & wordlists.flat("polarity", "speakers")
        return len(between) <= _FRONTED and bool(speaks) and between[-1] != ","
    is_name = sentence.text[sentence.spans[target[-1]][0]].isupper() and found.language != "de"
    return not is_name and set(between) <= wordlists.flat("polarity", "adverbs") and found.language in _VERB_LAST


_FRONTED = 4
_VERB_LAST = frozenset({"de", "fi", "ru", "es"})


def _is_other(sentence: Sentence, last: int) -> bool:
    """Whether what follows a negator is another thing, or more than the end of its phrase."""
    rest = list(_run(sentence, last + 1))
    return len(rest) > _TAIL or any(sentence.text[sentence.spans[i][0]].isupper() for i in rest)


_TAIL = 3


def _run(sentence: Sentence, start: int) -> Iterator[int]:
    """The tokens from a place to the next sign or joiner."""
    for index in range(start, len(sentence.tokens)):
        if sentence.tokens[index] in _OPENING | _JOINING | {"?"}:
            return
        yield index


_JOINING = frozenset({"and", "und", "y", "et", "ja", "и", "but", "aber", "pero", "mais", "mutta", "но"})


def _target(passage: Passage) -> int:
    """The token where the object begins within the quote, else the quote's last."""
    if passage.target is not None:
        return passage.target[0]
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
    finds = [
        f
        for f in markers.find_all("polarity", "former", passage.sentence)
        if part & set(f.tokens) and not _is_turned(passage, f)
    ]
    if not finds or _speaks_of_past(case) or markers.has("hypothetical", "unreal", passage.sentence):
        return ""
    return f"it is over by the sentence: “{markers.words_of(passage.sentence, finds[0])}”"


def _is_turned(passage: Passage, found: Found) -> bool:
    """Whether "but now" stands between a marker and the object: what was is told apart from what is."""
    tokens, target = passage.sentence.tokens, _target(passage)
    turns, joins = wordlists.flat("polarity", "turning"), _JOINING | {",", ";"}
    places = range(found.tokens[-1] + 1, min(target, len(tokens)))
    return any(tokens[i] in turns and tokens[i - 1] in joins for i in places)


def _speaks_of_past(case: Case) -> bool:
    predicate, _ = keying.canonical(case.proposal.predicate, case.proposal.polarity, case.policy.vocabulary)
    if predicate in case.policy.vocabulary.histories:
        return True
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
