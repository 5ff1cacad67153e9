"""The tools as agents reach them: the package's own client, over both transports, against real processes."""

import asyncio
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from memory import keys
from memory.models import User
from reviewer.celery import app
from tests import factories
from tests.reviewer.test_quickstart import _free_port

CHECKOUT = Path(__file__).parent.parent.parent.parent
TOOLS = ["conflicts", "forget", "list", "recall", "remember"]

type Use = Callable[[Client], Awaitable[Any]]


@pytest.fixture
def maya(transactional_db: None) -> User:
    return factories.make_user("maya")


@pytest.fixture
def worker(process_env: dict[str, str], transactional_db: None) -> Iterator[None]:
    command = [sys.executable, "-m", "celery", "--app=reviewer", "worker", "--pool=solo", "--loglevel=WARNING"]
    with subprocess.Popen(command, env=process_env, cwd=CHECKOUT, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 60
        while not app.control.ping(timeout=0.5) and time.monotonic() < deadline:
            pass
        yield
        process.terminate()


@pytest.fixture(scope="module")
def address(process_env: dict[str, str]) -> Iterator[str]:
    """Where the tools are served over HTTP."""
    port = _free_port()
    command = [sys.executable, "manage.py", "mcp", "--http", "--port", port]
    with subprocess.Popen(command, env=process_env, cwd=CHECKOUT) as process:
        _await(f"http://127.0.0.1:{port}/healthz")
        yield f"http://127.0.0.1:{port}/mcp"
        process.terminate()


@pytest.fixture(scope="module")
def process_env(request: pytest.FixtureRequest) -> dict[str, str]:
    """As the function's, for servers that outlive a test."""
    request.getfixturevalue("django_db_setup")
    return {**os.environ, "DJANGO_SETTINGS_MODULE": "reviewer.settings"}


def over_stdio(env: dict[str, str], use: Use, user: str = "maya") -> Any:
    server = StdioServerParameters(
        command=sys.executable, args=["manage.py", "mcp", "--user", user], env=env, cwd=str(CHECKOUT)
    )
    return _run(lambda: stdio_client(server), use)


def over_http(address: str, token: str, use: Use, **headers: str) -> Any:
    async def talk() -> Any:
        sent = {"Authorization": f"Bearer {token}", **headers}
        async with (
            httpx2.AsyncClient(headers=sent, timeout=30) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            return await use(client)

    return asyncio.run(talk())


def _run(connect: Callable[[], AbstractAsyncContextManager[Any]], use: Use) -> Any:
    async def talk() -> Any:
        async with Client(connect()) as client:
            return await use(client)

    return asyncio.run(talk())


def _await(url: str) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise TimeoutError(url)


def say(result: Any) -> Any:
    """What a tool answered: its document, or the text of its error."""
    text = result.content[0].text
    return text if result.is_error else json.loads(text)


async def story(client: Client) -> dict[str, Any]:
    """Remember, find again, list, erase, as an agent would."""
    learnt = say(await client.call_tool("remember", {"text": "I live in Oslo."}))
    fact = learnt["claims"][0]["fact"]
    return {
        "tools": sorted(tool.name for tool in (await client.list_tools()).tools),
        "learnt": [claim["text"] for claim in learnt["claims"]],
        "recalled": [one["text"] for one in say(await client.call_tool("recall", {"query": "Oslo"}))["facts"]],
        "listed": [one["id"] == fact for one in say(await client.call_tool("list", {}))["facts"]],
        "conflicts": say(await client.call_tool("conflicts", {})),
        "shown": say(await client.call_tool("forget", {"fact_ids": [fact]}))["erased"],
        "erased": say(await client.call_tool("forget", {"fact_ids": [fact], "confirm": True}))["erased"],
        "left": say(await client.call_tool("list", {"status": "all"}))["facts"],
    }


STORY = {
    "tools": TOOLS,
    "learnt": ["Lives in Oslo"],
    "recalled": ["Lives in Oslo"],
    "listed": [True],
    "conflicts": {"conflicts": []},
    "shown": False,
    "erased": True,
    "left": [],
}


def test_tools_over_stdio_remember_recall_and_forget(maya: User, worker: None, process_env: dict[str, str]):
    assert over_stdio(process_env, story) == STORY


def test_tools_over_http_remember_recall_and_forget(maya: User, worker: None, address: str):
    _, token = keys.create("agent", scopes=keys.Scope, user=maya)

    assert over_http(address, token, story) == STORY


async def listing(client: Client) -> Any:
    return say(await client.call_tool("list", {"status": "all"}))


def test_key_for_everybody_reaches_the_person_named_in_the_header(maya: User, address: str):
    believed = factories.make_believed(maya)
    factories.make_believed(factories.make_user("jonas k"), "Likes tea", "likes", "tea")
    _, token = keys.create("agent", scopes=keys.Scope)

    found = over_http(address, token, listing, **{"Assay-User": "jonas%20k"})

    assert [one["text"] for one in found["facts"]] == ["Likes tea"]
    assert over_http(address, token, listing, **{"Assay-User": "maya"})["facts"][0]["id"] == believed.pk


@pytest.mark.parametrize(
    ("tool", "arguments", "scope"),
    [
        ("remember", {"text": "I live in Oslo."}, "ingest"),
        ("recall", {"query": "Oslo"}, "recall"),
        ("list", {}, "recall"),
        ("conflicts", {}, "recall"),
        ("forget", {"fact_ids": [1]}, "manage"),
    ],
)
def test_tool_without_its_scope_says_which(tool: str, arguments: Any, scope: str, *, maya: User, address: str):
    _, token = keys.create("agent", scopes={*keys.Scope} - {keys.Scope(scope)}, user=maya)

    async def use(client: Client) -> Any:
        return say(await client.call_tool(tool, arguments))

    assert over_http(address, token, use).removeprefix(f"Error executing tool {tool}: ") == (
        f"The key is not for this: it lacks the scope {scope}. An admin makes one that has it."
    )


def post(address: str, **headers: str) -> tuple[int, str]:
    request = urllib.request.Request(address, b"{}", {"Content-Type": "application/json", **headers})
    try:
        urllib.request.urlopen(request, timeout=10).close()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)["type"]
    return 200, ""


@pytest.mark.parametrize("who", ["nobody", "own key, other person", "everybody's key, nobody named", "unknown person"])
def test_stranger_is_refused_before_any_tool(who: str, maya: User, address: str):
    factories.make_user("jonas")
    own, everybodys = (keys.create("agent", scopes=keys.Scope, user=user)[1] for user in (maya, None))
    headers = {
        "nobody": {},
        "own key, other person": {"Authorization": f"Bearer {own}", "Assay-User": "jonas"},
        "everybody's key, nobody named": {"Authorization": f"Bearer {everybodys}"},
        "unknown person": {"Authorization": f"Bearer {own}", "Assay-User": "no%00body"},
    }

    status, _ = post(address, **headers[who])

    assert status == (401 if who == "nobody" else 404)


def test_other_host_name_is_refused(maya: User, address: str):
    assert post(address, Host="evil.example") == (400, "urn:assay:problem:unreadable")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("recall", {"query": "x" * 3_000}),
        ("recall", {"query": "x", "k": 10**30}),
        ("recall", {"query": "x", "as_of": "yesterday"}),
        ("list", {"status": "imagined"}),
        ("list", {"after": -1}),
        ("forget", {"fact_ids": [2**70]}),
        ("forget", {"fact_ids": [2**62]}),
        ("remember", {"text": "\x00\u200b"}),
    ],
)
def test_tool_given_nonsense_says_what_is_wrong(tool: str, arguments: Any, maya: User, address: str):
    _, token = keys.create("agent", scopes=keys.Scope, user=maya)

    async def use(client: Client) -> Any:
        return await client.call_tool(tool, arguments)

    result = over_http(address, token, use)

    assert (result.is_error, f"Error executing tool {tool}" == say(result)) == (True, False)
