"""How two objects on one key lie to each other: pure comparisons of pairs."""

import re
from datetime import timedelta
from functools import lru_cache

from memory import confidence, keying, text
from memory.policy_types import Vocabulary
from memory.resolver.timeline import said_day
from memory.types import Cardinality, Claim, Polarity, Speech

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_VERSION = re.compile(r"v?\d[\w.]*")

type Slot = tuple[str, Polarity, str]


def value(claim: Claim) -> str:
    """What is compared: the normalised object; of a claim without a key, its whole normalised text."""
    return claim.object_key if claim.predicate else text.object_key(claim.text)


def slot(claim: Claim, cardinality: Cardinality, *, polarity: Polarity | None = None) -> Slot:
    """Claims in one slot say the same thing; a reading says it of its own day."""
    day = (claim.valid_from or said_day(claim).isoformat()) if cardinality == Cardinality.READING else ""
    return value(claim), polarity or claim.polarity, day


def is_user(claim: Claim) -> bool:
    """Said by the person whose memory it is."""
    return confidence.source_class(claim.source) == "user"


def is_inferred(claim: Claim) -> bool:
    """Nobody's words: only concluded."""
    return confidence.source_class(claim.source) == confidence.INFERRED


def is_second_hand(claim: Claim) -> bool:
    """Inferred, or handed over in a document of bare memories."""
    return confidence.rank(claim.source) <= confidence.RANKS["imported"]


def authority(claim: Claim) -> str:
    """Who settles a contradiction when this claim leaves only one side of it."""
    return "user" if is_user(claim) else "policy"


def says_it_changed(claim: Claim) -> bool:
    """The user's own word that it is different now needs no waiting."""
    return is_user(claim) and claim.speech in (Speech.CHANGES, Speech.CORRECTS)


def says_beside(claim: Claim, vocabulary: Vocabulary) -> bool:
    """Whether its own words set it beside what is known: "my other car", "also lives in", "…, too"."""
    if claim.speech != Speech.STATES or claim.polarity == Polarity.DENIES:
        return False
    said = text.words(claim.text)
    before = said[: _find(said, text.words(claim.object))]
    if vocabulary.others.intersection(before) or vocabulary.alsos.intersection(before[1:]):
        return True
    return said[-1:] != before[-1:] and not vocabulary.alsos.isdisjoint(said[-1:])


def _find(said: list[str], part: list[str]) -> int:
    """Where `part` begins in `said`; its length if nowhere."""
    size = max(1, len(part))
    return next((at for at in range(len(said)) if said[at : at + size] == part), len(said))


def holds(whole: list[str], part: list[str]) -> bool:
    """Whether the words of `part` stand in a row in `whole`."""
    return _find(whole, part) < len(whole)


def is_qualified(old: str, new: str, vocabulary: Vocabulary) -> bool:
    """Whether `new` is `old` and a qualifier that begins with a number, a version or a preposition."""
    if not old or not new.startswith(f"{old} "):
        return False
    first = new[len(old) + 1 :].partition(" ")[0]
    if _VERSION.fullmatch(first):
        # "12" → "12 5" is another number, but "1 May" → "1 May 2026" and "May 1" → "May 1 2026" are finer.
        return not old[-1].isdigit() or _YEAR.fullmatch(first) is not None
    return first in vocabulary.qualifiers


def is_finer(old: Claim, new: Claim, vocabulary: Vocabulary) -> bool:
    """Whether `new` says more about the same thing than `old`: what refinement asks for."""
    return is_qualified(value(old), value(new), vocabulary) or (
        new.predicate in vocabulary.places and value(old) in _surroundings(new, vocabulary)
    )


def is_coarser(new: Claim, old: Claim, vocabulary: Vocabulary) -> bool:
    """Whether `new` only repeats part of `old`: "Berlin" after "Berlin Kreuzberg" supports it."""
    if is_finer(new, old, vocabulary):
        return True
    return new.predicate in vocabulary.places and value(old).startswith(f"{value(new)} ")


def _surroundings(claim: Claim, vocabulary: Vocabulary) -> set[str]:
    """Places that the object's commas name: "Kreuzberg, Berlin" lies in "Berlin", "Oslo, Norway" is "Oslo"."""
    parts = claim.object.split(",")
    cuts = range(1, len(parts))
    pieces = [",".join(parts[:cut]) for cut in cuts] + [",".join(parts[cut:]) for cut in cuts]
    return {keying.object_value(piece, vocabulary) for piece in pieces}


def is_contained(one: str, other: str) -> bool:
    """Whether one stands in the other by its letters: no sameness, but worth a question."""
    short, long = sorted((one, other), key=len)
    return short not in {"", long} and short in long


def may_be_same(one: Claim, other: Claim) -> bool:
    """Whether a judge may call them duplicates: never with different numbers or polarity."""
    return one.polarity == other.polarity and _numbers(one) == _numbers(other)


def _numbers(claim: Claim) -> list[str]:
    return sorted(_NUMBER.findall(value(claim)))


def likeness(one: Claim, other: Claim) -> float:
    """Share of words in common, to choose which pairs are worth a judge's look; never decides sameness."""
    mine, theirs = _words(f"{one.object} {one.text}"), _words(f"{other.object} {other.text}")
    return len(mine & theirs) / max(1, len(mine | theirs))


@lru_cache(maxsize=4096)
def _words(content: str) -> frozenset[str]:
    return frozenset(text.words(content))


def days_apart(claim: Claim, other: Claim) -> float:
    """Days from `other` to `claim`, by when they were said."""
    return (claim.said_at - other.said_at) / timedelta(days=1)
