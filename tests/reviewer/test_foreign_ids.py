"""Ids of another person's things in filters, bodies and forms: nothing of theirs is shown, nothing of theirs changes.

Every route of the access matrix is tried, with all the ids of the member under all the names that pages know.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model

from memory import scope
from memory.models import Candidate, Conflict, Entity, Episode, Evidence, Fact, Rule, StaffRead, Turn, User
from tests import isolation
from tests.reviewer.reading import As
from tests.reviewer.test_access import MATRIX, Ids, address, ids  # noqa: F401 - a fixture

CANARY = "heliotrope-of-maya"
TEXTS = {
    Fact: ("text", "object", "status_reason"),
    Entity: ("name", "note"),
    Episode: ("session", "error"),
    Turn: ("content",),
    Candidate: ("text", "object", "detail"),
    Evidence: ("quote",),
    Conflict: ("why",),
    Rule: ("topic",),
}
PLACES = ("after", "before")
FILTERS = {"subject": Entity, "entity": Entity, "fact": Fact, "episode": Episode, "conflict": Conflict, "more": Fact}
FIELDS = (
    *("fact", "facts", "entity", "other", "episode", "conflict", "candidate", "winner", "side", "sides", "answer"),
    *("choice", "place", "all", "ids", "keep", "whose", "of", "person", "user", "external_id", "login", "reviewers"),
)
WORDS = {"verdict": "wrong", "typed": "forget", "why": "x", "note": "x", "words": "x", "alias": "x", "predicate": "x"}
OTHERS = {"external_id": "jonas", "login_id": 0, "token": "none"}
BY_ADDRESS = "people/<person:external_id>/"


@pytest.fixture
def foreign(member: User, ids: Ids) -> Ids:  # noqa: F811
    """The member's ids, after everything that they have was given a word that nobody else knows."""
    with scope.staff():
        for model, names in TEXTS.items():
            model._default_manager.filter(user=member).update(**dict.fromkeys(names, CANARY))
    return ids


def last(model: type[Model], member: User) -> str:
    with scope.user(member.pk):
        return str(model._default_manager.latest("pk").pk)


def values(member: User) -> list[str]:
    """One id of each sort of thing, and the member's own."""
    return [*(last(model, member) for model in (Fact, Entity, Episode, Candidate, Conflict)), str(member.pk), "maya"]


def queries(member: User) -> Iterator[dict[str, str]]:
    yield {}
    yield {"person": "maya"}
    yield from ({name: last(model, member)} for name, model in FILTERS.items())
    yield from ({name: last(model, member)} for name in PLACES for model in (Fact, Episode, Candidate, Conflict))


def fingerprint(member: User) -> dict[str, str]:
    """A hash of all that is the member's, by table; the log of looks may grow."""
    tables = [model._meta.db_table for model in isolation.content_models() if model is not StaffRead]
    with scope.staff(), connection.cursor() as cursor:
        return {table: _hash(cursor, table, "user_id", member.pk) for table in tables} | {
            "login": _hash(cursor, User._meta.db_table, "id", member.pk)
        }


def _hash(cursor: Any, table: str, column: str, pk: int) -> str:
    cursor.execute(
        f"SELECT md5(coalesce(string_agg(row::text, '' ORDER BY row::text), '')) FROM {table} row WHERE {column} = %s",
        [pk],
    )
    return str(cursor.fetchone()[0])


def reachable(role: str, method: str) -> list[str]:
    """Routes where what is shown or done must be the asker's own, or of the person whom the address names."""
    column = "other" if role == "other_member" else role
    return [
        route
        for route, row in MATRIX.items()
        if row.method == method
        and (route.startswith(BY_ADDRESS) or (role == "other_member" and getattr(row, column) in {200, 302}))
        and not route.startswith(("portal/", "logout", "login"))
        and not route.endswith("/export/")  # streams in a transaction of its own, and has tests of its own
    ]


@pytest.mark.parametrize("role", ["other_member", "reviewer"])
def test_ids_in_filters_show_nothing_of_their_person(role: str, as_: As, member: User, foreign: Ids):
    client, asked, leaks, answered = as_(role), [*queries(member)], [], 0

    for route in reachable(role, "get"):
        path = address(route, foreign | OTHERS)
        for query in asked:
            response = client.get(path, query)
            answered += response.status_code == 200
            if CANARY in b"".join(response).decode(errors="replace"):  # type: ignore[arg-type]
                leaks.append((route, query))

    assert leaks == []
    assert answered > 10


@pytest.mark.parametrize("role", ["anonymous", "other_member", "reviewer", "admin"])
def test_ids_in_bodies_change_nothing_of_their_person(role: str, as_: As, member: User, foreign: Ids):
    client, changed, leaks = as_(role), [], []
    body = WORDS | {name: [*values(member)] for name in FIELDS}
    before = fingerprint(member)

    for route in reachable(role, "post") if role != "anonymous" else [*MATRIX]:
        response = client.post(address(route, foreign | OTHERS), body)
        if CANARY in b"".join(response).decode(errors="replace"):  # type: ignore[arg-type]
            leaks.append(route)
        if fingerprint(member) != before:
            changed.append(route)
            before = fingerprint(member)

    assert (changed, leaks) == ([], [])


def test_fingerprint_tells_the_least_change(member: User, foreign: Ids):
    before = fingerprint(member)

    with scope.staff():
        Turn.objects.filter(user=member, pk=Turn.objects.filter(user=member).latest("pk").pk).update(content="other")

    after = fingerprint(member)
    assert [table for table in before if before[table] != after[table]] == [Turn._meta.db_table]
