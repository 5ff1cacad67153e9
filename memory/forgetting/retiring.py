"""Retiring: a fact is retracted or closed by a person's ruling, and its history stays. Reversible."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date, datetime

from django.db.models import QuerySet

from memory import believing, clock, policies
from memory.believing import Key
from memory.errors import Refused
from memory.forgetting.outdating import lock
from memory.models import Candidate, ErasureRequest, Fact, History, PersonsRuling, User
from memory.types import Status, Verb

EXPIRED = "expired"
_AWAY = (Verb.RETRACT, Verb.FORGET, Verb.CLOSE)


def retire(
    user_id: int, facts: Iterable[int], *, actor: User, verb: Verb = Verb.RETRACT, as_of: date | None = None
) -> list[int]:
    """Rules that the facts were never true (RETRACT) or no longer are (CLOSE); inside a scope.

    Returns the ids of the facts that were there to retire.
    """
    user = lock(user_id)
    rows = list(Fact.objects.filter(user=user_id, pk__in=list(facts)).prefetch_related("claims"))
    _rule(user_id, rows, actor, verb, as_of=as_of)
    _refold(user, rows)
    _note(user_id, [row.pk for row in rows], actor, "retire")
    return [row.pk for row in rows]


def forget(user_id: int, asked: Mapping[int, datetime], claims: QuerySet[Candidate]) -> None:
    """Rules for the person that these claims are to be forgotten, each as of when they asked for it; inside their scope."""
    user = lock(user_id)
    rows = list(claims.exclude(entity=None).select_related("entity"))
    by_fact: dict[tuple[datetime, int | None], list[Candidate]] = defaultdict(list)
    for row in rows:
        by_fact[asked[row.pk], row.fact_id].append(row)
    PersonsRuling.objects.bulk_create(
        PersonsRuling(
            user=user,
            entity=some[0].entity,
            predicate=some[0].predicate,
            verb=Verb.FORGET,
            claims=[claim.pk for claim in some],
            by="member",
            actor=user,
            at=at,
        )
        for (at, _), some in by_fact.items()
    )
    keys = {Key(row.entity_id, row.predicate, row.slot) for row in rows if row.entity_id is not None}
    believing.refold(user_id, keys, policy=policies.current(), language=user.language)
    _note(user_id, {fact for _, fact in by_fact if fact}, user, "retire")


def restore(user_id: int, facts: Iterable[int], *, actor: User) -> list[int]:
    """Takes back what was ruled about the facts; inside a scope. Raises Refused to staff for what their person ruled.

    One that lapsed is confirmed, as it would fade again otherwise; one whose end has passed stays past. Who brings
    back what they had asked to be forgotten has taken the request back.
    """
    user = lock(user_id)
    rows = list(Fact.objects.filter(user=user_id, pk__in=list(facts)).prefetch_related("claims"))
    _unrule(user_id, {claim.pk for row in rows for claim in row.claims.all()}, actor)
    if actor.pk == user_id:
        _withdraw(user_id, [row.pk for row in rows])
    lapsed = [row for row in rows if row.status == Status.LAPSED and row.status_reason != EXPIRED]
    _rule(user_id, lapsed, actor, Verb.CONFIRM)
    _refold(user, rows)
    _note(user_id, [row.pk for row in rows], actor, "restore")
    return [row.pk for row in rows]


def is_its_persons(fact: Fact) -> bool:
    """Whether its person took it back themselves: then nobody else brings it back."""
    claims = Candidate.objects.filter(user=fact.user_id, fact=fact).values_list("pk", flat=True)
    return _away(fact.user_id, claims).filter(by="member").exists()


def _away(user_id: int, claims: Iterable[int]) -> QuerySet[PersonsRuling]:
    return PersonsRuling.objects.filter(user=user_id, claims__overlap=sorted(claims), verb__in=_AWAY)


def _unrule(user_id: int, claims: Iterable[int], actor: User) -> None:
    rulings = _away(user_id, claims)
    if actor.pk != user_id and rulings.filter(by="member").exists():
        raise Refused("Its person took this back. Only they can bring it back.")
    rulings.delete()


def _withdraw(user_id: int, facts: Iterable[int]) -> None:
    requests = ErasureRequest.objects.filter(user=user_id)
    taken = requests.filter(facts__overlap=list(facts)).exclude(marks=[])
    for marks, language in taken.values_list("marks", "language"):
        requests.filter(marks=marks, language=language).update(said_at=None)


def _rule(user_id: int, rows: Iterable[Fact], actor: User, verb: Verb, *, as_of: date | None = None) -> None:
    PersonsRuling.objects.bulk_create(
        PersonsRuling(
            user_id=user_id,
            entity_id=row.entity_id,
            predicate=row.predicate,
            verb=verb,
            claims=sorted(claim.pk for claim in row.claims.all()),
            by="member" if actor.pk == user_id else "reviewer",
            actor=actor,
            as_of=as_of,
            at=clock.now(),
        )
        for row in rows
    )


def _refold(user: User, rows: Iterable[Fact]) -> None:
    keys = {Key(row.entity_id, row.predicate, "" if row.predicate else row.object_key) for row in rows}
    if keys:
        believing.refold(user.pk, keys, policy=policies.current(), language=user.language)


def _note(user_id: int, facts: Iterable[int], actor: User, action: str) -> None:
    History.objects.bulk_create(
        History(user_id=user_id, actor=str(actor.pk), action=action, table="fact", row=pk, fields=["status"])
        for pk in sorted(facts)
    )
