"""What a policy is made of, as plain values: thresholds and vocabularies."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from memory.types import Cardinality


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The numbers of a policy version."""

    birth: Mapping[str, float]
    half_life_days: Mapping[str, float | None]
    min_support: int = 2
    hold_days: int = 90
    update_window_days: float = 1.0
    reinforce_step: float = 0.25
    same_session_step: float = 0.02
    contradict_step: float = 0.15
    inferred_cap: float = 0.60
    max_confidence: float = 0.99
    min_confidence: float = 0.30
    recall_floor: float = 0.40
    hedge_below: float = 0.65
    decision_floor: float = 0.60
    precision_bar: float = 0.90
    """Below this share of right facts memory does more harm than good."""
    ceiling: int | None = 50
    idle_minutes: float = 10
    batch_turns: int = 30
    auto_settle: bool = False
    rrf: float = 5
    """The constant of reciprocal rank fusion: small for short lists."""
    vector_weight: float = 1.0
    words_weight: float = 2.0
    letters_weight: float = 1.0
    facts_weight: float = 1.0
    """What a fact lends to the turns it rests on, where turns are asked for."""
    alike: float = 0.45
    """From what trigram likeness on a misspelt word counts as found."""


@dataclass(frozen=True, slots=True)
class Regrouping:
    """What is said under one of `predicates` belongs under `to`, where the object tells so.

    By its being one of `objects`, by its beginning or by its ending, which are cut off.
    With none of the three every object does, and `object` stands for it.
    """

    predicates: frozenset[str]
    to: str
    object: str = ""
    objects: frozenset[str] = frozenset()
    beginnings: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Predicates of a policy version, by their canonical name."""

    synonyms: Mapping[str, str]
    antonyms: Mapping[str, str]
    cardinality: Mapping[str, Cardinality]
    places: frozenset[str] = frozenset()
    """Predicates whose objects are places: a coarser place supports the finer one."""
    standing_denials: frozenset[str] = frozenset()
    """Predicates whose denial is worth keeping as a fact ("does not eat meat")."""
    object_synonyms: Mapping[str, str] = field(default_factory=dict)
    histories: frozenset[str] = frozenset()
    """Predicates that tell of what happened: that it ended does not make it past ("worked_at")."""
    never_fades: frozenset[str] = frozenset()
    """Predicates that say something permanent: their facts fold as identity, whatever kind was proposed."""
    fillers: tuple[str, ...] = ()
    """What may stand before a known predicate and adds nothing ("currently_"), the longest first."""
    negations: tuple[str, ...] = ()
    """What may stand before a known predicate and denies it ("no_longer_"), the longest first."""
    articles: frozenset[str] = frozenset()
    qualifiers: frozenset[str] = frozenset()
    """Words that may begin a qualifier of an object ("Postgres" → "Postgres on Neon")."""
    regroupings: tuple[Regrouping, ...] = ()
    confirmations: frozenset[str] = frozenset()
    """Objects that only say that the predicate is so ("peanut_allergy: yes")."""
    others: frozenset[str] = frozenset()
    """Words before an object that set it beside what is known ("my other car is a Fiat")."""
    alsos: frozenset[str] = frozenset()
    """The same, but not as the first word, where they only lead on; also as the last one ("in Bergen, too")."""
    nots: frozenset[str] = frozenset()
    """Words after which a correction names what is not so ("Tim, not Tom")."""
    buts: frozenset[str] = frozenset()
    """Words that end what is named not to be so ("not Tom but Tim")."""
