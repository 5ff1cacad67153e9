"""Reading what a fold needs: claims with their episodes, rulings, judgements, and the rows there are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Q, Value
from django.db.models.functions import MD5

from memory import people
from memory.models import Candidate, ConflictSide, Fact, JudgedPair, PersonsRuling, Resolution
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


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored on the keys being folded."""

    claims: Mapping[Key, Sequence[Claim]]
    rows: Mapping[int, Row]
    rulings: Mapping[Key, Sequence[Ruling]]
    judged: Mapping[Pair, Judged]
    facts: Mapping[int, Fact]
    subjects: Mapping[int, str]
    resolutions: Mapping[int, Told]
    sides: Sequence[ConflictSide]


FIELDS = (
    "id",
    "episode_id",
    "episode__session",
    "episode__external_id",
    "entity_id",
    "entity__name",
    "predicate",
    "slot",
    "text",
    "object",
    "object_key",
    "kind",
    "polarity",
    "basis",
    "speech",
    "source",
    "said_at",
    "turn",
    "place",
    "valid_from",
    "valid_to",
    "expires_on",
    "about_id",
    "fact_id",
    "user__time_zone",
    "verdict",
    "reason",
)


def load(user_id: int, keys: Sequence[Key]) -> Known:
    """One query a table, whatever the number of keys; none where there can be nothing."""
    claims, rows, subjects = _claims(user_id, keys)
    ids = list(rows)
    facts = _facts(user_id, keys, {row.fact for row in rows.values() if row.fact})
    has = _present(user_id) if facts else Present()
    return Known(
        claims=claims,
        rows=rows,
        rulings=_rulings(user_id, claims) if has.rulings else {},
        judged=_judged(user_id, ids) if has.answers else {},
        facts=facts,
        subjects=subjects,
        resolutions=_resolutions(user_id, ids) if facts else {},
        sides=_sides(user_id, facts) if has.conflicts else [],
    )


class Present(NamedTuple):
    """Which of the rarer things a user has at all."""

    rulings: bool = False
    answers: bool = False
    conflicts: bool = False


PRESENT = """
    SELECT EXISTS (SELECT FROM memory_personsruling WHERE user_id = %(user)s),
        EXISTS (SELECT FROM memory_judgedpair WHERE user_id = %(user)s AND answer <> ''),
        EXISTS (SELECT FROM memory_conflict WHERE user_id = %(user)s)
"""


def _present(user_id: int) -> Present:
    with connection.cursor() as cursor:
        cursor.execute(PRESENT, {"user": user_id})
        return Present(*cursor.fetchone())


def _claims(user_id: int, keys: Sequence[Key]) -> tuple[dict[Key, list[Claim]], dict[int, Row], dict[int, str]]:
    claims: dict[Key, list[Claim]] = {key: [] for key in keys}
    rows, subjects = {}, {}
    slots = reduce(
        or_,
        (Q(entity=key.entity, predicate=key.predicate, slot_md5=MD5(Value(key.slot))) for key in keys),
        Q(pk=None),
    )
    found = Candidate.objects.claims().alias(slot_md5=MD5("slot")).filter(slots, user=user_id)
    for row in found.values(*FIELDS):
        claims[Key(row["entity_id"], row["predicate"], row["slot"])].append(_claim(row))
        rows[row["id"]] = Row(row["fact_id"], row["verdict"], row["reason"], row["about_id"])
        subjects[row["entity_id"]] = row["entity__name"]
    return claims, rows, subjects


def _facts(user_id: int, keys: Sequence[Key], held: set[int]) -> dict[int, Fact]:
    """Those on the keys, and those that hold one of their claims though they stand elsewhere until now."""
    keyed = [Q(entity=key.entity, predicate=key.predicate) for key in keys if not key.slot]
    slots = [Q(entity=key.entity, predicate=key.predicate, object_md5=MD5(Value(key.slot))) for key in keys if key.slot]
    condition = reduce(or_, [*keyed, *slots], Q(pk__in=held))
    found = Fact.objects.alias(object_md5=MD5("object_key")).filter(condition, user=user_id).defer("embedding")
    return {fact.pk: fact for fact in found}


def _claim(row: Mapping[str, Any]) -> Claim:
    return Claim(
        id=row["id"],
        episode=row["episode_id"],
        session=row["episode__session"] or row["episode__external_id"],
        **{name: row[name] for name in ("text", "object", "object_key", "predicate", "source", "said_at")},
        **{name: row[name] for name in ("valid_from", "valid_to", "expires_on")},
        kind=Kind(row["kind"]),
        polarity=Polarity(row["polarity"]),
        basis=Basis(row["basis"]),
        speech=Speech(row["speech"]),
        order=(row["episode__external_id"], row["turn"], row["place"], row["text"]),
        corrects=row["about_id"] if row["basis"] == Basis.STATED else None,
        said_day=row["said_at"].astimezone(people.zone(row["user__time_zone"])).date(),
    )


def _rulings(user_id: int, claims: Mapping[Key, Sequence[Claim]]) -> dict[Key, list[Ruling]]:
    """By the claims they are about: those may have come to another entity since."""
    keys = {claim.id: key for key, some in claims.items() for claim in some}
    rulings: dict[Key, list[Ruling]] = {}
    for row in PersonsRuling.objects.filter(user=user_id, claims__overlap=list(keys)):
        ruling = Ruling(row.pk, Verb(row.verb), frozenset(row.claims), row.at, row.by, row.as_of)
        for key in {keys[claim] for claim in row.claims if claim in keys}:
            rulings.setdefault(key, []).append(ruling)
    return rulings


def _judged(user_id: int, ids: Sequence[int]) -> dict[Pair, Judged]:
    """Answered pairs only; those still to be asked have no answer."""
    answered = JudgedPair.objects.filter(user=user_id, new__in=ids).exclude(answer="")
    return {Pair(known, new): Judged(answer) for known, new, answer in answered.values_list("known", "new", "answer")}


def _resolutions(user_id: int, ids: Sequence[int]) -> dict[int, Told]:
    rows = Resolution.objects.filter(user=user_id, candidate__in=ids)
    found = rows.values_list("candidate", "relation", "why", "fact", "against")
    return {claim: Told(relation, why, fact, against) for claim, relation, why, fact, against in found}


def _sides(user_id: int, facts: Iterable[int]) -> list[ConflictSide]:
    return list(ConflictSide.objects.filter(user=user_id, fact__in=facts).select_related("conflict"))
