"""Reading what a fold needs: claims with their episodes, rulings, judgements, and the rows there are."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import NamedTuple

from django.db.models import Q, Value
from django.db.models.functions import MD5

from memory.models import Candidate, ConflictSide, Entity, Fact, JudgedPair, PersonsRuling, Resolution
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


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored on the keys being folded."""

    claims: Mapping[Key, Sequence[Claim]]
    rows: Mapping[int, Row]
    rulings: Mapping[Key, Sequence[Ruling]]
    judged: Mapping[Pair, Judged]
    facts: Mapping[int, Fact]
    subjects: Mapping[int, str]
    resolutions: Mapping[int, Resolution]
    sides: Sequence[ConflictSide]


FIELDS = (
    "id",
    "episode_id",
    "episode__session",
    "episode__external_id",
    "entity_id",
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
    "verdict",
    "reason",
)


def load(user_id: int, keys: Sequence[Key]) -> Known:
    """One query a table, whatever the number of keys."""
    claims, rows = _claims(user_id, keys)
    ids = list(rows)
    facts = _facts(user_id, keys, {row.fact for row in rows.values() if row.fact})
    return Known(
        claims=claims,
        rows=rows,
        rulings=_rulings(user_id, keys),
        judged=_judged(user_id, ids),
        facts=facts,
        subjects=_subjects({key.entity for key in keys}),
        resolutions={r.candidate_id: r for r in Resolution.objects.filter(user=user_id, candidate__in=ids)},
        sides=_sides(user_id, facts),
    )


def on_keys(keys: Iterable[Key]) -> Q:
    """The condition that a row with entity and predicate is on one of `keys`."""
    return reduce(or_, (Q(entity=key.entity, predicate=key.predicate) for key in keys))


def _claims(user_id: int, keys: Sequence[Key]) -> tuple[dict[Key, list[Claim]], dict[int, Row]]:
    claims: dict[Key, list[Claim]] = {key: [] for key in keys}
    rows = {}
    slots = reduce(
        or_,
        (Q(entity=key.entity, predicate=key.predicate, slot_md5=MD5(Value(key.slot))) for key in keys),
        Q(pk=None),
    )
    found = Candidate.objects.claims().alias(slot_md5=MD5("slot")).filter(slots, user=user_id)
    for row in found.values(*FIELDS):
        claims[Key(row["entity_id"], row["predicate"], row["slot"])].append(_claim(row))
        rows[row["id"]] = Row(row["fact_id"], row["verdict"], row["reason"], row["about_id"])
    return claims, rows


def _facts(user_id: int, keys: Sequence[Key], held: set[int]) -> dict[int, Fact]:
    """Those on the keys, and those that hold one of their claims though they stand elsewhere until now."""
    keyed = [Q(entity=key.entity, predicate=key.predicate) for key in keys if not key.slot]
    slots = [Q(entity=key.entity, predicate=key.predicate, object_md5=MD5(Value(key.slot))) for key in keys if key.slot]
    condition = reduce(or_, [*keyed, *slots], Q(pk__in=held))
    found = Fact.objects.alias(object_md5=MD5("object_key")).filter(condition, user=user_id).defer("embedding")
    return {fact.pk: fact for fact in found}


def _claim(row: Mapping[str, object]) -> Claim:
    values = dict(row)
    return Claim(
        id=values["id"],
        episode=values["episode_id"],
        session=values["episode__session"] or values["episode__external_id"],
        **{name: values[name] for name in ("text", "object", "object_key", "predicate", "source", "said_at")},
        **{name: values[name] for name in ("valid_from", "valid_to", "expires_on")},
        kind=Kind(values["kind"]),
        polarity=Polarity(values["polarity"]),
        basis=Basis(values["basis"]),
        speech=Speech(values["speech"]),
        order=(values["episode__external_id"], values["turn"], values["place"], values["text"]),
        corrects=values["about_id"] if values["basis"] == Basis.STATED else None,
    )


def _rulings(user_id: int, keys: Sequence[Key]) -> dict[Key, list[Ruling]]:
    rulings: dict[Key, list[Ruling]] = defaultdict(list)
    for row in PersonsRuling.objects.filter(on_keys(keys), user=user_id):
        ruling = Ruling(row.pk, Verb(row.verb), frozenset(row.claims), row.at, row.by, row.as_of)
        for key in keys:
            if (key.entity, key.predicate) == (row.entity_id, row.predicate):
                rulings[key].append(ruling)
    return rulings


def _judged(user_id: int, ids: Sequence[int]) -> dict[Pair, Judged]:
    """Answered pairs only; those still to be asked have no answer."""
    answered = JudgedPair.objects.filter(user=user_id, new__in=ids).exclude(answer="")
    return {Pair(known, new): Judged(answer) for known, new, answer in answered.values_list("known", "new", "answer")}


def _subjects(entities: Iterable[int]) -> dict[int, str]:
    return dict(Entity.objects.filter(pk__in=entities).values_list("pk", "name"))


def _sides(user_id: int, facts: Iterable[int]) -> list[ConflictSide]:
    return list(ConflictSide.objects.filter(user=user_id, fact__in=facts).select_related("conflict"))
