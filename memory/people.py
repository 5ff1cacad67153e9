"""Whose memory it is, as the stages need to know it: plain values, read once a job."""

import zoneinfo
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory import prepared, scope, stemming, text
from memory.errors import Departed
from memory.marks import mark_of_user, marks_of
from memory.models import Candidate, Departure, Entity, User
from memory.types import LIVE


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
    believed: frozenset[tuple[str, str]] = frozenset()
    """Marks and polarities of what is believed, where something was erased."""
    asked_until: datetime | None = None
    """When they last asked in a chat to be forgotten about something."""


def read(user_id: int) -> Person:
    """One query, inside the user's scope. Makes the entity that is the user themselves when it is missing."""
    found = prepared.rows(READ, {"user": user_id})
    if not found:
        raise User.DoesNotExist(f"no user {user_id} in this scope")
    (
        subject,
        display_name,
        external_id,
        language,
        time_zone,
        is_paused,
        entity,
        topics,
        claim_marks,
        key_marks,
        asked,
    ) = found[0]
    given = (subject, display_name, external_id.rpartition(":")[2])
    return Person(
        id=user_id,
        subject=subject,
        names=frozenset(text.name_key(name) for name in given if name),
        language=language,
        zone=zone(time_zone),
        is_paused=is_paused,
        entity=entity or _make_entity(user_id, subject),
        declined=tuple(topics),
        erased_claims=frozenset(claim_marks),
        erased_keys=frozenset(key_marks) - {""},
        believed=_believed(user_id) if claim_marks else frozenset(),
        asked_until=asked,
    )


def _believed(user_id: int) -> frozenset[tuple[str, str]]:
    claims = Candidate.objects.filter(user=user_id, fact__status__in=LIVE).exclude(object_key="")
    rows = claims.values_list("subject_key", "predicate", "object_key", "polarity").distinct()
    return frozenset(
        (marks_of(user_id, subject=subject, predicate=predicate, object_key=content).claim, polarity)
        for subject, predicate, content, polarity in rows
    )


# The person, and what binds extraction beside them.
READ = """
    SELECT usr.subject, usr.display_name, usr.external_id, usr.language, usr.time_zone, usr.is_paused,
        (SELECT id FROM memory_entity WHERE user_id = usr.id AND is_owner) AS entity,
        ARRAY(SELECT topic FROM memory_rule WHERE user_id = usr.id ORDER BY id) AS topics,
        ARRAY(SELECT claim_mark FROM memory_erasure WHERE user_id = usr.id AND lifted_at IS NULL) AS claim_marks,
        ARRAY(SELECT key_mark FROM memory_erasure WHERE user_id = usr.id AND lifted_at IS NULL) AS key_marks,
        (SELECT max(said_at) FROM memory_erasurerequest WHERE user_id = usr.id AND said_at IS NOT NULL) AS asked
    FROM memory_user usr WHERE usr.id = %(user)s
"""


def _make_entity(user_id: int, subject: str) -> int:
    names = {"name": subject, "name_key": text.name_key(subject)}
    return Entity.objects.get_or_create(user_id=user_id, is_owner=True, defaults=names)[0].pk


def change(user_id: int, **columns: Any) -> User:
    """Changes who somebody is; with their language also the one that search stems their words in. Inside their scope.

    Of a long memory only a part follows at once: see `stemming`.
    """
    before = User.objects.select_for_update(no_key=True).get(pk=user_id)
    User.objects.filter(pk=user_id).update(**columns)
    if columns.get("language", before.language) != before.language:
        stemming.follow(user_id, columns["language"])
    return User.objects.get(pk=user_id)


def named(external_id: str) -> User:
    """The user with this external id, made when missing. Raises Departed for one who asked to be forgotten."""
    with scope.staff():
        user = User.objects.named(external_id)
        refuse_departed(external_id)  # last, so that nobody comes back who is leaving at this moment
    return user


def refuse_departed(external_id: str) -> None:
    """Raises Departed for one who asked to be forgotten."""
    if Departure.objects.filter(mark=mark_of_user(external_id)).exists():
        raise Departed(
            "This person asked to be forgotten: nothing is stored for them. An admin can lift that if they return."
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
