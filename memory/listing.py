"""Facts, questions and refusals as plain documents, in the shape that `interfaces.md` fixes for agents and scripts."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet

from memory import clock, confidence
from memory.attributing import UNCLEAR
from memory.models import Candidate, Conflict, Derivation, Evidence, Fact
from memory.models.facts import FactQuerySet
from memory.types import LIVE, Status, Thresholds, Verdict

SAME = (
    "id",
    "text",
    "subject",
    "predicate",
    "object",
    "kind",
    "polarity",
    "basis",
    "source",
    "status",
    "status_reason",
    "valid_from",
    "valid_to",
    "superseded_by",
)


def facts(chosen: QuerySet[Fact], *, thresholds: Thresholds) -> list[dict[str, Any]]:
    """Each fact with its quotes and links; a handful of queries, however many facts."""
    evidence = Evidence.objects.select_related("episode").order_by("pk")
    rows = chosen.defer("embedding").prefetch_related(
        Prefetch(
            "claims", Candidate.objects.order_by("said_at", "pk").prefetch_related(Prefetch("evidence", evidence))
        ),
        Prefetch("derivations", Derivation.objects.order_by("base")),
        Prefetch("supersedes", Fact.objects.only("pk", "superseded_by").order_by("pk")),
    )
    return [_fact(row, thresholds, clock.now()) for row in rows]


def _fact(row: Fact, thresholds: Thresholds, now: datetime) -> dict[str, Any]:
    left = confidence.effective(row.confidence, row.kind, row.last_supported_at, now=now, thresholds=thresholds)
    same = {name: getattr(row, name) for name in SAME if name != "superseded_by"}
    return same | {
        "confidence": round(row.confidence, 4),
        "effective_confidence": round(left, 4),
        "expires_on": row.expires_on and row.expires_on.isoformat(),
        "created_at": row.created_at.isoformat(),
        "last_supported_at": row.last_supported_at.isoformat(),
        "supersedes": [older.pk for older in row.supersedes.all()],
        "superseded_by": row.superseded_by_id,
        "derived_from": [derivation.base_id for derivation in row.derivations.all()],
        "evidence": [_evidence(quote) for claim in row.claims.all() for quote in claim.evidence.all()],
    }


def _evidence(quote: Evidence) -> dict[str, Any]:
    return {
        "episode": quote.episode.external_id,
        "turn": quote.turn,
        "role": quote.role,
        "quote": quote.quote,
        "at": quote.at.isoformat(),
    }


def with_status(user_id: int, status: str) -> FactQuerySet:
    """The user's facts: "live" ones, those of one status, or "all", in a stable order."""
    rows = Fact.objects.filter(user=user_id).order_by("subject", "predicate", "first_said_at", "text")
    if status == "all":
        return rows
    return rows.filter(status__in=LIVE if status == "live" else [Status(status)])


def _whose(user_ids: Sequence[int] | None) -> Q:
    """Of these users; of everybody for None."""
    return Q() if user_ids is None else Q(user__in=user_ids)


def conflicts(user_ids: Sequence[int] | None) -> list[dict[str, Any]]:
    """Open conflicts, and claims of which it is not clear whom they are about."""
    rows = Conflict.objects.open().filter(_whose(user_ids)).select_related("entity").prefetch_related("sides")
    unclear = Candidate.objects.filter(_whose(user_ids), verdict=Verdict.HELD, reason=UNCLEAR)
    return [_conflict(row) for row in rows.order_by("opened_at", "pk")] + [
        _question(row) for row in unclear.order_by("said_at", "pk")
    ]


def _conflict(row: Conflict) -> dict[str, Any]:
    return {
        "id": row.pk,
        "status": "open",
        "subject": row.entity.name,
        "predicate": row.predicate,
        "why": row.why,
        "facts": sorted(side.fact_id for side in row.sides.all()),
    }


def _question(row: Candidate) -> dict[str, Any]:
    return {
        "id": f"candidate-{row.pk}",
        "status": "unclear_subject",
        "subject": row.subject,
        "predicate": row.predicate,
        "why": f"“{row.text}”: {row.detail}",
        "facts": [],
    }


def rejected(user_ids: Sequence[int] | None) -> dict[str, Any]:
    """What the gate refused, with counts by reason. Of secrets and the like there is no text to show."""
    rows = Candidate.objects.refused().filter(_whose(user_ids))
    counts = rows.values_list("reason").annotate(Count("id")).order_by("reason")
    shown = rows.select_related("episode").order_by("said_at", "episode", "place")
    return {
        "candidates": [
            {
                "id": row.pk,
                "text": row.text,
                "reason": row.reason,
                "detail": row.detail,
                "episode": row.episode.external_id,
            }
            for row in shown
        ],
        "counts": dict(counts),
    }
