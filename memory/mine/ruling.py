"""One person's decision about one thing that is known, and taking that decision back. Inside their scope."""

from collections.abc import Iterable
from datetime import date

from memory import believing, clock, policies
from memory.believing import Key
from memory.models import Candidate, Fact, History, PersonsRuling, User
from memory.types import Verb


def rule(user: User, fact: Fact, verb: Verb, *, as_of: date | None = None) -> PersonsRuling:
    """Decides, and believes what follows from it; the user's row is locked."""
    ruling = PersonsRuling.objects.create(
        user=user,
        entity_id=fact.entity_id,
        predicate=fact.predicate,
        verb=verb,
        claims=sorted(fact.claims.values_list("pk", flat=True)),
        by="member",
        actor=user,
        as_of=as_of,
        at=clock.now(),
    )
    refold(user, keys_of(user, ruling.claims))
    note(user, fact.pk, verb)
    return ruling


def withdraw(user: User, ruling_id: int | None) -> set[Key]:
    """Takes a decision back; the keys on which that may change what is believed."""
    ruling = PersonsRuling.objects.filter(user=user, pk=ruling_id or 0).first()
    if ruling is None:
        return set()
    keys = keys_of(user, ruling.claims)
    ruling.delete()
    return keys


def refold(user: User, keys: set[Key]) -> None:
    if keys:
        believing.refold(user.pk, keys, policy=policies.current(), language=user.language)


def keys_of(user: User, claims: Iterable[int]) -> set[Key]:
    """Where the claims stand now: they may have come to another entity since."""
    rows = Candidate.objects.claims().filter(user=user, pk__in=list(claims)).exclude(entity=None)
    return {Key(*key) for key in rows.values_list("entity", "predicate", "slot")}


def note(user: User, fact_id: int, action: str) -> None:
    History.objects.create(user=user, actor=str(user.pk), action=action, table="fact", row=fact_id, fields=["status"])
