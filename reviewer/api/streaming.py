"""MCP over streamable HTTP: the tools behind the same keys as the HTTP API. An ASGI application of its own."""

import urllib.parse
from collections.abc import MutableMapping
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connection
from django.http.request import split_domain_port, validate_host
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from memory.keys import Scope as KeyScope
from reviewer.api import access, problems
from reviewer.api.problems import Problem
from reviewer.api.tools import CALLER, Caller, server

PATH = "/mcp"
HEALTH = "/healthz"
WHOSE = "Assay-User"
"""The header by which a key for everybody says whose memory is meant: an external id, percent-encoded."""


def application() -> Starlette:
    """Every request stands alone, so that any number of processes can serve."""
    tools = server()
    tools.custom_route(HEALTH, methods=["GET"])(_healthz)
    # Who asks is checked by Keyed; a page that rebinds its name has no key.
    security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = tools.streamable_http_app(
        streamable_http_path=PATH, stateless_http=True, json_response=True, transport_security=security
    )
    app.add_middleware(Keyed)
    return app


class Keyed:
    """Lets in who has a key, and names whose memory the request is about."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] == HEALTH:
            await self.app(scope, receive, send)
            return
        try:
            caller = await sync_to_async(_caller, thread_sensitive=False)(Headers(scope=scope))
        except Problem as problem:
            await _refusal(problem)(scope, receive, send)
            return
        token = CALLER.set(caller)
        try:
            await self.app(scope, receive, send)
        finally:
            CALLER.reset(token)


def _caller(headers: Headers) -> Caller:
    """Raises Problem for who may not come in."""
    try:
        host, _ = split_domain_port(headers.get("Host", ""))
        if not host or not validate_host(host, settings.ALLOWED_HOSTS):
            raise Problem(400, "This site does not go by that name.")
        named = urllib.parse.unquote(headers.get(WHOSE, "")).replace("\x00", "\ufffd")
        held = access.identified(headers.get("Authorization", ""), person=named or None)
        if held is None:
            raise Problem(401)
        if not named and held.key.user_id is None:
            raise Problem(404, f"The key is for everybody: say whose memory is meant in the header {WHOSE}.")
        if held.person is None:
            raise Problem(404, "There is no such person, or they are not for this key.")
        return Caller(held.person, access.actor_of(held.key), frozenset(map(KeyScope, held.key.scopes)))
    finally:
        connection.close()


def _refusal(problem: Problem) -> Response:
    headers: MutableMapping[str, str] = {"Cache-Control": "no-store", **problem.headers}
    if problem.status == 401:  # noqa: PLR2004 - HTTP's own number
        headers["WWW-Authenticate"] = "Bearer"
    document: dict[str, Any] = problems.document(problem.status, problem.detail)
    return JSONResponse(document, problem.status, headers, media_type=problems.MEDIA_TYPE)


async def _healthz(_: Request) -> Response:
    return JSONResponse({"live": True})
