"""Whose memory it is, as the stages need to know it: plain values, read once a job."""

import zoneinfo
from dataclasses import dataclass

from memory import scope, text
from memory.errors import Departed
from memory.marks import mark_of_user
from memory.models import Departure, Entity, Erasure, Rule, User


@dataclass(frozen=True, slots=True)
class Person:
    """A user for the length of a job. `names` are the normalised names that mean them."""

    id: int
    subject: str
    names: frozenset[str]
    language: str
    zone: zoneinfo.ZoneInfo
    is_paused: bool
    entity: int
    declined: tuple[str, ...] = ()
    """Topics never to be remembered."""
    erased_claims: frozenset[str] = frozenset()
    erased_keys: frozenset[str] = frozenset()


def read(user_id: int) -> Person:
    """Must run inside the user's scope. Makes the entity that is the user themselves when it is missing."""
    user = User.objects.get(pk=user_id)
    given = (user.subject, user.display_name, user.external_id.rpartition(":")[2])
    entity, _ = Entity.objects.get_or_create(
        user=user, is_owner=True, defaults={"name": user.subject, "name_key": text.name_key(user.subject)}
    )
    return Person(
        id=user_id,
        subject=user.subject,
        names=frozenset(text.name_key(name) for name in given if name),
        language=user.language,
        zone=zone(user.time_zone),
        is_paused=user.is_paused,
        entity=entity.pk,
        declined=tuple(Rule.objects.order_by("pk").values_list("topic", flat=True)),
        **_erased(),
    )


def named(external_id: str) -> User:
    """The user with this external id, made when missing. Raises Departed for one who asked to be forgotten."""
    refuse_departed(external_id)
    with scope.staff():
        return User.objects.named(external_id)


def refuse_departed(external_id: str) -> None:
    """Raises Departed for one who asked to be forgotten."""
    if Departure.objects.filter(mark=mark_of_user(external_id)).exists():
        raise Departed(
            "This person asked to be forgotten: nothing is stored for them. An admin can lift that if they return."
        )


def _erased() -> dict[str, frozenset[str]]:
    marks = list(Erasure.objects.filter(lifted_at=None).values_list("claim_mark", "key_mark"))
    return {
        "erased_claims": frozenset(claim for claim, _ in marks),
        "erased_keys": frozenset(key for _, key in marks),
    }


def is_meant(person: Person, subject: str, *, note: str = "") -> bool:
    """Whether a claim's subject is the person themselves; the gate has seen to whose voice it was.

    Their name with a note is someone else who has it too.
    """
    is_named = text.name_key(subject) in person.names and not note
    return is_named or text.is_self(subject) or text.is_you(subject)


def zone(name: str) -> zoneinfo.ZoneInfo:
    """The time zone of this name; UTC for a name that is none."""
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return zoneinfo.ZoneInfo("UTC")
