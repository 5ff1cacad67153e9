"""The versioned set of thresholds and vocabularies that every decision names.

The defaults stand in `data/thresholds.toml` and `data/predicates.toml`; a stored version
holds only what an operator changed.
"""

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from memory.policy_types import Regrouping, Thresholds, Vocabulary
from memory.types import Cardinality, Reason

_DATA = Path(__file__).parent / "data"


MARKED = (
    *(Reason.HYPOTHETICAL, Reason.HEDGED, Reason.AFFECTIVE, Reason.SPECULATIVE),
    *(Reason.HEARSAY, Reason.TRANSIENT, Reason.INSTRUCTION),
)
"""The refusals whose word lists an operator may extend."""
LANGUAGES = ("en", "de", "es", "fr", "fi", "ru")
"""Those whose word lists are shipped; an operator may add others."""
_LANGUAGE = re.compile(r"[a-z]{2,3}")
MOST_KEPT, MOST_REFUSED, LONGEST_EXAMPLE = 10, 5, 300
"""How many examples the operator may give, and how long one may be."""
MOST_MARKERS, LONGEST_MARKER = 200, 80


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence of a user's that the operator wants remembered, or never."""

    text: str
    is_kept: bool


@dataclass(frozen=True, slots=True)
class Policy:
    """What a decision is made under. `markers` extends the gate's lists: reason → language → words."""

    version: int
    thresholds: Thresholds
    vocabulary: Vocabulary
    markers: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    dimensions: Mapping[str, Any] = field(default_factory=dict)
    """Decisions beside the shipped ones, or in their place, in the form of `data/decisions.toml`."""
    examples: tuple[Example, ...] = ()


@cache
def default() -> Policy:
    """The policy as shipped, version 0."""
    return Policy(version=0, thresholds=_thresholds({}), vocabulary=_vocabulary())


def build(version: int, changes: Mapping[str, Any]) -> Policy:
    """The shipped policy with an operator's `changes` laid over it.

    `changes` has the optional tables "thresholds" (name → number), "cardinality"
    (predicate → one/many/reading), "markers" (reason → language → words), "dimensions" (see `decisions`)
    and the list "examples" (text, is_kept).
    Raises TypeError or ValueError on names and values that do not exist.
    """
    base = default()
    own = {name: Cardinality(value) for name, value in changes.get("cardinality", {}).items()}
    return replace(
        base,
        version=version,
        thresholds=_thresholds(changes.get("thresholds", {})),
        vocabulary=replace(base.vocabulary, cardinality={**base.vocabulary.cardinality, **own}),
        markers=_markers(changes.get("markers", {})),
        dimensions=changes.get("dimensions", {}),
        examples=_examples(changes.get("examples", ())),
    )


def _markers(changes: Mapping[str, Any]) -> dict[str, dict[str, tuple[str, ...]]]:
    for reason, words in changes.items():
        if reason not in MARKED:
            raise ValueError(f"the words of {reason} cannot be extended, only those of {', '.join(MARKED)}")
        for language, phrases in words.items():
            _check_phrases(f"{reason} in {language}", phrases)
            if not _LANGUAGE.fullmatch(language):
                raise ValueError(f"{language!r} is no code of a language, such as {', '.join(LANGUAGES)}")
    kept = {
        reason: {language: tuple(filter(has_word, phrases)) for language, phrases in words.items()}
        for reason, words in changes.items()
    }
    return {
        reason: {language: phrases for language, phrases in words.items() if phrases}
        for reason, words in kept.items()
        if any(words.values())
    }


def _check_phrases(name: str, phrases: Any) -> None:
    if len(phrases) > MOST_MARKERS:
        raise ValueError(f"{name} may have at most {MOST_MARKERS} phrases of your own")
    for phrase in phrases:
        if not isinstance(phrase, str) or len(phrase) > LONGEST_MARKER:
            raise ValueError(f"{name} needs phrases of words, each of at most {LONGEST_MARKER} characters")


def has_word(phrase: str) -> bool:
    """One that is not optional: a phrase without would be found in every sentence. A stored one is passed over."""
    return any(any(map(str.isalnum, token)) for token in phrase.split() if not token.startswith("("))


