"""Signing in by way of an identity provider, against one that answers over HTTP."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth import SESSION_KEY
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from memory import scope
from memory.models import User
from tests.reviewer import reading

type Claims = dict[str, Any]


class _Provider(ThreadingHTTPServer):
    claims: Claims


class _Handler(BaseHTTPRequestHandler):
    server: _Provider

    def do_GET(self) -> None:
        home = f"http://127.0.0.1:{self.server.server_port}"
        endpoints = {
            "issuer": home,
            "authorization_endpoint": f"{home}/authorize",
            "token_endpoint": f"{home}/token",
            "userinfo_endpoint": f"{home}/userinfo",
            "jwks_uri": f"{home}/keys",
        }
        self._answer(endpoints if self.path.startswith("/.well-known/") else self.server.claims)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer({"access_token": "granted", "token_type": "Bearer"})

    def _answer(self, told: Claims) -> None:
        body = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def provider(settings: Settings) -> Iterator[_Provider]:
    """A provider that says `claims` of whoever comes, and Assay set up for it."""
    with _Provider(("127.0.0.1", 0), _Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        app = {"provider_id": "oidc", "name": "Work", "client_id": "assay", "secret": "x"}
        app |= {"settings": {"server_url": f"http://127.0.0.1:{server.server_port}"}}
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [app]}}
        settings.ASSAY_OIDC_CLAIM = "sub"
        server.claims = {"sub": "rita"}
        yield server
        server.shutdown()


def come_back(client: Client, *, then: str = "", **answer: str) -> HttpResponse:
    """Goes to the provider and comes back with what it gives: a code, unless `answer` says otherwise."""
    sent = client.get("/login/oidc/", {"next": then} if then else {})
    state = parse_qs(urlsplit(sent["Location"]).query)["state"][0]
    return client.get("/login/oidc/callback/", {"state": state} | (answer or {"code": "x"}))  # type: ignore[return-value]


def is_in(client: Client) -> bool:
    return SESSION_KEY in client.session


@pytest.mark.usefixtures("provider", "db")
def test_sign_in_page_offers_the_provider_by_name(client: Client):
    response = client.get("/login/?next=/refused/")

    assert reading.links(response, "Sign in with Work") == ["/login/oidc/?next=/refused/"]  # type: ignore[arg-type]


@pytest.mark.usefixtures("provider", "staff")
def test_login_whose_name_the_provider_says_is_let_in(client: Client):
    response = come_back(client, then="/refused/")

    assert (response["Location"], is_in(client)) == ("/refused/", True)


@pytest.mark.parametrize("claims", [{"sub": "stranger"}, {"sub": ""}, {"sub": "RITA"}])
@pytest.mark.usefixtures("staff")
def test_stranger_is_told_and_not_made(claims: Claims, client: Client, provider: _Provider):
    before = User.objects.count()
    provider.claims = claims

    response = come_back(client)

    assert (response.status_code, is_in(client), User.objects.count()) == (403, False, before)
    assert reading.found(response, "<h1>(.*?)</h1>") == ["No way in"]


@pytest.mark.usefixtures("provider")
def test_login_that_is_shut_is_not_let_in(client: Client, staff: dict[str, User]):
    with scope.staff():
        User.objects.filter(pk=staff["reviewer"].pk).update(is_active=False)

    response = come_back(client)

    assert (response.status_code, is_in(client)) == (403, False)


@pytest.mark.parametrize("vouched", [True, False, "true"])
@pytest.mark.usefixtures("staff")
def test_address_counts_only_when_the_provider_vouches_for_it(
    vouched: Any, client: Client, provider: _Provider, settings: Settings
):
    settings.ASSAY_OIDC_CLAIM = "email"
    provider.claims = {"sub": "1", "email": "rita", "email_verified": vouched}

    come_back(client)

    assert is_in(client) == (vouched is True)


@pytest.mark.parametrize("error", ["access_denied", "server_error"])
@pytest.mark.usefixtures("provider", "staff")
def test_no_of_the_provider_is_told_on_a_page_of_ours(error: str, client: Client):
    response = come_back(client, error=error)

    assert reading.found(response, "<h1>(.*?)</h1>") == ["No way in"]


@pytest.mark.usefixtures("provider", "staff")
def test_answer_that_nobody_asked_for_is_refused(client: Client):
    response = client.get("/login/oidc/callback/", {"state": "made-up", "code": "x"})

    assert (response.status_code, is_in(client)) == (403, False)


@pytest.mark.usefixtures("provider", "staff")
def test_provider_that_says_nothing_useful_lets_nobody_in(client: Client, provider: _Provider):
    provider.claims = {"nothing": "useful"}

    response = come_back(client)

    assert (response.status_code, is_in(client)) == (403, False)


@pytest.mark.usefixtures("staff")
def test_provider_that_is_away_is_told_on_a_page_of_ours(client: Client, provider: _Provider, settings: Settings):
    app = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]
    app["settings"]["server_url"] = "http://127.0.0.1:9"

    response = client.get("/login/oidc/")

    assert (response.status_code, reading.found(response, "<h1>(.*?)</h1>")) == (403, ["No way in"])  # type: ignore[arg-type]


@pytest.mark.usefixtures("staff")
def test_second_factor_is_asked_for_after_the_provider_too(client: Client, provider: _Provider):
    Authenticator.objects.create(user=User.objects.get(external_id="rita"), type="totp", data={"secret": ""})

    response = come_back(client)

    assert (response["Location"], is_in(client)) == ("/login/code/", False)
