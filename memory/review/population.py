"""What a sample can be drawn from: facts, refused candidates or automatic resolutions, narrowed by filters.

A population is a statement, never a list in memory: counting it and drawing from it take a few statements
whatever its size. Every part of it that is not a value is one of ours.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Self

from memory import clock, confidence, policies
from memory.policy_types import Thresholds
from memory.types import LIVE, TEXTLESS, SampleSubject

LIVE_ONES, ALL = "live", "all"


@dataclass(frozen=True, slots=True)
class Filters:
    """What a population is limited to; "" and None limit nothing. Ages in days since it was last said.

    `person` is a number and no name, since a sample outlives whom it was drawn from.
    """

    status: str = LIVE_ONES
    kind: str = ""
    source: str = ""
    basis: str = ""
    person: int | None = None
    predicate: str = ""
    language: str = ""
    extractor: str = ""
    prompt_version: str = ""
    policy_version: int | None = None
    outcome: str = ""
    min_age: int | None = None
    max_age: int | None = None
    min_confidence: float | None = None
    max_confidence: float | None = None

    def stored(self) -> dict[str, Any]:
        """Only what limits, for the sample's own record."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value not in ("", None)}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        return cls(**{"status": "", **stored})


@dataclass(frozen=True, slots=True)
class Population:
    """`columns` are what it can be filtered and stratified by, as SQL over `tables`; `risk` what is at risk, if asked."""

    tables: str
    columns: Mapping[str, str]
    where: str
    values: Mapping[str, Any]


# The claim that a fact began with says who extracted it, under which prompt, from which episode.
_FOUNDER = """
    LEFT JOIN LATERAL (
        SELECT claim.extractor, claim.episode_id, claim.call_id FROM memory_candidate claim
        WHERE claim.user_id = thing.user_id AND claim.fact_id = thing.id ORDER BY claim.said_at, claim.id LIMIT 1
    ) founder ON true
"""
_CALL = "LEFT JOIN memory_modelcall call ON call.user_id = thing.user_id AND call.id = {founder}.call_id"
_OWNER = "JOIN memory_user owner ON owner.id = thing.user_id"

COMPLAINT = """EXISTS (
    SELECT FROM memory_correction said WHERE said.user_id = thing.user_id AND said.fact_id = thing.id
    AND said.undone_at IS NULL AND said.verdict IN ('incorrect', 'stale')
)"""

TABLES = {
    SampleSubject.FACTS: f"memory_fact thing {_OWNER}",
    SampleSubject.REFUSALS: f"memory_candidate thing {_OWNER}",
    SampleSubject.RESOLUTIONS: f"""memory_resolution resolution
        JOIN memory_candidate thing ON thing.user_id = resolution.user_id AND thing.id = resolution.candidate_id {_OWNER}""",
}
FOUNDED = {
    SampleSubject.FACTS: _FOUNDER + _CALL.format(founder="founder"),
    SampleSubject.REFUSALS: _CALL.format(founder="thing"),
    SampleSubject.RESOLUTIONS: _CALL.format(founder="thing"),
}
_KEPT = f"thing.text <> '' AND thing.reason NOT IN ({', '.join(f"'{reason}'" for reason in TEXTLESS)})"
_BASE = {
    SampleSubject.FACTS: "true",
    SampleSubject.REFUSALS: f"thing.verdict = 'refused' AND {_KEPT}",
    SampleSubject.RESOLUTIONS: "thing.verdict = 'accepted' AND thing.text <> ''",
}
_COMMON = {
    "kind": "thing.kind",
    "source": "split_part(thing.source, ':', 1)",
    "basis": "thing.basis",
    "person": "owner.id::text",
    "predicate": "thing.predicate",
    "policy_version": "thing.policy_version::text",
    "prompt_version": "coalesce(call.prompt_version, '')",
}
_OF_CANDIDATES = _COMMON | {
    "language": "owner.language",
    "extractor": "thing.extractor",
    "said_at": "thing.said_at",
    "confidence": "NULL::float8",
}