def _examples(given: Iterable[Mapping[str, Any]]) -> tuple[Example, ...]:
    examples = tuple(Example(str(each["text"]), bool(each["is_kept"])) for each in given)
    kept = sum(example.is_kept for example in examples)
    if kept > MOST_KEPT or len(examples) - kept > MOST_REFUSED:
        raise ValueError(f"give at most {MOST_KEPT} examples to remember and {MOST_REFUSED} never to")
    if any(not example.text or len(example.text) > LONGEST_EXAMPLE for example in examples):
        raise ValueError(f"an example is one sentence of at most {LONGEST_EXAMPLE} characters")
    return examples


def _thresholds(changes: Mapping[str, Any]) -> Thresholds:
    thresholds = Thresholds(**{**_read("thresholds.toml"), **changes})
    for name in fields(Thresholds):
        _check(name.name, getattr(thresholds, name.name))
    return thresholds


SHARES = frozenset(
    {"reinforce_step", "same_session_step", "contradict_step", "inferred_cap", "max_confidence", "min_confidence"}
    | {"recall_floor", "hedge_below", "decision_floor", "precision_bar", "alike", "birth"}
)
_MAY_BE_NONE = frozenset({"ceiling", "half_life_days"})


_WHOLE = frozenset({"min_support", "ceiling", "batch_turns"})
_TABLES = frozenset({"birth", "half_life_days"})
_MOST = 1e6


def _check(name: str, value: Any) -> None:
    """Raises ValueError that names the threshold and what it may be."""
    if (name in _TABLES) != isinstance(value, Mapping):
        raise ValueError(f"{name} is " + (f"set part by part, as {name}.…" if name in _TABLES else "one value"))
    if name in _WHOLE and isinstance(value, float):
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    if name == "auto_settle" and not isinstance(value, bool):
        raise ValueError(f"{name} must be true or false")
    if isinstance(value, Mapping):
        for part, number in value.items():
            _check_number(f"{name}.{part}", number, is_share=name in SHARES, may_be_none=name in _MAY_BE_NONE)
    elif not isinstance(value, bool):
        _check_number(name, value, is_share=name in SHARES, may_be_none=name in _MAY_BE_NONE)


def _check_number(name: str, value: Any, *, is_share: bool, may_be_none: bool) -> None:
    if value is None and may_be_none:
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise ValueError(f"{name} must be a number from 0 on, not {value!r}")
    if value == 0 and name.startswith("half_life_days"):
        raise ValueError(f"{name} must be above 0, or none for what never fades")
    if value > _MOST:
        raise ValueError(f"{name} must be at most {_MOST:.0f}, not {value!r}")
    if is_share and value > 1:
        raise ValueError(f"{name} must be from 0 to 1, not {value!r}")


def _vocabulary() -> Vocabulary:
    """Reads one table a canonical predicate: cardinality, synonyms, antonyms, and flags."""
    data = _read("predicates.toml")
    predicates = data["predicates"]
    counts = {name: Cardinality(entry["cardinality"]) for name, entry in predicates.items()}
    return Vocabulary(
        synonyms={s: name for name, entry in predicates.items() for s in entry.get("synonyms", ())},
        antonyms={a: name for name, entry in predicates.items() for a in entry.get("antonyms", ())},
        cardinality=counts,
        places=_flagged(predicates, "is_place"),
        standing_denials=_flagged(predicates, "keeps_denials"),
        object_synonyms=data["object_synonyms"],
        histories=_flagged(predicates, "tells_history"),
        never_fades=_flagged(predicates, "never_fades"),
        fillers=_longest_first(data["fillers"]),
        negations=_longest_first(data["negations"]),
        articles=frozenset(data["articles"]),
        qualifiers=frozenset(data["qualifiers"]),
        **{name: frozenset(data[name]) for name in ("others", "alsos", "nots", "buts")},
        regroupings=tuple(map(_regrouping, data["regroupings"])),
        confirmations=frozenset(data["confirmations"]),
    )


def _regrouping(entry: Mapping[str, Any]) -> Regrouping:
    return Regrouping(
        predicates=frozenset(entry["predicates"]),
        to=entry["to"],
        object=entry.get("object", ""),
        objects=frozenset(entry.get("objects", ())),
        beginnings=tuple(entry.get("beginnings", ())),
        endings=tuple(entry.get("endings", ())),
    )


def _flagged(predicates: Mapping[str, Mapping[str, Any]], flag: str) -> frozenset[str]:
    return frozenset(name for name, entry in predicates.items() if entry.get(flag))


def _longest_first(prefixes: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(prefixes, key=lambda prefix: (-len(prefix), prefix)))


@cache
def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((_DATA / name).read_text(encoding="utf-8"))
