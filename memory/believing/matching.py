"""Which row each folded fact is, and what its columns should say. Pure but for the rows handed in."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from memory import confidence, dates
from memory.believing.loading import Key, Known, Stored
from memory.policy import Policy
from memory.types import Claim, Folded, FoldedFact


@dataclass(slots=True)
class Target:
    """One folded fact, the row it is (None for a new one), and what the row should hold."""

    key: Key
    fact: FoldedFact
    row: Stored | None
    columns: dict[str, Any]
    id: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """What the keys should look like. `targets` of a key stand in the order of its folded facts."""

    folded: Mapping[Key, Folded]
    targets: Mapping[Key, list[Target]]
    gone: list[int]
    policy: Policy

    def all(self) -> Iterator[Target]:
        return (target for targets in self.targets.values() for target in targets)


def match(folded: Mapping[Key, Folded], known: Known, *, policy: Policy) -> Plan:
    """Rows go to the folded fact that holds most of their claims; a row left over has been folded into another."""
    taken: set[int] = set()
    targets: dict[Key, list[Target]] = {}
    for key, result in folded.items():
        claims = {claim.id: claim for claim in known.claims[key]}
        targets[key] = []
        for fact in result.facts:
            row = _row(fact, known, taken)
            columns = {"entity_id": key.entity, "subject": known.subjects[key.entity], "predicate": key.predicate}
            targets[key].append(Target(key, fact, row, columns | _columns(fact, claims, policy)))
    return Plan(folded, targets, [pk for pk in known.facts if pk not in taken], policy)


def _row(fact: FoldedFact, known: Known, taken: set[int]) -> Stored | None:
    held = Counter(known.rows[claim].fact for claim in fact.claims if known.rows[claim].fact)
    for pk, _ in held.most_common():
        if pk is not None and pk in known.facts and pk not in taken:
            taken.add(pk)
            return known.facts[pk]
    return None


def _columns(fact: FoldedFact, claims: Mapping[int, Claim], policy: Policy) -> dict[str, Any]:
    same = {name: getattr(fact, name) for name in SAME}
    first = min((claims[claim] for claim in fact.claims), key=lambda claim: claim.said_at)
    return same | {
        "began_on": dates.first_day(fact.valid_from) if fact.valid_from else first.said_day or first.said_at.date(),
        "ended_on": dates.last_day(fact.valid_to) if fact.valid_to else fact.expires_on,
        "first_said_at": first.said_at,
        "policy_version": policy.version,
        "fades_at": None
        if fact.is_confirmed
        else confidence.fades_at(fact.confidence, fact.kind, fact.last_supported_at, thresholds=policy.thresholds),
    }


SAME = (
    "text",
    "object",
    "object_key",
    "kind",
    "polarity",
    "basis",
    "source",
    "status",
    "status_reason",
    "confidence",
    "last_supported_at",
    "valid_from",
    "valid_to",
    "expires_on",
    "is_exclusive",
    "is_confirmed",
    "is_unjudged",
)
