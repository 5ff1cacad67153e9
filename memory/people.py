"""Whose memory it is, as the stages need to know it: plain values, read once a job."""

import zoneinfo
from dataclasses import dataclass

from memory import text
from memory.models import Entity, User


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
    )


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
