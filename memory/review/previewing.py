"""What a policy would do to what is stored, found by doing it and taking it back, one person after the other.

What is shown before is so the same as what is done after, row for row.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from django.db import transaction

from memory import policies, policy, scope
from memory.errors import NotFound
from memory.models import Candidate, Fact, Report, User
from memory.policy import Policy
from memory.review import carrying, predicting, rejudging, reports, rounds
from memory.review.carrying import Difference
from memory.review.rounds import Round
from memory.types import LIVE, Status, Verdict

MOST_IDS = 20_000
"""How many rows of a kind a preview names; it counts them all."""


class Effect(StrEnum):
    """What becomes of a fact; the last four of a claim."""

    LAPSES = "lapses"
    RETURNS = "returns"
    CONFLICTS = "conflicts"
    AGREES = "agrees"
    REPLACED = "replaced"
    REVIVED = "revived"
    RETRACTED = "retracted"
    MERGED = "merged"
    BELIEVED = "believed"
    WITHHELD = "withheld"
    WAITS = "waits"
    APART = "apart"


OF_CLAIMS = frozenset({Effect.BELIEVED, Effect.WITHHELD, Effect.WAITS, Effect.APART})
LOSING = frozenset({Effect.LAPSES, Effect.REPLACED, Effect.RETRACTED, Effect.MERGED})


class Held(NamedTuple):
    verdict: str
    fact: int | None


@dataclass(frozen=True, slots=True)
class Memory:
    """What is believed of one person, as far as a preview looks at it."""

    facts: Mapping[int, str]
    """Fact → its status."""
    claims: Mapping[int, Held]


def name(over: int, document: Mapping[str, Any]) -> str:
    """What the preview of a document, to be laid over a version, is stored as."""
    told = json.dumps([over, document], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(told.encode()).hexdigest()[:40]


def ask(document: Mapping[str, Any]) -> reports.Result:
    """Has a preview of these changes made, over the version in force; inside the staff's scope.

    A result that `is_new` has still to be put to a worker. Raises InvalidPolicy when the document holds what it cannot.
    """
    over, _ = policies.in_force()
    policies.check(document)
    about = name(over, document)
    result = reports.ask(reports.PREVIEW, about)
    if result.numbers is None:
        asked = {"asked": {"over": over, "document": document}}
        Report.objects.filter(pk=result.id, data__isnull=True).update(data=asked)
    return result


def asked(about: str) -> tuple[int, dict[str, Any]]:
    """Over which version, and what it would hold. Raises NotFound."""
    data = Report.objects.filter(kind=reports.PREVIEW, about=about).values_list("data", flat=True).first()
    if not data:
        raise NotFound("There is no such preview.")
    found = data.get("asked") or data["numbers"]["asked"]
    return found["over"], found["document"]


def report(about: str, *, seconds: float = rounds.PIECE) -> dict[str, Any] | None:
    """The preview as plain numbers and ids; None while there are people left to go through.

    Opens its own scopes, and none may be open.
    """
    gone = rounds.begin(reports.PREVIEW, about, seconds=seconds)
    with scope.staff():
        over, document = asked(about)
        old, new = policies.numbered(over), policy.build(over + 1, document)
    users = _effects(gone, old, new)
    if gone.is_whole:
        rejudging.go(gone, old, new)
    if not gone.is_whole:
        return None
    found, gate = gone.found["effects"], gone.found["gate"]
    lost = {row for effect in LOSING if effect in found for row in found[effect]["rows"]}
    with scope.staff():
        predicted = predicting.report(old, new, lost=lost, refused=set(gate["refused"]))
        there = {"facts": Fact.objects.live().count(), "people": users}
    return {
        "asked": {"over": over, "document": document},
        "effects": {name: _counted(**found[name]) for name in Effect if name in found},
        "gate": {"seen": gate["seen"], **{name: _counted(gate[name]) for name in ("refused", "accepted")}},
        "predicted": predicted,
        "of": there,
    }


def _effects(gone: Round, old: Policy, new: Policy) -> int:
    """Finds what would change, by kind: which rows, and how many people's. Returns of how many people."""
    with scope.staff():
        difference = carrying.differ(old, new)
        users = carrying.touched(difference)
    found = gone.found.setdefault("effects", {})
    for user_id in gone.through("effects", users):
        tried = _tried(user_id, new, difference)
        for effect, row in tried:
            found.setdefault(effect, {"rows": [], "people": 0})["rows"].append(row)
        for effect in {effect for effect, _row in tried}:
            found[effect]["people"] += 1
    return len(users)


def _counted(rows: Sequence[int], **beside: int) -> dict[str, Any]:
    return {"count": len(rows), **beside, "rows": sorted(rows)[:MOST_IDS]}


def _tried(user_id: int, proposed: Policy, difference: Difference) -> list[tuple[Effect, int]]:
    """Carries the policy out for one person, sees what changed, and takes it all back."""
    with scope.user(user_id):
        if not User.objects.filter(pk=user_id).exists():
            return []
        before = remember(user_id)
        with transaction.atomic():
            carrying.carry(user_id, proposed, difference)
            after = remember(user_id)
            transaction.set_rollback(True)
    return list(compare(before, after))


def remember(user_id: int) -> Memory:
    """One person's facts and claims as they are now; inside a scope."""
    claims = Candidate.objects.claims().filter(user=user_id).values_list("pk", "verdict", "fact")
    return Memory(
        facts=dict(Fact.objects.filter(user=user_id).values_list("pk", "status")),
        claims={pk: Held(verdict, fact) for pk, verdict, fact in claims},
    )


def compare(before: Memory, after: Memory) -> Iterator[tuple[Effect, int]]:
    """What happened in between, to which row. Facts that are new are told by the claims that they rest on."""
    for fact, status in before.facts.items():
        if (effect := _of_fact(status, after.facts.get(fact))) is not None:
            yield effect, fact
    for claim, held in before.claims.items():
        now = after.claims.get(claim, held)
        if (effect := _of_claim(held, now, is_new=now.fact not in before.facts)) is not None:
            yield effect, claim


def _of_fact(before: str, after: str | None) -> Effect | None:
    if before == after:
        return None
    if after is None:
        return Effect.MERGED
    if after == Status.ACTIVE and before == Status.CONFLICTED:
        return Effect.AGREES
    if after in LIVE and before == Status.LAPSED:
        return Effect.RETURNS
    return _BECOMES[Status(after)]


_BECOMES = {
    Status.ACTIVE: Effect.REVIVED,
    Status.CONFLICTED: Effect.CONFLICTS,
    Status.SUPERSEDED: Effect.REPLACED,
    Status.RETRACTED: Effect.RETRACTED,
    Status.LAPSED: Effect.LAPSES,
}


def _of_claim(before: Held, after: Held, *, is_new: bool) -> Effect | None:
    if before.verdict != after.verdict:
        return _COMES[Verdict(after.verdict)]
    return Effect.APART if before.fact and after.fact and is_new else None


_COMES = {
    Verdict.ACCEPTED: Effect.BELIEVED,
    Verdict.HELD: Effect.WAITS,
    Verdict.LAPSED: Effect.WITHHELD,
}
