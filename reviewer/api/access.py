"""Whose key it is, what it may do, and whose memory it may touch."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest
from ninja.security.http import HttpAuthBase

from memory import keys
from memory.keys import Scope
from memory.models import ApiKey, User
from reviewer.api import limits
from reviewer.api.problems import Problem


class KeyRequest(HttpRequest):
    """A request with a valid key, which may do what the operation needs."""

    auth: ApiKey


class Bearer(HttpAuthBase):
    """`Authorization: Bearer assay_…` with the scope that an operation needs."""

    openapi_scheme = "bearer"

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def __call__(self, request: HttpRequest) -> Any:
        return allowed(request.headers.get("Authorization", ""), self.scope)


INGEST, RECALL, MANAGE = Bearer(Scope.INGEST), Bearer(Scope.RECALL), Bearer(Scope.MANAGE)


def allowed(header: str, scope: Scope) -> ApiKey | None:
    """The key in an Authorization header; None when there is no valid one.

    Raises Problem when it lacks the scope or is used too often.
    """
    key = identified(header)
    if key is not None:
        check(key.scopes, scope)
    return key


def identified(header: str) -> ApiKey | None:
    """The key in an Authorization header, whatever it is for; counts its use."""
    scheme, _, token = header.partition(" ")
    key = keys.find(token.strip()) if scheme.lower() == "bearer" else None
    if key is not None:
        limits.count(key.prefix)
    return key


def check(scopes: Iterable[str], scope: Scope) -> None:
    if scope not in scopes:
        raise Problem(403, f"The key is not for this: it lacks the scope {scope}. An admin makes one that has it.")


def actor(request: KeyRequest) -> str:
    """Who did it, for receipts and records."""
    return actor_of(request.auth)


def actor_of(key: ApiKey) -> str:
    return f"key {key.prefix}"


def whose(request: KeyRequest, external_id: str) -> User:
    """The person, if there is one and the key is for them. To any other key they are as unknown as nobody."""
    found = known(request.auth, external_id)
    if found is None:
        raise Problem(404, "There is no such person, or they are not for this key.")
    return found


def known(key: ApiKey, external_id: str) -> User | None:
    if key.user is not None:
        return key.user if key.user.external_id == external_id else None
    return User.objects.filter(external_id=external_id).first()
