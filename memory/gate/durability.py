"""Whether a claim is of something lasting, checkable and first-hand."""

from memory import keying, text
from memory.gate import languages, lexing, markers, reaching, resting, wordlists
from memory.gate.cases import Case, Passage
from memory.gate.sourcing import affirmed, is_of_speaker
from memory.types import Kind


def hedged(case: Case) -> str:
    """The maybe."""
    return reaching.marked(case, "hedged", _grounds(case)) or next((w for p in case.spoken if (w := _doubted(p))), "")


def _doubted(passage: Passage) -> str:
    """The next sentence, if it only takes the one before back: "But I'm not sure."."""
    content, end = passage.turn.content, passage.offset + len(passage.sentence.text)
    for after in resting.following(content, end):
        finds = [f for table in _DOUBTS for f in markers.find_all("hedged", table, after)]
        told = {i for found in finds for i in found.tokens}
        rest = (token for i, token in enumerate(after.tokens) if i not in told)
        if finds and not after.text.rstrip().endswith("?") and all(token in _fillers() for token in rest):
            return f"“{after.text}”"
    return ""


_DOUBTS = ("words", "whole", "after")


def _fillers() -> frozenset[str]:
    return wordlists.flat("hedged", "fillers")


def affective(case: Case) -> str:
    """The mood."""
    return reaching.marked(case, "affective", _grounds(case))


def speculative(case: Case) -> str:
    """The guess about the future."""
    return reaching.marked(case, "speculative", _grounds(case))


def transient(case: Case) -> str:
    """What is true only now, unless the claim is temporary and says until when."""
    if case.proposal.kind is Kind.TEMPORARY and case.has_end:
        return ""
    return reaching.marked(case, "transient", _grounds(case)) or _out_of_order(case) or _endless_stay(case)


def _out_of_order(case: Case) -> str:
    """What does not work. Who "does not work at Acme" is no machine: of the speaker no claim says it in this form."""
    if case.proposal.subject_note or text.name_key(case.proposal.subject) in wordlists.flat("subjects", "others"):
        return ""
    if is_of_speaker(case):
        return reaching.around(case, "transient", _grounds(case), table="of_things")
    return reaching.marked(case, "transient", _grounds(case), table="of_things")


def _endless_stay(case: Case) -> str:
    """Where one is, if nothing says how long: "I'm in Lyon"."""
    if case.proposal.kind is not Kind.TEMPORARY or case.has_end:
        return ""
    return "it does not say how long" if _predicate(case) in wordlists.flat("transient", "stays") else ""


def _predicate(case: Case) -> str:
    return keying.canonical(case.proposal.predicate, case.proposal.polarity, case.policy.vocabulary)[0]


def _grounds(case: Case) -> tuple[Passage, ...]:
    return (*case.spoken, *affirmed(case))


# Hearsay ------------------------------------------------------------------------------------


def hearsay(case: Case) -> str:
    """The other whose opinion, or the rumour that, is passed on."""
    if case.policy.markers.get("hearsay") and (extra := reaching.marked(case, "hearsay", case.spoken)):
        return extra
    claim = case.claim
    if not is_of_speaker(case) and (why := _passed_on(claim, range(len(claim.tokens)))):
        return why
    around = ((p.sentence, p.sentence.clause_around(p.tokens)) for p in case.spoken)
    passed_on = next((why for sentence, clause in around if (why := _passed_on(sentence, clause))), "")
    is_telling = _predicate(case) in wordlists.flat("hearsay", "tellings")
    return passed_on or ("it is what another says" if is_telling else "")


def _passed_on(sentence: lexing.Sentence, clause: range) -> str:
    """What in a clause passes on another's words."""
    for table in ("rumours", "opinions", "reports"):
        for found in markers.find_all("hearsay", table, sentence):
            is_own = table == "reports" and _is_of_life(sentence, found.tokens[-1])
            if not is_own and set(clause) & set(found.tokens):
                return f"“{markers.words_of(sentence, found)}”"
    return ""


def _is_of_life(sentence: lexing.Sentence, last: int) -> bool:
    """Whether what is reported is of someone's life and no verdict."""
    reported = set(sentence.tokens[last:])
    if any(found.tokens[0] > last for found in markers.find_all("hearsay", "likenesses", sentence)):
        return False
    if reported & wordlists.flat("hearsay", "verdicts"):
        return False
    return bool(reported & wordlists.flat("hearsay", "lives"))


# Vague --------------------------------------------------------------------------------------


def vague(case: Case) -> str:
    """The object, if its words name nothing one could check."""
    is_bare = case.proposal.is_keyless or _predicate(case) in wordlists.flat("vague", "counts")
    named = "" if is_bare else case.proposal.object
    tokens = set(lexing.read(named).tokens) - wordlists.flat("vague", "small")
    qualities, empty = wordlists.flat("vague", "qualities"), wordlists.flat("vague", "empty")
    if not tokens or any(char.isdigit() for token in tokens for char in token):
        return ""
    if any(_is_proper(case, word) for word in named.replace(",", " ").split()):
        return ""
    rest = tokens - empty - qualities
    is_told = rest - wordlists.flat("vague", "things") or rest == tokens
    return "" if is_told else f"“{named}”"


def _is_proper(case: Case, word: str) -> bool:
    """Whether a word is written as a name in the object and in the sentence.

    German writes all nouns so: there only a quality is, as where one lives.
    """
    if not word.istitle() or not any(_is_written(word, p) for p in case.spoken):
        return False
    if not any(languages.is_likely(p.sentence.text, "de") for p in case.spoken):
        return True
    is_place = "_".join(case.proposal.predicate.casefold().split()) in wordlists.flat("vague", "places")
    return is_place and word.casefold() in wordlists.flat("vague", "qualities")


def _is_written(word: str, passage: Passage) -> bool:
    """Whether a sentence has the word with its capital, and does not begin with it."""
    sentence = passage.sentence
    return any(sentence.text[slice(*span)] == word for span in sentence.spans[1:])
