"""What the README and docs/agents.md show does what it says, run just as it is written."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory import engine, keys, scope
from memory.models import Episode, Fact, User
from reviewer.api import api, asking
from tests import factories
from tests.scripted_server import Received, ScriptedServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(180)]

_CHECKOUT = Path(__file__).parent.parent
TEXT = (_CHECKOUT / "docs" / "agents.md").read_text()
(LOOP,) = re.findall(r"```python\n(.*?)```", (_CHECKOUT / "README.md").read_text(), re.DOTALL)
CURLS = re.findall(r"^curl .*$", TEXT, re.MULTILINE)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    """A chat model that only ever says one thing, and a memory of its own that works by patterns."""
    with ScriptedServer(_reply) as server:
        yield server


def _reply(received: Received) -> Any:
    answers = {"": "Noted.", "retrieval_plan": {"needs_episodes": False, "why": "a fact"}}
    return answers.get(received.name, {"answer": "In Bergen.", "facts": []})


def talk(live_server: Any, model: ScriptedServer, *lines: str) -> str:
    """The loop in a process of its own, with these lines typed in."""
    _, token = keys.create("loop", scopes=[keys.Scope.INGEST, keys.Scope.RECALL])
    given = {"ASSAY_URL": live_server.url, "ASSAY_KEY": token, "ASSAY_MODEL": "any"}
    env = {**os.environ, **given, "OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "none"}
    typed = "\n".join([*lines, "", ""])
    done = subprocess.run(
        [sys.executable, "-c", LOOP], input=typed, env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_loop_recalls_in_one_session_what_was_said_in_another(live_server: Any, model: ScriptedServer):
    first = talk(live_server, model, "I live in Oslo.", "I play the cello.")
    engine.drain(engine.configured())
    talk(live_server, model, "Where do I live?")

    systems = [chat.system for chat in model.chats]
    assert first == "> Noted.\n> Noted.\n> "
    assert ["Lives in Oslo" in system for system in systems] == [False, False, True]
    with scope.staff():
        assert [(row.turn_count, row.is_closed) for row in Episode.objects.order_by("pk")] == [(4, True), (2, True)]


def test_loop_is_about_twenty_lines():
    code = [line for line in LOOP.splitlines() if line.strip() and "import" not in line]

    assert len(code) <= 20


def test_curl_for_every_call_works_as_written(
    live_server: Any, model: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OPENAI_BASE_URL", model.url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    asking.configured.cache_clear()
    user = factories.make_user("maya")
    fact = factories.make_believed(user)
    _, token = keys.create("curl", scopes=keys.Scope)
    env = {**os.environ, "ASSAY": f"{live_server.url}/api/v1", "KEY": token, "FACT": str(fact.pk)}
    with scope.user(user.pk):
        env["EPISODE"] = str(fact.claims.get().episode_id)

    answers = {}
    for curl in CURLS:
        env["CORRECTED"] = str(_newest(user))
        command = f"{curl} -s -w '\\n%{{http_code}}'"
        done = subprocess.run(
            ["bash", "-c", command], env=env, cwd=tmp_path, capture_output=True, text=True, check=True
        )
        answers[curl] = done.stdout.rpartition("\n")[2]
    asking.configured.cache_clear()

    assert {curl: status for curl, status in answers.items() if status not in {"200", "201", "202"}} == {}
    assert (tmp_path / "memory.zip").read_bytes()[:2] == b"PK"


def _newest(user: User) -> int:
    with scope.user(user.pk):
        newest = Fact.objects.order_by("-pk").first()
        return newest.pk if newest else 0


def test_curl_is_shown_for_every_call():
    shown = {_call(curl) for curl in CURLS}

    paths = api.get_openapi_schema()["paths"]
    assert shown == {
        (method.upper(), re.sub(r"\{\w+\}", "…", path.removeprefix("/api/v1")))
        for path, calls in paths.items()
        for method in calls
    }


def _call(curl: str) -> tuple[str, str]:
    words = shlex.split(curl)
    path = words[[word.startswith("$ASSAY") for word in words].index(True)].removeprefix("$ASSAY").partition("?")[0]
    method = words[words.index("-X") + 1] if "-X" in words else "POST" if "-d" in words else "GET"
    return method, re.sub(r"\$\w+|maya", "…", path)
