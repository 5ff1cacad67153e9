"""Writing what differs, in an order that keeps every constraint true on the way."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import connection

from memory import clock, prepared
from memory.believing.loading import COLUMNS, Known, Row, Told
from memory.believing.matching import Plan, Target
from memory.models import Candidate, Derivation, Fact, Resolution
from memory.types import LIVE, Basis, Status, Verdict


def write(user_id: int, plan: Plan, known: Known, *, language: str) -> None:
    """Facts first, then what points at them. Sets `id` of every target."""
    _name(plan)
    changes = {id(target): _changes(target) for target in plan.all()}
    changes |= {id(target): {} for target in _asleep(plan, changes)}
    _release(user_id, plan, known, changes)
    _update(user_id, [target for target in plan.all() if target.row is not None and changes[id(target)]])
    _insert(user_id, [target for target in plan.all() if target.row is None], language=language)
    _drop(user_id, plan)
    _record(user_id, plan, known, changes)
    _link_bases(user_id, plan, known)


def _name(plan: Plan) -> None:
    """Gives new facts that replace others their ids beforehand, so that lineage can point at them."""
    new = [
        targets[place]
        for targets in plan.targets.values()
        for place in {target.fact.superseded_by for target in targets}
        if place is not None and targets[place].row is None
    ]
    for target, pk in zip(new, _ids(len(new)), strict=True):
        target.id = pk
    for targets in plan.targets.values():
        for target in targets:
            target.id = target.id or (target.row.id if target.row else 0)
        for target in targets:
            after = target.fact.superseded_by
            target.columns["superseded_by_id"] = None if after is None else targets[after].id


def _ids(count: int) -> list[int]:
    if not count:
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence('memory_fact', 'id')) FROM generate_series(1, %s)", [count]
        )
        return [row[0] for row in cursor.fetchall()]


NEW = f"user_id, {', '.join(COLUMNS)}, is_pinned, language, embedding_model, created_at"
INSERT = f"""
    INSERT INTO memory_fact (id, {NEW})
    SELECT coalesce(id, nextval(pg_get_serial_sequence('memory_fact', 'id'))), {NEW}
    FROM jsonb_populate_recordset(NULL::memory_fact, %(rows)s) RETURNING id
"""  # noqa: S608 - names of our own columns


def _insert(user_id: int, new: Sequence[Target], *, language: str) -> None:
    if not new:
        return
    same = {"user_id": user_id, "is_pinned": False, "language": language, "embedding_model": ""}
    same["created_at"] = clock.now()
    rows = json.dumps([{**target.columns, **same, "id": target.id or None} for target in new], default=str)
    for target, (pk,) in zip(new, prepared.rows(INSERT, {"rows": rows}), strict=True):
        target.id = pk


def _changes(target: Target) -> dict[str, Any]:
    """Columns that differ; a new policy alone is no difference."""
    row = target.row
    if row is None:
        return target.columns
    changes = {name: value for name, value in target.columns.items() if row.columns[name] != value}
    return changes if changes.keys() - {"policy_version"} else {}


LAPSE = {"status", "status_reason", "is_exclusive", "policy_version"}


def _asleep(plan: Plan, changes: Mapping[int, Mapping[str, Any]]) -> list[Target]:
    """Facts that have lapsed stay so until something else about them changes: of them, or of a side against them."""
    asleep = {
        id(target): target
        for target in plan.all()
        if target.row is not None
        and target.row.columns["status"] == Status.LAPSED
        and target.columns["status"] in LIVE
        and changes[id(target)].keys() <= LAPSE
    }
    for key, folded in plan.folded.items():
        for group in folded.groups:
            sides = [id(plan.targets[key][side]) for side in group.sides]
            if not group.settled_by and not asleep.keys() >= set(sides):
                asleep = {target: value for target, value in asleep.items() if target not in sides}
    return list(asleep.values())


def _release(user_id: int, plan: Plan, known: Known, changes: Mapping[int, Mapping[str, Any]]) -> None:
    """Rows that stop being, or cease to be here, the one live value of their key, before another takes that place."""
    leaving = {
        target.row.id
        for target in plan.all()
        if target.row is not None and target.row.columns["is_exclusive"] and changes[id(target)].keys() & PLACE
    }
    leaving |= {pk for pk in plan.gone if known.facts[pk].columns["is_exclusive"]}
    if leaving:
        Fact.objects.filter(user=user_id, pk__in=leaving).update(is_exclusive=False)


PLACE = {"entity_id", "predicate", "status", "is_exclusive"}


# A new text has no vector until it is embedded again.
UPDATE = f"""
    UPDATE memory_fact fact SET {", ".join(f"{name} = wanted.{name}" for name in COLUMNS)},
        embedding = CASE WHEN fact.text = wanted.text THEN fact.embedding END,
        embedding_model = CASE WHEN fact.text = wanted.text THEN fact.embedding_model ELSE '' END
    FROM jsonb_populate_recordset(NULL::memory_fact, %(rows)s) AS wanted
    WHERE fact.user_id = %(user)s AND fact.id = wanted.id AND fact.id = ANY(%(ids)s::bigint[])
