"""Whose key it is, what it may do, and whose memory it may touch."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest
from ninja.security.http import HttpAuthBase

from memory import keys
from memory.keys import Held, Scope
from memory.models import ApiKey, User
from reviewer.api import limits
from reviewer.api.problems import Problem


class KeyRequest(HttpRequest):
    """A request with a valid key, which may do what the operation needs, and whom it is used for."""

    auth: Held


class Bearer(HttpAuthBase):
    """`Authorization: Bearer assay_…` with the scope that an operation needs."""

    openapi_scheme = "bearer"

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def __call__(self, request: HttpRequest) -> Any:
        match = request.resolver_match
        named = match.kwargs.get("external_id") if match else None
        return allowed(request.headers.get("Authorization", ""), self.scope, person=named)


INGEST, RECALL, MANAGE = Bearer(Scope.INGEST), Bearer(Scope.RECALL), Bearer(Scope.MANAGE)


def allowed(header: str, scope: Scope, *, person: str | None = None) -> Held | None:
    """The key in an Authorization header, and the person named in the address; None when there is no valid one.

    Raises Problem when it lacks the scope or is used too often.
    """
    held = identified(header, person=person)
    if held is not None:
        check(held.key.scopes, scope)
    return held


def identified(header: str, *, person: str | None = None) -> Held | None:
    """The key in an Authorization header, whatever it is for, and whom it is used for.

    Counts its use; raises Problem when it is used too often.
    """
    scheme, _, token = header.partition(" ")
    held = keys.find(token.strip(), person=person) if scheme.lower() == "bearer" else None
    if held is not None:
        limits.count(held.key.prefix)
    return held


def check(scopes: Iterable[str], scope: Scope) -> None:
    if scope not in scopes:
        raise Problem(403, f"The key is not for this: it lacks the scope {scope}. An admin makes one that has it.")


def actor(request: KeyRequest) -> str:
    """Who did it, for receipts and records."""
    return actor_of(request.auth.key)


def actor_of(key: ApiKey) -> str:
    return f"key {key.prefix}"


def whose(request: KeyRequest, external_id: str) -> User:
    """The person, if there is one and the key is for them. To any other key they are as unknown as nobody."""
    person = request.auth.person
    if person is None or person.external_id != external_id:
        raise Problem(404, "There is no such person, or they are not for this key.")
    return person
