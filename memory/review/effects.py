"""What a label does to the fact: a reviewer's ruling, folded with its claims, and taken back as exactly that."""

from collections.abc import Iterable
from datetime import date

from memory import believing, clock, policies
from memory.believing import Key
from memory.models import Candidate, Fact, History, Label, PersonsRuling, SampleItem, User
from memory.types import LIVE, LabelVerdict, SampleSubject, Status, Verb

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


def rule(item: SampleItem, verdict: LabelVerdict, *, as_of: date | None, by: User, owner: User) -> PersonsRuling | None:
    """Makes the ruling and folds it in; inside the staff scope, the owner's row locked."""
    fact = Fact.objects.filter(user=owner, pk=item.fact_id or 0).defer("embedding").first()
    verb = verb_for(item, verdict, status=fact.status) if fact else None
    if fact is None or verb is None:
        return None
    claims = list(Candidate.objects.filter(user=owner, fact=fact).order_by("pk").values_list(*_KEYED))
    ruling = PersonsRuling.objects.create(
        user=owner,
        entity_id=fact.entity_id,
        predicate=fact.predicate,
        verb=verb,
        claims=[claim for claim, *_ in claims],
        by="reviewer",
        actor=by,
        as_of=(as_of or clock.now().date()) if verb is Verb.CLOSE else None,
        at=clock.now(),
    )
    _refold(owner, claims)
    note(owner.pk, fact.pk, by=by, action="label")
    return ruling


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
