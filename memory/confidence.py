"""How sure a fact is: from its evidence, and what of that is left by now.

Confidence is one pure function of a fact's evidence, stated as of its last support. What it
is worth at another moment is computed from that and never written back, in Python
(`effective`) and in SQL (`effective_sql`, `effective_expression`) by one formula:

    confidence × 0.5 ^ (age in days / half-life of the kind), unfading where there is none
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import F, FloatField, Func
from django.db.models.sql.compiler import SQLCompiler

from memory.policy_types import Thresholds

INFERRED: Final = "inferred"
RANKS: Final = {"user": 3, "tool": 2, "imported": 1, INFERRED: 0}
_DAY: Final = timedelta(days=1)
_FORMULA: Final = (
    "({confidence} * power(0.5::float8, least("
    "greatest(date_part('epoch', {now}::timestamptz - {last}), 0) / 86400 / {half_life}, 1000)))"
)  # power() refuses what underflows


@dataclass(frozen=True, slots=True)
class Evidence:
    """One support. `episode` tells occasions apart, `session` ("" for none) those of one sitting."""

    episode: str
    session: str
    source: str
    at: datetime


def source_class(source: str) -> str:
    """What kind of source: "user", "tool", "imported" or "inferred"."""
    return source.partition(":")[0]


def rank(source: str) -> int:
    """How far a source is trusted: user > tool > imported > inferred."""
    return RANKS[source_class(source)]


class Step(NamedTuple):
    """What one occasion did: `left` of the confidence by then, what it `gained`, and what it was `after`."""

    evidence: Evidence
    left: float
    gained: float
    after: float
    is_same_sitting: bool


def from_evidence(evidence: Sequence[Evidence], *, kind: str, thresholds: Thresholds) -> float:
    """Confidence as of the newest evidence, whatever order it is given in.

    Born by the best source; each further episode adds a step to what was left by then, a
    small one within a session, nothing within an episode. However little was left, it is then as
    sure as what that source says for the first time. Inference alone stays under its cap.
    """
    return steps(evidence, kind=kind, thresholds=thresholds)[-1].after


def steps(evidence: Sequence[Evidence], *, kind: str, thresholds: Thresholds) -> list[Step]:
    """How it came to that, one occasion after the other."""
    best = max((source_class(e.source) for e in evidence), key=RANKS.__getitem__)
    ceiling = thresholds.inferred_cap if best == INFERRED else thresholds.max_confidence
    occasions = _occasions(evidence)
    confidence = min(ceiling, thresholds.birth[best])
    taken = [Step(occasions[0], 0.0, confidence, confidence, is_same_sitting=False)]
    last, sessions = occasions[0].at, {occasions[0].session}
    for occasion in occasions[1:]:
        left = effective(confidence, kind, last, now=occasion.at, thresholds=thresholds)
        is_same_sitting = occasion.session != "" and occasion.session in sessions
        step = thresholds.same_session_step if is_same_sitting else thresholds.reinforce_step
        confidence = min(ceiling, max(thresholds.birth[source_class(occasion.source)], left + step))
        taken.append(Step(occasion, left, confidence - left, confidence, is_same_sitting))
        last = occasion.at
        sessions.add(occasion.session)
    return taken


def effective(
    confidence: float, kind: str, last_supported_at: datetime, *, now: datetime, thresholds: Thresholds
) -> float:
    """What is left of `confidence` at `now`."""
    half_life = thresholds.half_life_days.get(kind)
    if half_life is None:
        return confidence
    age = max(0.0, (now - last_supported_at) / _DAY)
    return float(confidence * 0.5 ** (age / half_life))


def fades_at(confidence: float, kind: str, last_supported_at: datetime, thresholds: Thresholds) -> datetime | None:
    """When effective confidence reaches the floor; None if it never does."""
    half_life, floor = thresholds.half_life_days.get(kind), thresholds.min_confidence
    if confidence < floor:
        return last_supported_at
    if half_life is None or floor <= 0:
        return None
    try:
        return last_supported_at + timedelta(days=half_life * math.log2(confidence / floor))
    except OverflowError:
        return None


def effective_sql(thresholds: Thresholds, *, now: datetime, table: str = "memory_fact") -> tuple[str, dict[str, Any]]:
    """`effective` as SQL over the columns of `table`, with its named parameters, for raw statements."""
    columns = {"confidence": f"{table}.confidence", "last": f"{table}.last_supported_at"}
    values: dict[str, Any] = {"effective_now": now}
    names = []
    for n, (kind, days) in enumerate(_half_lives(thresholds)):
        values |= {f"kind_{n}": kind, f"half_life_{n}": days}
        names.append((f"%(kind_{n})s", f"%(half_life_{n})s"))
    return _FORMULA.format(**columns, now="%(effective_now)s", half_life=_cases(f"{table}.kind", names)), values


def effective_expression(thresholds: Thresholds, *, now: datetime, prefix: str = "") -> Func:
    """`effective` for a queryset; `prefix` is the path to the fact ("fact__")."""
    return _Effective(
        F(f"{prefix}confidence"),
        F(f"{prefix}last_supported_at"),
        F(f"{prefix}kind"),
        now=now,
        half_lives=_half_lives(thresholds),
    )


class _Effective(Func):
    output_field = FloatField()
    arity = 3

    def as_postgresql(self, compiler: SQLCompiler, _: BaseDatabaseWrapper) -> tuple[str, tuple[Any, ...]]:
        """The formula over the compiled columns."""
        (confidence, first), (last, second), (kind, third) = map(compiler.compile, self.get_source_expressions())
        half_lives = self.extra["half_lives"]
        cases = _cases(kind, (("%s", "%s") for _ in half_lives))
        sql = _FORMULA.format(confidence=confidence, last=last, now="%s", half_life=cases)
        return sql, (*first, self.extra["now"], *second, *third, *(value for pair in half_lives for value in pair))


def _half_lives(thresholds: Thresholds) -> list[tuple[str, float]]:
    """Of the kinds that fade."""
    return [(kind, float(days)) for kind, days in thresholds.half_life_days.items() if days is not None]


def _cases(kind: str, half_lives: Iterable[tuple[str, str]]) -> str:
    """Without end for a kind that never fades."""
    whens = " ".join(f"WHEN {name} THEN {days}::float8" for name, days in half_lives)
    return f"(CASE {kind} {whens} ELSE 'infinity' END)" if whens else "'infinity'::float8"


def _occasions(evidence: Iterable[Evidence]) -> list[Evidence]:
    """One for each episode, the newest of it, in the order of their time."""
    newest: dict[str, Evidence] = {}
    for piece in sorted(evidence, key=lambda e: (e.at, e.episode, e.session)):
        newest[piece.episode] = piece
    return sorted(newest.values(), key=lambda e: (e.at, e.episode))
