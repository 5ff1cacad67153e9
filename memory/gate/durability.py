"""Whether a claim is of something lasting, checkable and first-hand."""

from memory.gate import lexing, markers, reaching, wordlists
from memory.gate.cases import Case, Passage
from memory.gate.sourcing import affirmed
from memory.types import Kind


def hedged(case: Case) -> str:
    """The maybe."""
    return reaching.marked(case, "hedged", _grounds(case))


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
    return reaching.marked(case, "transient", _grounds(case))


def _grounds(case: Case) -> tuple[Passage, ...]:
    return (*case.spoken, *affirmed(case))


# Hearsay ------------------------------------------------------------------------------------


def hearsay(case: Case) -> str:
    """The other whose opinion, or the rumour that, is passed on."""
    sentences = [case.claim, *(p.sentence for p in case.spoken)]
    return next((why for sentence in sentences if (why := _passed_on(case, sentence))), "")


def _passed_on(case: Case, sentence: lexing.Sentence) -> str:
    if case.policy.markers.get("hearsay") and (extra := reaching.marked(case, "hearsay", case.spoken)):
        return extra
    for table in ("rumours", "opinions"):
        if found := markers.find_all("hearsay", table, sentence):
            return f"“{markers.words_of(sentence, found[0])}”"
    for report in markers.find_all("hearsay", "reports", sentence):
        if not _is_of_life(sentence, report.tokens[-1]):
            return f"“{markers.words_of(sentence, report)}”"
    return ""


def _is_of_life(sentence: lexing.Sentence, last: int) -> bool:
    """Whether what is reported is of someone's life and no verdict."""
    reported = set(sentence.tokens[last:])
    if reported & wordlists.flat("hearsay", "verdicts"):
        return False
    return bool(reported & wordlists.flat("hearsay", "lives"))


# Vague --------------------------------------------------------------------------------------


def vague(case: Case) -> str:
    """The object, if its words name nothing one could check."""
    named = "" if case.proposal.is_keyless else case.proposal.object
    tokens = set(lexing.read(named).tokens) - wordlists.flat("vague", "small")
    qualities, things, empty = (wordlists.flat("vague", table) for table in ("qualities", "things", "empty"))
    if not tokens or any(char.isdigit() for token in tokens for char in token):
        return ""
    if tokens <= empty | qualities or (tokens <= qualities | things | empty and tokens & (qualities | empty)):
        return f"“{named}”"
    return ""
