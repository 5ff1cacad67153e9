"""Attribution made so: claims to rows of entities, names told apart as `entities` decides."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Q

from memory import entities
from memory.entities import Attributed, Mention
from memory.models import Alias, Candidate, Entity, Fact, Resolution
from memory.types import Verdict

UNCLEAR = "which_subject"


def attribute(user_id: int, claims: Iterable[Candidate]) -> set[tuple[int, str, str]]:
    """Attributes every claim that names what `claims` name; must run inside the user's scope.

    Returns the keys (entity, predicate, slot) on which claims came or went. Claims about the
    user themselves are attributed already and cost nothing.
    """
    new = list(claims)
    keys = {(claim.entity_id, claim.predicate, claim.slot) for claim in new if claim.entity_id}
    names = {name for claim in new for name in (claim.subject_key, claim.note_key) if name}
    return keys | attribute_names(user_id, names)


def attribute_names(user_id: int, names: set[str]) -> set[tuple[int, str, str]]:
    """Attributes anew every claim that has one of these names, normalised, as subject or note."""
    if not names:
        return set()
    mentions = _mentions(user_id, names)
    meant = entities.attribute((_mention(row) for row in mentions.values()), owned=_owned(names))
    wanted = {claim: meant[claim] for claim, row in mentions.items() if row["subject_key"] in names}
    rows = _entities(user_id, names, wanted, mentions)
    return _move(user_id, wanted, mentions, rows)


FIELDS = ("id", "subject_key", "note_key", "subject", "subject_note", "said_at", "episode__external_id")


def _mentions(user_id: int, names: set[str]) -> dict[int, dict[str, Any]]:
    same = Q(subject_key__in=names) | Q(note_key__in=names)
    rows = Candidate.objects.claims().filter(same, user=user_id).exclude(subject_key="")
    found = rows.values(*FIELDS, "turn", "place", "entity_id", "predicate", "slot", "verdict", "reason")
    return {row["id"]: row for row in found}


def _order(row: Mapping[str, Any]) -> entities.Order:
    return (row["said_at"], row["episode__external_id"], row["turn"], row["place"])


def _mention(row: Mapping[str, Any]) -> Mention:
    return Mention(order=_order(row), claim=row["id"], name=row["subject_key"], note=row["note_key"])


def _owned(names: set[str]) -> dict[str, entities.Key]:
    aliases = Alias.objects.filter(alias_key__in=names).select_related("entity")
    return {row.alias_key: (row.entity.name_key, row.entity.note_key) for row in aliases}


def _entities(
    user_id: int, names: set[str], wanted: Mapping[int, Attributed], mentions: Mapping[int, Mapping[str, Any]]
) -> dict[entities.Key, int]:
    """The rows of all entities meant; a name that is first told apart now keeps its row and gains the note."""
    meant = dict.fromkeys(found.entity for found in wanted.values() if found.entity)
    involved = names | {name for name, _ in meant}
    rows = {(row.name_key, row.note_key): row for row in Entity.objects.filter(name_key__in=involved)}
    said = sorted(mentions.values(), key=_order)
    for key in meant:
        bare = (key[0], "")
        if key not in rows and bare in rows and bare not in meant and not rows[bare].is_owner:
            rows[key] = rows.pop(bare)
        row = rows.setdefault(key, Entity(user_id=user_id, name=key[0], name_key=key[0], note=key[1]))
        if not row.is_owner:
            _describe(row, key, said)
    return {key: row.pk for key, row in rows.items()}


def _describe(row: Entity, key: entities.Key, said: Sequence[Mapping[str, Any]]) -> None:
    """Name and note as they were first said, whatever came in first."""
    name = next((mention["subject"] for mention in said if mention["subject_key"] == key[0]), row.name)
    note = next((m["subject_note"] for m in said if (m["subject_key"], m["note_key"]) == key), row.note)
    if row.pk and row.name != name:
        Fact.objects.filter(user=row.user_id, entity=row.pk).update(subject=name)
    if row.pk is None or (row.name, row.note, row.note_key) != (name, note, key[1]):
        row.name, row.note, row.note_key = name, note, key[1]
        row.save()


def _move(
    user_id: int,
    wanted: Mapping[int, Attributed],
    mentions: Mapping[int, Mapping[str, Any]],
    rows: Mapping[entities.Key, int],
) -> set[tuple[int, str, str]]:
    keys = set()
    for claim, found in wanted.items():
        row = mentions[claim]
        entity = rows[found.entity] if found.entity else None
        is_held = row["reason"] == UNCLEAR
        if row["entity_id"] == entity and is_held == (entity is None):
            continue
        keys |= {(pk, row["predicate"], row["slot"]) for pk in (row["entity_id"], entity) if pk}
        Candidate.objects.filter(user=user_id, pk=claim).update(entity=entity, **_state(found))
        if entity is None:
            Resolution.objects.filter(user=user_id, candidate=claim).delete()
    return keys


def _state(found: Attributed) -> dict[str, Any]:
    if found.entity:
        return {"verdict": Verdict.ACCEPTED, "reason": "", "detail": ""}
    between = " or ".join(f"{name} ({note})" for name, note in found.between)
    return {"verdict": Verdict.HELD, "reason": UNCLEAR, "detail": f"which one is meant: {between}?"[:500], "fact": None}
