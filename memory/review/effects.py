"""What a label does to the fact: a reviewer's ruling, folded with its claims, and taken back as exactly that."""

from collections.abc import Iterable
from datetime import date

from memory import believing, clock, policies, prepared
from memory.believing import Key
from memory.models import Candidate, History, Label, PersonsRuling, SampleItem, User
from memory.types import LIVE, LabelVerdict, SampleSubject, Status, Verb

# The fact as it stands, and the claims behind it; one row at the least where there is one.
_CLAIMS = """
    SELECT fact.status, fact.entity_id, fact.predicate, claim.id, claim.entity_id, claim.predicate, claim.slot
    FROM memory_fact fact
    LEFT JOIN memory_candidate claim ON claim.user_id = fact.user_id AND claim.fact_id = fact.id
    WHERE fact.user_id = %(user)s AND fact.id = %(fact)s ORDER BY claim.id
"""
_RULE = """
    WITH noted AS (
        INSERT INTO memory_history (user_id, actor, action, "table", row, fields, at)
        VALUES (%(user)s, %(actor_name)s, 'label', 'fact', %(fact)s, '{}', %(at)s)
    )
    INSERT INTO memory_personsruling (user_id, entity_id, predicate, verb, claims, by, actor_id, as_of, note, at)
    VALUES (%(user)s, %(entity)s, %(predicate)s, %(verb)s, %(claims)s::bigint[], 'reviewer', %(actor)s, %(as_of)s, '',
        %(at)s)
    RETURNING id
"""
_KEYED = ("pk", "entity", "predicate", "slot")
_VERBS = {
    LabelVerdict.CORRECT: Verb.CONFIRM,
    LabelVerdict.INCORRECT: Verb.RETRACT,
    LabelVerdict.STALE: Verb.CLOSE,
}


def verb_for(item: SampleItem, verdict: LabelVerdict, *, status: str) -> Verb | None:
    """What the label does, if anything.

    Nothing where only facts are ruled on, where the answer was known, or where the fact has gone on since it
    was drawn: a label says what the conversation supports, and brings nothing back that has been replaced or taken back.
    """
    verb = _VERBS.get(verdict)
    if verb is None or item.gold or item.sample.subject != SampleSubject.FACTS:
        return None
    does_matter = status != Status.RETRACTED if verb is Verb.RETRACT else status in LIVE
    return verb if does_matter else None


def rule(item: SampleItem, verdict: LabelVerdict, *, as_of: date | None, by: User, owner: User) -> int | None:
    """Makes the ruling and folds it in; gives its id. Inside the staff scope, the owner's row locked."""
    found = prepared.rows(_CLAIMS, {"user": owner.pk, "fact": item.fact_id})
    verb = verb_for(item, verdict, status=found[0][0]) if found else None
    if verb is None:
        return None
    _status, entity, predicate, *_claim = found[0]
    claims = [(pk, key, of, slot) for _, _, _, pk, key, of, slot in found if pk]
    values = {"user": owner.pk, "fact": item.fact_id, "entity": entity, "predicate": predicate, "verb": verb.value}
    values |= {"claims": [pk for pk, *_ in claims], "actor": by.pk, "actor_name": str(by.pk), "at": clock.now()}
    as_of = (as_of or clock.now().date()) if verb is Verb.CLOSE else None
    [[ruling]] = prepared.rows(_RULE, values | {"as_of": as_of})
    _refold(owner, claims)
    return int(ruling)


def unrule(label: Label, *, by: User, owner: User) -> None:
    """Takes back what the label did, and nothing else that was ruled about the fact."""
    ruling = PersonsRuling.objects.filter(user=owner, pk=label.ruling_id or 0).first()
    if ruling is None:
        return
    PersonsRuling.objects.filter(user=owner, pk=ruling.pk).delete()
    claims = Candidate.objects.filter(user=owner, pk__in=ruling.claims)
    _refold(owner, claims.values_list(*_KEYED))
    fact = claims.exclude(fact=None).values_list("fact", flat=True)
    note(owner.pk, fact.first() or label.item.fact_id, by=by, action="unlabel")


def note(owner: int, fact: int | None, *, by: User, action: str) -> None:
    """In the fact's history: who did what to which fact, no content."""
    if fact is not None:
        History.objects.create(user_id=owner, actor=str(by.pk), action=action, table="fact", row=fact)


def _refold(owner: User, claims: Iterable[tuple[int, int | None, str, str]]) -> None:
    """By where the claims stand now: they may have come to another entity since they were ruled on."""
    keys = {Key(entity, predicate, slot) for _, entity, predicate, slot in claims if entity is not None}
    if keys:
        believing.refold(owner.pk, keys, policy=policies.current(), language=owner.language)
