"""What two claims are compared by: canonical predicates and normalised objects."""

import re
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

from memory import text
from memory.policy_types import Regrouping, Vocabulary
from memory.types import Cardinality, Polarity

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_APOSTROPHES = re.compile(r"['\u2018\u2019\u02bc]")
_SEPARATORS = re.compile(r"[\W_]+")
_VERBS = ("is", "has")
_UNTRUE = "false"

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
    found, is_denied = _search(key, vocabulary)
    if not found:
        return key, polarity
    if is_denied:
        return found[0], Polarity.AFFIRMS if found[1] else Polarity.DENIES
    return found[0], OPPOSITE[polarity] if found[1] else polarity


class Keyed(NamedTuple):
    """What a claim is compared by."""

    predicate: str
    polarity: Polarity
    object_key: str


def keyed(predicate: str, obj: str, polarity: Polarity, vocabulary: Vocabulary) -> Keyed:
    """Canonical predicate, polarity and object together: "is: vegan" and "is_vegan: yes" are "diet: vegan"."""
    name, polarity = canonical(predicate, polarity, vocabulary)
    value = object_value(obj, vocabulary)
    head = _head(predicate_key(predicate), vocabulary)
    if head and value == _UNTRUE:
        return Keyed(name, OPPOSITE[polarity], head)
    value = head if head and value in vocabulary.confirmations else value
    for rule in vocabulary.regroupings:
        if name in rule.predicates and (content := _regrouped(value, rule)) is not None:
            turned = OPPOSITE[polarity] if rule.object and value == _UNTRUE else polarity
            return Keyed(rule.to, turned, vocabulary.object_synonyms.get(content, content))
    return Keyed(name, polarity, value)


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


def _search(key: str, vocabulary: Vocabulary) -> tuple[tuple[str, bool] | None, bool]:
    """What is known once fillers and negations are cut from the front of `key`; whether a negation was."""
    for spelling in (key, *(f"{verb}_{key}" for verb in _VERBS if key)):
        if found := _find(spelling, vocabulary):
            return found, False
    verb, _, rest = key.partition("_")
    if rest and f"{key}_" in vocabulary.negations and (found := _find(verb, vocabulary)):
        return found, True
    for prefixes, denies in ((vocabulary.negations, True), (vocabulary.fillers, False)):
        for shorter in (key.removeprefix(prefix) for prefix in prefixes if key.startswith(prefix)):
            found, is_denied = _search(shorter, vocabulary)
            if found:
                return found, denies or is_denied
    return None, False


def _translate(key: str, names: Mapping[str, str]) -> str:
    """What `key` is called in `names`: itself, or by its family with its own ending kept."""
    if name := names.get(key):
        return name
    family = names.get(_family(key), "")
    if family:
        return family.removesuffix("*") + key.partition("_")[2]
    return names.get(_kind(key), "")


def _family(key: str) -> str:
    """The name of the family that `key` would belong to: "favourite_band" → "favourite_*"."""
    head, _, rest = key.partition("_")
    return f"{head}_*" if rest else ""


def _kind(key: str) -> str:
    """The same by its ending: "food_allergy" → "*_allergy"."""
    head, _, last = key.rpartition("_")
    return f"*_{last}" if head else ""


def _head(key: str, vocabulary: Vocabulary) -> str:
    """What `key` names of its kind, as an object: "has_peanut_allergy" → "peanuts"; "" for other predicates."""
    if _kind(key) not in vocabulary.synonyms or key in vocabulary.synonyms:
        return ""
    prefixes = (*vocabulary.negations, *vocabulary.fillers)
    while cut := next((prefix for prefix in prefixes if key.startswith(prefix)), ""):
        key = key.removeprefix(cut)
    return object_value(key.rpartition("_")[0].replace("_", " "), vocabulary)


def _regrouped(value: str, rule: Regrouping) -> str | None:
    """The object under the rule's own predicate; None if the rule does not speak of it."""
    if rule.object:
        return rule.object
    if value in rule.objects:
        return value
    if beginning := next((b for b in rule.beginnings if value.startswith(f"{b} ")), ""):
        return value.removeprefix(f"{beginning} ")
    ending = next((e for e in rule.endings if value.endswith(f" {e}")), "")
    return value.removesuffix(f" {ending}") if ending else None


def _without_article(obj: str, articles: frozenset[str]) -> str:
    """Only before a small letter: "a dog" is a dog, "The Who" are The Who."""
    first, _, rest = obj.strip().partition(" ")
    return rest if first.casefold() in articles and rest[:1].islower() else obj
