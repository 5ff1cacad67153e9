"""Retiring: a fact is retracted or closed by a person's ruling, and its history stays. Reversible."""

from collections.abc import Iterable
from datetime import date

from memory import believing, clock, policies
from memory.believing import Key
from memory.forgetting.outdating import lock
from memory.models import Fact, History, PersonsRuling, User
from memory.types import Status, Verb

EXPIRED = "expired"


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
    _note(user_id, rows, actor, "retire")
    return [row.pk for row in rows]


def restore(user_id: int, facts: Iterable[int], *, actor: User) -> list[int]:
    """Takes back what was ruled about the facts, whoever ruled it; inside a scope.

    One that lapsed is confirmed, as it would fade again otherwise; one whose end has passed stays past.
    """
    user = lock(user_id)
    rows = list(Fact.objects.filter(user=user_id, pk__in=list(facts)).prefetch_related("claims"))
    for row in rows:
        claims = [claim.pk for claim in row.claims.all()]
        PersonsRuling.objects.filter(user=user_id, claims__overlap=claims, verb__in=[Verb.RETRACT, Verb.CLOSE]).delete()
    lapsed = [row for row in rows if row.status == Status.LAPSED and row.status_reason != EXPIRED]
    _rule(user_id, lapsed, actor, Verb.CONFIRM)
    _refold(user, rows)
    _note(user_id, rows, actor, "restore")
    return [row.pk for row in rows]


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


def _note(user_id: int, rows: Iterable[Fact], actor: User, action: str) -> None:
    History.objects.bulk_create(
        History(user_id=user_id, actor=str(actor.pk), action=action, table="fact", row=row.pk, fields=["status"])
        for row in rows
    )
