"""What two claims are compared by: canonical predicates and normalised objects."""

import re
import unicodedata
from collections.abc import Mapping

from memory import text
from memory.types import Cardinality, Polarity, Vocabulary

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_APOSTROPHES = re.compile(r"['\u2018\u2019\u02bc]")
_SEPARATORS = re.compile(r"[\W_]+")

OPPOSITE = {Polarity.AFFIRMS: Polarity.DENIES, Polarity.DENIES: Polarity.AFFIRMS}


def predicate_key(raw: str) -> str:
    """The predicate in snake case: "Lives in", "lives-in" and "livesIn" are "lives_in"."""
    plain = unicodedata.normalize("NFKC", raw).strip()
    if not _SEPARATORS.search(plain):
        plain = _CAMEL.sub("_", plain)
    return _SEPARATORS.sub("_", _APOSTROPHES.sub("", plain).casefold()).strip("_")


def canonical(predicate: str, polarity: Polarity, vocabulary: Vocabulary) -> tuple[str, Polarity]:
    """The vocabulary's name for `predicate`, and the polarity the claim has under that name.

    An antonym turns the polarity round. A negated predicate ("does_not_eat") denies, and
    denies once even if the claim is marked as a denial too. A name that is not known stays.
    """
    key = predicate_key(predicate)
    found = _find(key, vocabulary)
    if found:
        return found[0], OPPOSITE[polarity] if found[1] else polarity
    found = _find(_without(key, vocabulary.negations), vocabulary)
    if found:
        return found[0], Polarity.AFFIRMS if found[1] else Polarity.DENIES
    found = _find(_without(key, vocabulary.fillers), vocabulary)
    if found:
        return found[0], OPPOSITE[polarity] if found[1] else polarity
    return key, polarity


def object_value(obj: str, vocabulary: Vocabulary) -> str:
    """The object as it is compared: normalised, without its article, synonyms folded."""
    key = text.object_key(_without_article(obj, vocabulary.articles))
    return vocabulary.object_synonyms.get(key, key)


def cardinality(predicate: str, vocabulary: Vocabulary) -> Cardinality:
    """How many values the canonical `predicate` may have at a time."""
    found = vocabulary.cardinality.get(predicate) or vocabulary.cardinality.get(_family(predicate))
    return found or Cardinality.UNKNOWN


def never_fades(predicate: str, vocabulary: Vocabulary) -> bool:
    """Whether what the canonical `predicate` says is permanent, whatever its kind."""
    return predicate in vocabulary.never_fades or _family(predicate) in vocabulary.never_fades


def _find(key: str, vocabulary: Vocabulary) -> tuple[str, bool] | None:
    """The canonical name of `key` and whether it says the opposite; None if unknown."""
    if key in vocabulary.cardinality:
        return key, False
    if name := _translate(key, vocabulary.synonyms):
        return name, False
    if name := _translate(key, vocabulary.antonyms):
        return name, True
    return (key, False) if _family(key) in vocabulary.cardinality else None


def _translate(key: str, names: Mapping[str, str]) -> str:
    """What `key` is called in `names`: itself, or by its family with its own ending kept."""
    if name := names.get(key):
        return name
    family = names.get(_family(key), "")
    return family.removesuffix("*") + key.partition("_")[2] if family else ""


def _family(key: str) -> str:
    """The name of the family that `key` would belong to: "favourite_band" → "favourite_*"."""
    head, _, rest = key.partition("_")
    return f"{head}_*" if rest else ""


def _without(key: str, prefixes: tuple[str, ...]) -> str:
    return next((key.removeprefix(prefix) for prefix in prefixes if key.startswith(prefix)), "")


def _without_article(obj: str, articles: frozenset[str]) -> str:
    """Only before a small letter: "a dog" is a dog, "The Who" are The Who."""
    first, _, rest = obj.strip().partition(" ")
    return rest if first.casefold() in articles and rest[:1].islower() else obj
