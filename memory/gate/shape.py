"""Whether a proposal is a claim at all: fields, length, a subject."""

from functools import cache

from memory import dates, text
from memory.gate import markers, wordlists
from memory.gate.cases import Case
from memory.types import Proposal

_MIN, _MIN_SPACELESS = 8, 4
_MAX_WORDS, _MAX_CHARS, _MAX_SPACELESS = 40, 480, 120


def malformed(case: Case) -> str:
    """Which field is missing, empty or wrong."""
    proposal = case.proposal
    if proposal.flaw:
        return proposal.flaw
    if not proposal.text.strip():
        return "text is empty"
    if not proposal.is_keyless and not (proposal.predicate.strip() and proposal.object.strip()):
        return "predicate or object is empty"
    return _bad_dates(proposal)


def _bad_dates(proposal: Proposal) -> str:
    named = {name: getattr(proposal, name) for name in ("valid_from", "valid_to", "expires_on")}
    for name, value in named.items():
        if value is not None and not dates.is_date(value):
            return f"{name} is not a date: {value!r}"
    if proposal.valid_from and proposal.valid_to and _ends_before(proposal.valid_from, proposal.valid_to):
        return "valid_to is before valid_from"
    return ""


def _ends_before(start: str, end: str) -> bool:
    return dates.last_day(end) < dates.first_day(start)


def too_short(case: Case) -> str:
    """How short the text is, if it is too short."""
    plain = case.proposal.text.strip()
    least = _MIN_SPACELESS if text.is_spaceless(plain) else _MIN
    return f"{len(plain)} characters" if len(plain) < least else ""


def too_long(case: Case) -> str:
    """How long the text is, if it is too long."""
    plain = case.proposal.text.strip()
    if len(plain.split()) > _MAX_WORDS:
        return f"{len(plain.split())} words"
    most = _MAX_SPACELESS if text.is_spaceless(plain) else _MAX_CHARS
    return f"{len(plain)} characters" if len(plain) > most else ""


def no_subject(case: Case) -> str:
    """Why the subject names no one, if so."""
    if case.proposal.is_keyless:
        return ""
    subject = case.proposal.subject
    key = text.name_key(subject)
    if not any(char.isalnum() for char in key):
        return "there is no subject"
    if text.is_self(subject):
        return _foreign_self(case, key)
    if text.is_you(subject):
        return f"“{subject}” is the one spoken to"
    return f"“{subject}” names no one" if key in _unresolved() else ""


@cache
def _unresolved() -> frozenset[str]:
    return frozenset(text.name_key(word) for word in wordlists.flat("subjects", "unresolved"))


def _foreign_self(case: Case, key: str) -> str:
    """A self-reference is the owner's only in the owner's own voice."""
    is_conversation = not case.ground.document
    if is_conversation and (case.own or not case.spoken):
        return ""
    if key in _first_person() or text.is_we(case.proposal.subject):
        return f"“{case.proposal.subject}” is not said by the user"
    speaks = any(markers.has("subjects", "first", p.sentence) for p in case.heard)
    return "the “I” of a tool or document is not the user's" if speaks else ""


@cache
def _first_person() -> frozenset[str]:
    return frozenset(text.name_key(word) for word in wordlists.flat("subjects", "first"))
