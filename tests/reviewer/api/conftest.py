"""Agents with keys of every kind, and people who have something to lose."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpResponseBase
from django.test import Client

from memory import engine, keys
from memory.keys import Scope
from memory.models import User
from reviewer.api import asking

ALL = tuple(Scope)


@dataclass(frozen=True)
class Answer:
    """What came back; `body` is the document, or the bytes of what is none."""

    status: int
    body: Any
    headers: HttpResponseBase


@dataclass(frozen=True)
class Agent:
    """Speaks JSON to the API with a token, or with none."""

    token: str = ""

    def __call__(self, method: str, path: str, body: Any = None) -> Answer:
        content = b"" if body is None else json.dumps(body).encode()
        return self.send(method, path, content)

    def send(self, method: str, path: str, content: bytes, *, client: Client | None = None) -> Answer:
        client = client or Client(raise_request_exception=False)
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        address = path if path.startswith("/") else f"/api/v1/users/{path}"
        response: Any = client.generic(method.upper(), address, content, "application/json", headers=headers)
        raw = b"".join(response.streaming_content) if response.streaming else response.content
        is_json = "json" in response.headers.get("Content-Type", "")
        return Answer(response.status_code, json.loads(raw) if is_json else raw, response)


type Keyed = Callable[..., Agent]


@pytest.fixture(autouse=True)
def _counted_anew() -> None:
    cache.clear()
    asking.configured.cache_clear()


@pytest.fixture
def keyed(db: None) -> Keyed:
    """`keyed("recall", user=maya)`: an agent with a key of these scopes (all), for this person (everybody)."""

    def make(*scopes: str, user: User | None = None) -> Agent:
        return Agent(keys.create("agent", scopes=[Scope(one) for one in scopes] or ALL, user=user)[1])

    return make


@pytest.fixture
def agent(keyed: Keyed) -> Agent:
    """One that may do everything for everybody."""
    return keyed()


@pytest.fixture
def learn(agent: Agent) -> Callable[..., list[dict[str, Any]]]:
    """`learn("maya", "I live in Oslo.")`: tells it, has it processed, and gives the facts that are live."""

    def tell(name: str, *said: str) -> list[dict[str, Any]]:
        for n, content in enumerate(said):
            turn = {"role": "user", "content": content, "at": f"2026-03-{10 + n}T12:00:00Z"}
            agent("post", f"{name}/episodes", {"external_id": f"told-{content}", "closed": True, "turns": [turn]})
        engine.drain(engine.configured())
        return facts(agent("get", f"{name}/facts?limit=200").body["facts"])

    return tell


def facts(found: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(found, key=lambda fact: fact["text"])
