"""The command as a user runs it: real processes, ended in every way."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

pytestmark = pytest.mark.timeout(300)  # everything is started for each of them

_CHECKOUT = Path(__file__).parent.parent.parent

STEPS = [
    "Starting Postgres and Valkey …",
    "Making the tables …",
    "Starting the site, its workers and the tools …",
    "Stopping the site, its workers and the tools …",
    "Stopping Postgres and Valkey, unless something else uses them …",
    "Stopped.",
]

type Quickstart = Callable[..., tuple[subprocess.Popen[str], dict[str, Any]]]


@pytest.fixture
def env(tmp_path: Path) -> Iterator[dict[str, str]]:
    """An environment with nothing configured but the place of the data."""
    yield {"PATH": os.environ["PATH"], "ASSAY_DATA_DIR": str(tmp_path / "data"), "ASSAY_EMBEDDING_MODEL": "none"}
    for process in _all(tmp_path):
        process.kill()


@pytest.fixture
def quickstart(env: dict[str, str]) -> Iterator[Quickstart]:
    """Starts it and waits until it has said where the site is."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> tuple[subprocess.Popen[str], dict[str, Any]]:
        command = [sys.executable, "manage.py", "quickstart", "--no-demo", "--json", *arguments]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, env=env, cwd=_CHECKOUT, stdout=pipe, stderr=pipe, text=True)
        started.append(process)
        assert process.stdout
        lines = [process.stdout.readline()]
        while lines[-1] not in ("}\n", ""):
            lines.append(process.stdout.readline())
        return process, json.loads("".join(lines) or "{}")

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("arguments", "settings", "said"),
    [
        (["--port", "99999"], {}, "--port is 99999; it is a number from 1 to 65534."),
        (["--port", "0"], {}, "--port is 0; it is a number from 1 to 65534."),
        ([], {"ASSAY_DATA_DIR": "/proc/nowhere"}, "Name a directory of your own."),
        ([], {"ASSAY_DATA_DIR": __file__}, "Name a directory of your own."),
    ],
)
def test_quickstart_that_cannot_start_says_why(
    env: dict[str, str], arguments: list[str], settings: dict[str, str], said: str
) -> None:
    command = [sys.executable, "manage.py", "quickstart", *arguments]

    done = subprocess.run(command, env=env | settings, cwd=_CHECKOUT, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr.strip().endswith(said), "Traceback" in done.stderr) == (2, True, False)


def test_quickstart_told_to_stop_leaves_nothing_behind(quickstart: Quickstart, tmp_path: Path) -> None:
    process, said = quickstart("--port", _free_port())
    status = _status(said["address"])
    has_tools = _within(30, lambda: _status(said["mcp"].removesuffix("/mcp")) == 200)

    process.send_signal(signal.SIGINT)  # SIGTERM ends the next test
    code = process.wait(40)

    assert process.stderr
    assert (status, has_tools, code, process.stderr.read().splitlines()) == (200, True, 0, STEPS)
    assert [login["access"] for login in said["logins"]] == ["admin", "reviewer", "member"]
    assert _all(tmp_path) == []


def test_quickstart_after_kill_9_of_the_last_one_takes_over_its_port(quickstart: Quickstart, tmp_path: Path) -> None:
    port = _free_port()
    first, said_first = quickstart("--port", port)
    first.kill()
    first.wait()

    second, said_second = quickstart("--port", port)
    status = _status(said_second["address"])
    second.terminate()
    second.wait(40)

    assert (status, said_second) == (200, said_first)
    assert _all(tmp_path) == []


def test_quickstart_starts_again_what_dies(quickstart: Quickstart, tmp_path: Path) -> None:
    _, said = quickstart("--port", _free_port())
    web = next(one for one in _all(tmp_path) if "reviewer.wsgi:application" in one.cmdline())

    for process in [*web.children(recursive=True), web]:
        process.kill()

    assert _within(30, lambda: _status(said["address"]) == 200)


def test_quickstart_check_processes_the_demo_and_opens_the_pages(env: dict[str, str], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        command = [sys.executable, "manage.py", "quickstart", "--check", "--port", str(port)]
        done = subprocess.run(command, env=env, cwd=_CHECKOUT, stdout=subprocess.PIPE, text=True, check=False)
    found = json.loads(done.stdout)

    assert (done.returncode, found["ok"], found["processed"], found["worker_canary"]["alive"]) == (0, True, True, True)
    assert (found["address"] != f"http://127.0.0.1:{port}", _clock(env)) == (True, "2026-06-30")
    assert found["pages"].keys() == {"admin", "reviewer", "member"}
    assert min(found["facts"]["active"], found["open_conflicts"], sum(found["refused"].values())) > 0
    assert _all(tmp_path) == []


def test_quickstart_without_the_demo_lets_its_clock_go(
    quickstart: Quickstart, env: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "clock").write_text("2026-06-30")
    before = _clock(env)

    process, _said = quickstart("--port", _free_port())
    process.terminate()
    process.wait(40)

    assert (before, _clock(env)) == ("2026-06-30", "None")


def test_quickstart_port_taken_says_so(env: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        command = [sys.executable, "manage.py", "quickstart", "--port", str(port)]
        done = subprocess.run(command, env=env, cwd=_CHECKOUT, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (
        1,
        f"CommandError: Port {port} is taken; choose another with --port.\n",
    )


def _clock(env: dict[str, str]) -> str:
    """The day at which the clock of a command on the same data stands."""
    say = "from django.conf import settings as s; print(s.ASSAY_NOW and s.ASSAY_NOW.date())"
    command = [sys.executable, "-c", say]
    env = env | {"DJANGO_SETTINGS_MODULE": "reviewer.settings"}
    return subprocess.run(command, env=env, cwd=_CHECKOUT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def _all(root: Path) -> list[psutil.Process]:
    """Every process that was started with this data directory, directly or not."""
    found = []
    for process in psutil.process_iter(["environ", "status"]):
        data = (process.info["environ"] or {}).get("ASSAY_DATA_DIR", "")
        if data.startswith(str(root)) and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found


def _status(address: str) -> int:
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=5) as response:
            return int(response.status)
    except OSError:
        return 0


def _free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def _within(seconds: float, is_so: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if is_so():
            return True
        time.sleep(0.2)
    return False
