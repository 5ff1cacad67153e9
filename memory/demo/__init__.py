"""A demo to look around in: eight made-up people and two years of their conversations with an agent."""

import json
import secrets
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from memory import incoming, ingest, jobs, scope
from memory.models import Episode, Sample, User
from memory.models.users import Access
from memory.review import sampling
from memory.review.sampling import Plan

_HERE = Path(__file__).parent

NOW = datetime(2026, 6, 30, 12, tzinfo=UTC)
"""The moment at which the demo is to be looked at; its conversations end a few days before."""


@dataclass(frozen=True, slots=True)
class Person:
    """Someone in the demo."""

    external_id: str
    name: str
    language: str
    time_zone: str


def people() -> tuple[Person, ...]:
    """Everyone in the demo."""
    return tuple(Person(**fields) for fields in _cast()["people"])


def member() -> str:
    """The external id of the person whom the member login is."""
    return str(_cast()["member"])


def episodes() -> Iterator[dict[str, Any]]:
    """Their conversations, each as `POST …/episodes` takes it, with its "user"."""
    with (_HERE / "episodes.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


@dataclass(frozen=True, slots=True)
class Login:
    """Someone who can sign in. `password` is "" where an earlier one was kept."""

    external_id: str
    access: Access
    password: str


def load(passwords: Mapping[Access, str] | None = None) -> tuple[Login, ...]:
    """Makes the people and three logins, and stores the episodes; what is there already stays as it is.

    A login without a password in `passwords` gets a generated one, unless it has one. The
    episodes are due at once; nothing is processed here.
    """
    for person in people():
        _store(_user(person), [raw for raw in episodes() if raw["user"] == person.external_id])
    return logins(passwords)


def is_being_read() -> bool:
    """Whether conversations wait for the worker, or it is at them."""
    with scope.staff():
        is_waiting = Episode.objects.pending().exists()
    return is_waiting or jobs.next_run() is not None


def begin_review() -> Sample | None:
    """Ten facts for the reviewer to begin with, once the conversations are read; None when there is a sample already."""
    with scope.staff():
        if Sample.objects.exists():
            return None
        reviewer = User.objects.get(external_id="reviewer")
    return sampling.draw(Plan(**_cast()["sample"], reviewers=(reviewer.pk,)), by=None, now=NOW)


def logins(passwords: Mapping[Access, str] | None = None) -> tuple[Login, ...]:
    """The three logins alone, made when missing."""
    names = {Access.ADMIN: "admin", Access.REVIEWER: "reviewer", Access.MEMBER: member()}
    return tuple(_login(name, access, (passwords or {}).get(access, "")) for access, name in names.items())


def _user(person: Person) -> User:
    fields = {
        "password": "!",
        "display_name": person.name,
        "language": person.language,
        "time_zone": person.time_zone,
    }
    with scope.staff():
        user, _ = User.objects.get_or_create(external_id=person.external_id, defaults=fields)
    return user


def _store(user: User, raw: Sequence[Mapping[str, Any]]) -> None:
    results = ingest.store_all(user, [incoming.prepare(episode) for episode in raw], is_import=True)
    if any(isinstance(result, ingest.Stored) and result.is_due for result in results):
        jobs.request([user.pk])


def _login(external_id: str, access: Access, password: str) -> Login:
    with scope.staff():
        fields = {"password": "!", "display_name": external_id.capitalize(), "access": access}
        user, _ = User.objects.get_or_create(external_id=external_id, defaults=fields)
        if not password and not user.has_usable_password():
            password = secrets.token_urlsafe(9)
        if password:
            user.set_password(password)
            user.save(update_fields=["password"])
    return Login(external_id, access, password)


@cache
def _cast() -> dict[str, Any]:
    return tomllib.loads((_HERE / "people.toml").read_text(encoding="utf-8"))
