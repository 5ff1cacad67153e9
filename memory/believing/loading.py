"""Reading what a fold needs: claims with their episodes, rulings, judgements, and the rows there are."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

from memory import people, prepared
from memory.models import ConflictSide, JudgedPair
from memory.types import Basis, Claim, Judged, Kind, Pair, Polarity, Ruling, Speech, Verb


class Key(NamedTuple):
    """What contradictions are found by. `slot` is empty but for claims without a predicate."""

    entity: int
    predicate: str
    slot: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """What the database holds of a claim beside its content."""

    fact: int | None
    verdict: str
    reason: str
    about: int | None


class Told(NamedTuple):
    """What a resolution says of its claim."""

    relation: str
    why: str
    fact: int | None
    against: int | None


COLUMNS = (
    "entity_id",
    "text",
    "subject",
    "predicate",
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
    "fades_at",
    "first_said_at",
    "valid_from",
    "valid_to",
    "expires_on",
    "began_on",
    "ended_on",
    "superseded_by_id",
    "is_exclusive",
    "is_confirmed",
    "is_unjudged",
    "policy_version",
)
"""Of a fact, those that a fold decides."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A fact as its row has it."""

    id: int
    columns: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored on the keys being folded."""

    claims: Mapping[Key, Sequence[Claim]]
    rows: Mapping[int, Row]
    rulings: Mapping[Key, Sequence[Ruling]]
    judged: Mapping[Pair, Judged]
    insisted: Mapping[Pair, Judged]
    """What people said of pairs, which stands above the rules and the model."""
    facts: Mapping[int, Stored]
    subjects: Mapping[int, str]
    resolutions: Mapping[int, Told]
    sides: Sequence[ConflictSide]


def load(user_id: int, keys: Sequence[Key]) -> Known:
    """Two statements, whatever the number of keys; more only where the user has rulings, judgements or conflicts."""
    found = [Loaded(*row) for row in prepared.rows(CLAIMS, _values(user_id, keys))]
    claims: dict[Key, list[Claim]] = {key: [] for key in keys}
    for row in found:
        claims[Key(row.entity, row.predicate, row.slot)].append(_claim(row))
    rows = {row.id: Row(row.fact, row.verdict, row.reason, row.about) for row in found}
    facts, has = _facts(user_id, keys, {row.fact for row in found if row.fact})
    judged, insisted = _judged(user_id, list(rows)) if has.answers else ({}, {})
    return Known(
        claims=claims,
        rows=rows,
        rulings=_rulings(user_id, claims) if has.rulings else {},
        judged=judged,
        insisted=insisted,
        facts=facts,
        subjects={row.entity: row.name for row in found},
        resolutions={row.id: Told(row.relation, row.why, row.told, row.against) for row in found if row.relation},
        sides=_sides(user_id, facts) if has.conflicts else [],
    )


class Loaded(NamedTuple):
    """What CLAIMS gives, in its order."""

    id: int
    episode: int
    session: str
    external_id: str
    entity: int
    name: str
    predicate: str
    slot: str
    text: str
    object: str
    object_key: str
    kind: str
    polarity: str
    basis: str
    speech: str
    source: str
    said_at: datetime
    turn: int
    place: int
    valid_from: str | None
    valid_to: str | None
    expires_on: date | None
    about: int | None
    fact: int | None
    verdict: str
    reason: str
    time_zone: str
    relation: str
    why: str
    told: int | None
    against: int | None


# Of claims that `Candidate.objects.claims` counts as such, with what was resolved of them. OFFSET 0 holds each look-up
# to its index: joined freely, a plan that is kept may read all that the user has.
CLAIMS = """
    SELECT claim.id, claim.episode_id, episode.session, episode.external_id, claim.entity_id, entity.name, claim.predicate,
        claim.slot, claim.text, claim.object, claim.object_key, claim.kind, claim.polarity, claim.basis, claim.speech,
        claim.source, claim.said_at, claim.turn, claim.place, claim.valid_from, claim.valid_to, claim.expires_on,
        claim.about_id, claim.fact_id, claim.verdict, claim.reason, usr.time_zone,
        told.relation, told.why, told.fact_id, told.against_id
    FROM jsonb_to_recordset(%(keys)s) AS key (entity bigint, predicate text, slot text),
    LATERAL (
        SELECT * FROM memory_candidate WHERE user_id = %(user)s AND entity_id = key.entity
            AND predicate = key.predicate AND md5(slot) = md5(key.slot)
            AND verdict <> 'refused' AND reason <> 'erased_key' OFFSET 0
    ) claim,
    LATERAL (SELECT * FROM memory_episode WHERE user_id = %(user)s AND id = claim.episode_id OFFSET 0) episode,
    LATERAL (SELECT name FROM memory_entity WHERE user_id = %(user)s AND id = key.entity OFFSET 0) entity,
    LATERAL (SELECT time_zone FROM memory_user WHERE id = %(user)s OFFSET 0) usr
    LEFT JOIN LATERAL (
        SELECT * FROM memory_resolution WHERE user_id = %(user)s AND candidate_id = claim.id OFFSET 0
    ) told ON true