"""  # noqa: S608 - names of our own columns


def _update(user_id: int, changed: Sequence[Target]) -> None:
    if changed:
        rows = json.dumps([{**target.columns, "id": target.id} for target in changed], default=str)
        prepared.rows(UPDATE, {"user": user_id, "rows": rows, "ids": [target.id for target in changed]})


# Claims to their facts; one resolution a claim, rewritten only where folding anew says something else; and which rows
# changed in which fields.
RECORD = """
    WITH linked AS (
        UPDATE memory_candidate claim SET fact_id = wanted.fact, verdict = wanted.verdict, reason = wanted.reason
        FROM jsonb_to_recordset(%(moved)s) AS wanted (id bigint, fact bigint, verdict text, reason text)
        WHERE claim.user_id = %(user)s AND claim.id = wanted.id
            AND claim.id = ANY(ARRAY(SELECT id FROM jsonb_to_recordset(%(moved)s) AS one (id bigint)))
    ), resolved AS (
        INSERT INTO memory_resolution (user_id, candidate_id, relation, why, fact_id, against_id, policy_version,
            created_at)
        SELECT %(user)s, claim, relation, why, fact, against, %(policy)s, %(now)s
        FROM jsonb_to_recordset(%(told)s) AS told (claim bigint, relation text, why text, fact bigint, against bigint)
        ON CONFLICT (user_id, candidate_id) DO UPDATE SET relation = excluded.relation, why = excluded.why,
            fact_id = excluded.fact_id, against_id = excluded.against_id, policy_version = excluded.policy_version
    )
    INSERT INTO memory_history (user_id, actor, action, "table", row, fields, at)
    SELECT %(user)s, 'engine', action, 'fact', row, fields, %(now)s
    FROM jsonb_to_recordset(%(happened)s) AS happened (action text, row bigint, fields text[])
"""


def _record(user_id: int, plan: Plan, known: Known, changes: Mapping[int, Mapping[str, Any]]) -> None:
    """All that follows from the facts, in one statement."""
    told = dict(_told(plan))
    undone = known.resolutions.keys() - told.keys()
    if undone:
        Resolution.objects.filter(user=user_id, candidate__in=undone).delete()
    moved = list(_moved(plan, known))
    new = [{"claim": claim} | one._asdict() for claim, one in told.items() if one != known.resolutions.get(claim)]
    happened = list(_happened(plan, changes))
    if moved or new or happened:
        rows = {"moved": json.dumps(moved), "told": json.dumps(new), "happened": json.dumps(happened)}
        prepared.rows(RECORD, {"user": user_id, "policy": plan.policy.version, "now": clock.now(), **rows})


def _moved(plan: Plan, known: Known) -> Iterator[dict[str, Any]]:
    """Claims whose fact or verdict is another than before."""
    wanted: dict[int, tuple[int | None, str, str]] = {}
    for key, folded in plan.folded.items():
        wanted |= {claim.id: (None, Verdict.ACCEPTED, "") for claim in known.claims[key]}
        wanted |= dict.fromkeys(folded.held, (None, Verdict.HELD, "support"))
        wanted |= dict.fromkeys(folded.unsupported, (None, Verdict.LAPSED, "support"))
        for target in plan.targets[key]:
            wanted |= dict.fromkeys(target.fact.claims, (target.id, Verdict.ACCEPTED, ""))
    for claim, (fact, verdict, reason) in wanted.items():
        if _state(known.rows[claim]) != (fact, verdict, reason):
            yield {"id": claim, "fact": fact, "verdict": verdict, "reason": reason}


def _state(row: Row) -> tuple[int | None, str, str]:
    return row.fact, row.verdict, row.reason


def _drop(user_id: int, plan: Plan) -> None:
    """Rows whose claims all went to other facts: the evidence is kept there."""
    if plan.gone:
        Fact.objects.filter(user=user_id, pk__in=plan.gone).delete()


def _link_bases(user_id: int, plan: Plan, known: Known) -> None:
    """An inference that names a known fact derives from it."""
    owners = {claim: target for target in plan.all() for claim in target.fact.claims}
    inferred = {
        claim: about
        for claim, target in owners.items()
        if target.fact.basis == Basis.INFERRED and (about := known.rows[claim].about)
    }
    bases = dict(Candidate.objects.filter(pk__in=set(inferred.values())).values_list("pk", "fact")) if inferred else {}
    rows = [
        Derivation(user_id=user_id, fact_id=owners[claim].id, base_id=bases[about])
        for claim, about in inferred.items()
        if bases.get(about) not in (None, owners[claim].id)
    ]
    if rows:
        Derivation.objects.bulk_create(rows, ignore_conflicts=True)


def _told(plan: Plan) -> Iterator[tuple[int, Told]]:
    for key, folded in plan.folded.items():
        ids = [target.id for target in plan.targets[key]]
        for decision in folded.decisions:
            fact = None if decision.fact is None else ids[decision.fact]
            against = None if decision.against is None else ids[decision.against]
            yield decision.claim, Told(decision.relation, decision.why[:500], fact, against)


def _happened(plan: Plan, changes: Mapping[int, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """What history keeps: which rows changed and in which fields, no content."""
    for target in plan.all():
        if changes[id(target)] and target.row:
            yield {"action": "change", "row": target.id, "fields": sorted(changes[id(target)])}
        elif changes[id(target)]:
            yield {"action": "learn", "row": target.id, "fields": []}
    yield from ({"action": "merge", "row": pk, "fields": []} for pk in plan.gone)
