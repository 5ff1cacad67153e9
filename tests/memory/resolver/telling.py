"""Short hand for claims on one key, and for what a fold makes of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any

from memory import keying, policy
from memory.policy import Policy
from memory.resolver import fold
from memory.types import (
    LIVE,
    Basis,
    Claim,
    Decision,
    Folded,
    FoldedFact,
    Judged,
    Kind,
    Pair,
    Polarity,
    Relation,
    Ruling,
    Speech,
    Verb,
)

POLICY = policy.default()
START = datetime(2024, 3, 1, 12, tzinfo=UTC)
_ids = count(1)


def on(day: float, *, hour: float = 0) -> datetime:
    """Noon of the day `day` days after 1 March 2024."""
    return START + timedelta(days=day, hours=hour)


def said(obj: str, day: float = 0, *, predicate: str = "lives_in", **fields: Any) -> Claim:
    """A claim of the user's, each in an episode of its own unless told."""
    number = fields.pop("id", next(_ids))
    values: dict[str, Any] = {
        "episode": number,
        "session": f"s{number}",
        "text": f"{predicate} {obj}",
        "object": obj,
        "object_key": keying.object_value(obj, POLICY.vocabulary) if predicate else "",
        "predicate": predicate,
        "kind": Kind.KNOWLEDGE,
        "polarity": Polarity.AFFIRMS,
        "basis": Basis.STATED,
        "speech": Speech.STATES,
        "source": "user",
        "said_at": on(day, hour=fields.pop("hour", 0)),
    }
    values |= fields
    values.setdefault("order", (f"{values['episode']:06}", 1, 1, values["text"]))
    return Claim(id=number, **values)


def denied(obj: str, day: float = 0, **fields: Any) -> Claim:
    return said(obj, day, polarity=Polarity.DENIES, **fields)


def changed(obj: str, day: float = 0, **fields: Any) -> Claim:
    return said(obj, day, speech=Speech.CHANGES, **fields)


def corrected(obj: str, day: float = 0, **fields: Any) -> Claim:
    return said(obj, day, speech=Speech.CORRECTS, **fields)


def inferred(obj: str, day: float = 0, **fields: Any) -> Claim:
    return said(obj, day, basis=Basis.INFERRED, source="inferred", **fields)


def ruled(verb: Verb, *claims: Claim, day: float, by: str = "member", as_of: date | None = None) -> Ruling:
    return Ruling(next(_ids), verb, frozenset(claim.id for claim in claims), on(day), by, as_of)


def believe(
    *claims: Claim,
    rulings: Sequence[Ruling] = (),
    judged: Mapping[Pair, Judged] | None = None,
    under: Policy = POLICY,
) -> Folded:
    return fold(claims, rulings=rulings, judged=judged, policy=under)


def with_thresholds(**changes: Any) -> Policy:
    return replace(POLICY, thresholds=replace(POLICY.thresholds, **changes))


def live(folded: Folded) -> list[str]:
    """Objects believed now, "not …" for denials, in the order of their founding."""
    return [_spell(fact) for fact in folded.facts if fact.status in LIVE]


def statuses(folded: Folded) -> list[tuple[str, str]]:
    return [(_spell(fact), fact.status.value) for fact in folded.facts]


def decision(folded: Folded, claim: Claim) -> Decision:
    """The one decision on `claim`."""
    [found] = [decision for decision in folded.decisions if decision.claim == claim.id]
    return found


def relation(folded: Folded, claim: Claim) -> Relation:
    return decision(folded, claim).relation


def fact_of(folded: Folded, claim: Claim) -> FoldedFact:
    """The fact that holds `claim` as evidence."""
    [found] = [fact for fact in folded.facts if claim.id in fact.claims]
    return found


def _spell(fact: FoldedFact) -> str:
    return f"not {fact.object}" if fact.polarity == Polarity.DENIES else fact.object