"""


class Present(NamedTuple):
    """Which of the rarer things a user has at all."""

    rulings: bool
    answers: bool
    conflicts: bool


# One row at the least: a claim without a fact yet may have been ruled on, before it was taken out and in again.
FACTS = f"""
    SELECT EXISTS (SELECT FROM memory_personsruling WHERE user_id = %(user)s),
        EXISTS (SELECT FROM memory_judgedpair WHERE user_id = %(user)s AND answer <> ''),
        EXISTS (SELECT FROM memory_conflict WHERE user_id = %(user)s),
        fact.id, {", ".join(f"fact.{name}" for name in COLUMNS)}
    FROM (VALUES (1)) AS one LEFT JOIN memory_fact fact ON fact.user_id = %(user)s AND fact.id = ANY(ARRAY(
        SELECT keyed.id FROM jsonb_to_recordset(%(keys)s) AS key (entity bigint, predicate text, slot text), LATERAL (
            SELECT id FROM memory_fact WHERE user_id = %(user)s AND entity_id = key.entity AND predicate = key.predicate
                AND (key.slot = '' OR md5(object_key) = md5(key.slot)) OFFSET 0
        ) keyed
    ) || %(held)s::bigint[])
"""  # noqa: S608 - names of our own columns


def _facts(user_id: int, keys: Sequence[Key], held: set[int]) -> tuple[dict[int, Stored], Present]:
    """Those on the keys, and those that hold one of their claims though they stand elsewhere until now."""
    found = prepared.rows(FACTS, _values(user_id, keys) | {"held": list(held)})
    facts = {pk: Stored(pk, dict(zip(COLUMNS, columns, strict=True))) for _, _, _, pk, *columns in found if pk}
    return facts, Present(*found[0][:3])


def _values(user_id: int, keys: Sequence[Key]) -> dict[str, Any]:
    return {"user": user_id, "keys": json.dumps([key._asdict() for key in keys])}


def _claim(row: Loaded) -> Claim:
    return Claim(
        id=row.id,
        episode=row.episode,
        session=row.session or row.external_id,
        text=row.text,
        object=row.object,
        object_key=row.object_key,
        predicate=row.predicate,
        kind=Kind(row.kind),
        polarity=Polarity(row.polarity),
        basis=Basis(row.basis),
        speech=Speech(row.speech),
        source=row.source,
        said_at=row.said_at,
        order=(row.external_id, row.turn, row.place, row.text),
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        expires_on=row.expires_on,
        corrects=row.about if row.basis == Basis.STATED else None,
        said_day=row.said_at.astimezone(people.zone(row.time_zone)).date(),
    )


RULINGS = """
    SELECT id, verb, claims, at, by, as_of FROM memory_personsruling
    WHERE user_id = %(user)s AND claims && %(claims)s::bigint[]
"""


def _rulings(user_id: int, claims: Mapping[Key, Sequence[Claim]]) -> dict[Key, list[Ruling]]:
    """By the claims they are about: those may have come to another entity since."""
    keys = {claim.id: key for key, some in claims.items() for claim in some}
    rulings: dict[Key, list[Ruling]] = {}
    for pk, verb, about, at, by, as_of in prepared.rows(RULINGS, {"user": user_id, "claims": list(keys)}):
        ruling = Ruling(pk, Verb(verb), frozenset(about), at, by, as_of)
        for key in {keys[claim] for claim in about if claim in keys}:
            rulings.setdefault(key, []).append(ruling)
    return rulings


def _judged(user_id: int, ids: Sequence[int]) -> tuple[dict[Pair, Judged], dict[Pair, Judged]]:
    """Answered pairs: by the model, and by people, of whom the member has the last word."""
    answered = JudgedPair.objects.filter(user=user_id, new__in=ids).exclude(answer="")
    judged: dict[Pair, Judged] = {}
    insisted: dict[Pair, Judged] = {}
    for known, new, answer, by in answered.order_by("-by").values_list("known", "new", "answer", "by"):
        (insisted if by else judged)[Pair(known, new)] = Judged(answer)
    return judged, insisted


def _sides(user_id: int, facts: Iterable[int]) -> list[ConflictSide]:
    return list(ConflictSide.objects.filter(user=user_id, fact__in=facts).select_related("conflict"))