def columns(subject: SampleSubject, thresholds: Thresholds, effective: str) -> dict[str, str]:
    """Name → SQL."""
    if subject is SampleSubject.REFUSALS:
        return _OF_CANDIDATES | {"outcome": "thing.reason"}
    if subject is SampleSubject.RESOLUTIONS:
        return _OF_CANDIDATES | {"outcome": "resolution.relation"}
    band = f"CASE WHEN {effective} < {thresholds.recall_floor} THEN 'faint' "
    band += f"WHEN {effective} < {thresholds.hedge_below} THEN 'tentative' ELSE 'firm' END"
    return _COMMON | {
        "status": "thing.status",
        "language": "thing.language",
        "extractor": "coalesce(founder.extractor, '')",
        "said_at": "thing.last_supported_at",
        "confidence": effective,
        "band": band,
        "outcome": "''",
    }


OUTLASTING = {
    "source": "split_part(thing.source, ':', 1)",
    "predicate": "CASE WHEN thing.predicate = ANY(%(vocabulary)s) THEN thing.predicate ELSE '' END",
}
"""Columns as a sample may keep them when their person is gone: without names of tools and documents, and without
predicates that no vocabulary knows, which may be the person's own words."""

STRATA = {
    SampleSubject.FACTS: (
        *("kind", "source", "basis", "status", "band", "predicate", "language"),
        *("person", "extractor", "prompt_version", "policy_version"),
    ),
    SampleSubject.REFUSALS: ("outcome", "kind", "language", "person", "extractor", "prompt_version", "policy_version"),
    SampleSubject.RESOLUTIONS: (
        *("outcome", "kind", "source", "predicate", "language"),
        *("person", "extractor", "prompt_version", "policy_version"),
    ),
}
"""What each may be stratified by."""


def of(
    subject: SampleSubject,
    filters: Filters,
    *,
    is_random: bool = True,
    stratify_by: str = "",
    now: datetime | None = None,
) -> Population:
    """What is there to draw from, now. With `is_random` false only what is at risk."""
    policy, now = policies.current(), now or clock.now()
    thresholds = policy.thresholds
    effective, values = confidence.effective_sql(thresholds, now=now, table="thing")
    values["vocabulary"] = sorted(policy.vocabulary.cardinality)
    known = columns(subject, thresholds, effective)
    conditions = [_BASE[subject], *_narrowing(filters, known, values, is_random=is_random)]
    if filters.min_age is not None or filters.max_age is not None:
        values["now"] = now
    if not is_random:
        conditions.append(f"(thing.status = 'conflicted' OR {effective} < {thresholds.hedge_below} OR {COMPLAINT})")
    needed = {name for name in ("extractor", "prompt_version") if getattr(filters, name)} | {stratify_by}
    tables = TABLES[subject]
    if needed & {"extractor", "prompt_version"}:
        tables += f" {FOUNDED[subject]}"
    return Population(tables, known, " AND ".join(conditions), values)


def _narrowing(filters: Filters, known: Mapping[str, str], values: dict[str, Any], *, is_random: bool) -> list[str]:
    conditions = []
    if "status" in known and filters.status not in ("", ALL):
        conditions.append(f"(thing.status = ANY(%(statuses)s){'' if is_random else f' OR {COMPLAINT}'})")
        values["statuses"] = [*LIVE] if filters.status == LIVE_ONES else [filters.status]
    for name in ("kind", "source", "basis", "predicate", "language", "extractor", "prompt_version", "outcome"):
        if getattr(filters, name):
            conditions.append(f"{known[name]} = %(is_{name})s")
            values[f"is_{name}"] = getattr(filters, name)
    for name, column in (("policy_version", "thing.policy_version"), ("person", "thing.user_id")):
        if getattr(filters, name) is not None:
            conditions.append(f"{column} = %(is_{name})s")
            values[f"is_{name}"] = getattr(filters, name)
    return conditions + _ranges(filters, known, values)


def _ranges(filters: Filters, known: Mapping[str, str], values: dict[str, Any]) -> list[str]:
    """An age in whole days: from the youngest that is old enough to the oldest that is young enough."""
    bounds = {
        "min_age": f"{known['said_at']} <= %(now)s::timestamptz - %(min_age)s * interval '1 day'",
        "max_age": f"{known['said_at']} > %(now)s::timestamptz - %(max_age)s * interval '1 day'",
        "min_confidence": f"{known['confidence']} >= %(min_confidence)s",
        "max_confidence": f"{known['confidence']} < %(max_confidence)s",
    }
    asked = {name: getattr(filters, name) for name in bounds if getattr(filters, name) is not None}
    values.update(asked)
    return [bounds[name] for name in asked]
