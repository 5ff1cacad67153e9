"""Facts, questions and refusals as plain documents, in the shape that `interfaces.md` fixes for agents and scripts."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from django.db.models import Count, Prefetch, Q, QuerySet

from memory import clock, confidence
from memory.attributing import UNCLEAR
from memory.models import Candidate, Conflict, Derivation, Evidence, Fact
from memory.models.facts import FactQuerySet
from memory.policy_types import Thresholds
from memory.types import LIVE, Status, Verdict


class Row(NamedTuple):
    """One fact as it is told: its own columns, its entity's, and what hangs on it.

    That is the ids of those it replaced and of those it was inferred from, and its quotes.
    """

    id: int
    text: str
    subject: str
    predicate: str
    object: str
    kind: str
    polarity: str
    basis: str
    source: str
    status: str
    status_reason: str
    valid_from: str | None
    valid_to: str | None
    confidence: float
    last_supported_at: datetime
    first_said_at: datetime
    expires_on: date | None
    created_at: datetime
    superseded_by_id: int | None
    name: str
    note: str
    is_owner: bool
    supersedes: Sequence[int]
    derived_from: Sequence[int]
    evidence: Sequence[dict[str, Any]]

    @property
    def entity(self) -> str:
        """Its name, and what tells it apart."""
        return f"{self.name} ({self.note})" if self.note else self.name


_HANGING = ("supersedes", "derived_from", "evidence")
_ENTITY = ("name", "note", "is_owner")
_FACT = tuple(name for name in Row._fields if name not in {*_ENTITY, *_HANGING})


def facts(chosen: QuerySet[Fact], *, thresholds: Thresholds) -> list[dict[str, Any]]:
    """Each fact with its quotes and links; a handful of queries, however many facts."""
    evidence = Evidence.objects.select_related("episode").order_by("pk")
    rows = (
        chosen.select_related("entity")
        .defer("embedding")
        .prefetch_related(
            Prefetch(
                "claims", Candidate.objects.order_by("said_at", "pk").prefetch_related(Prefetch("evidence", evidence))
            ),
            Prefetch("derivations", Derivation.objects.order_by("base")),
            Prefetch("supersedes", Fact.objects.only("pk", "superseded_by").order_by("pk")),
        )
    )
    return [fact(_row(row), thresholds, clock.now()) for row in rows]


def fact(row: Row, thresholds: Thresholds, now: datetime) -> dict[str, Any]:
    """One fact as a document."""
    left = confidence.effective(row.confidence, row.kind, row.last_supported_at, now=now, thresholds=thresholds)
    return {
        "id": row.id,
        "text": row.text,
        "subject": row.subject,
        "subject_note": row.note,
        "predicate": row.predicate,
        "object": row.object,
        "kind": row.kind,
        "polarity": row.polarity,
        "basis": row.basis,
        "source": row.source,
        "status": row.status,
        "status_reason": row.status_reason,
        "valid_from": row.valid_from,
        "valid_to": row.valid_to,
        "confidence": round(row.confidence, 4),
        "effective_confidence": round(left, 4),
        "expires_on": row.expires_on and row.expires_on.isoformat(),
        "created_at": row.created_at.isoformat(),
        "last_supported_at": row.last_supported_at.isoformat(),
        "supersedes": row.supersedes,
        "superseded_by": row.superseded_by_id,
        "derived_from": row.derived_from,
        "evidence": row.evidence,
    }


def _row(row: Fact) -> Row:
    return Row._make(
        [
            *(getattr(row, name) for name in _FACT),
            *(getattr(row.entity, name) for name in _ENTITY),
            [older.pk for older in row.supersedes.all()],
            [derivation.base_id for derivation in row.derivations.all()],
            [_evidence(quote) for claim in row.claims.all() for quote in claim.evidence.all()],
        ]
    )


def _evidence(quote: Evidence) -> dict[str, Any]:
    return {
        "episode": quote.episode.external_id,
        "turn": quote.turn,
        "role": quote.role,
        "quote": quote.quote,
        "at": quote.at.isoformat(),
    }


# The same from a statement of another's, in which `shown.id` is the fact: one round trip, and no models to be made.

_OLDER = """ARRAY(
        SELECT id FROM memory_fact older WHERE older.user_id = fact.user_id AND older.superseded_by_id = fact.id ORDER BY id
    )"""
_BASES = """ARRAY(
        SELECT base_id FROM memory_derivation derivation
        WHERE derivation.user_id = fact.user_id AND derivation.fact_id = fact.id ORDER BY base_id
    )"""
_QUOTES = """(
        SELECT json_agg(
            json_build_object('episode', episode.external_id, 'turn', quote.turn, 'role', quote.role, 'quote', quote.quote,
                'at', quote.at)
            ORDER BY claim.said_at, claim.id, quote.id
        )
        FROM memory_candidate claim
        JOIN memory_evidence quote ON quote.user_id = claim.user_id AND quote.candidate_id = claim.id
        JOIN memory_episode episode ON episode.user_id = quote.user_id AND episode.id = quote.episode_id
        WHERE claim.user_id = fact.user_id AND claim.fact_id = fact.id
    )"""
COLUMNS = tuple([f"fact.{name}" for name in _FACT] + [f"entity.{name}" for name in _ENTITY] + [_OLDER, _BASES, _QUOTES])
JOINS = """
    JOIN memory_fact fact ON fact.user_id = %(user)s AND fact.id = shown.id
    JOIN memory_entity entity ON entity.user_id = %(user)s AND entity.id = fact.entity_id"""


def brought(columns: Sequence[Any]) -> Row:
    """The fact from `COLUMNS`."""
    row = Row._make(columns)
    return row._replace(evidence=[_quote(quote) for quote in row.evidence or ()])


def _quote(quote: dict[str, Any]) -> dict[str, Any]:
    """With microseconds written as elsewhere."""
    return quote | {"at": datetime.fromisoformat(quote["at"]).isoformat()}


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
    """Open conflicts, and claims of which it is not clear whom they are about; of everybody's it is said whose."""
    rows = Conflict.objects.open().filter(_whose(user_ids)).select_related("entity", "user").prefetch_related("sides")
    unclear = Candidate.objects.filter(_whose(user_ids), verdict=Verdict.HELD, reason=UNCLEAR).select_related("user")
    found: list[tuple[Conflict | Candidate, dict[str, Any]]] = [
        *((row, _conflict(row)) for row in rows.order_by("opened_at", "pk")),
        *((row, _question(row)) for row in unclear.order_by("said_at", "pk")),
    ]
    return [one if user_ids is not None else one | {"user": row.user.external_id} for row, one in found]


def _conflict(row: Conflict) -> dict[str, Any]:
    return {
        "id": row.pk,
        "status": "asked" if row.asked_at else "open",
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
