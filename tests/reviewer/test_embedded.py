"""Real servers in directories of their own, used by real processes that are killed in every way."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
import redis

from reviewer import embedded
from reviewer.embedded.home import Home

_CHECKOUT = Path(__file__).parent.parent.parent
_USE = """
import json, pathlib, sys, time
from reviewer import embedded
from reviewer.embedded.home import Home
services = embedded.ensure(Home(pathlib.Path(sys.argv[1])))
print(json.dumps([services.postgres_port, services.valkey_port]), flush=True)
sys.stdin.read()
"""

_SERVERS = ("postgres", "valkey-server")

type Starter = Callable[[], subprocess.Popen[str]]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    yield Home(tmp_path / "data")
    for process in _servers(tmp_path):
        with suppress(psutil.NoSuchProcess):
            process.kill()


@pytest.fixture
def start(home: Home) -> Iterator[Starter]:
    """Starts a process that uses the servers until its standard input ends; returns when it has them."""
    users: list[subprocess.Popen[str]] = []

    def start_one() -> subprocess.Popen[str]:
        command = [sys.executable, "-c", _USE, str(home.root)]
        user = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=_CHECKOUT, env={**os.environ}
        )
        users.append(user)
        assert user.stdout
        assert len(json.loads(user.stdout.readline() or "[]")) == 2
        return user

    yield start_one
    for user in users:
        user.kill()
        user.communicate()


def test_ensure_two_processes_share_the_servers(home: Home, start: Starter) -> None:
    start()
    before = _pids(home)

    start()

    assert _pids(home) == before


def test_ensure_eight_processes_at_once_start_one_of_each(home: Home) -> None:
    command = [sys.executable, "-c", _USE, str(home.root)]
    started = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=_CHECKOUT)
        for _ in range(8)
    ]

    answers = {user.stdout.readline() for user in started if user.stdout}

    assert len(answers) == 1
    assert sorted(process.name() for process in _parents(home)) == ["postgres", "valkey-server"]
    for user in started:
        user.communicate()


def test_servers_stop_after_the_last_one_out(home: Home, start: Starter) -> None:
    first, second = start(), start()

    first.communicate()
    time.sleep(0.5)
    is_running_between = _is_up(home)
    second.communicate()

    assert is_running_between
    assert _stops(home)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_servers_outlive_their_starter_while_another_uses_them(
    home: Home, start: Starter, number: signal.Signals
) -> None:
    starter, _ = start(), start()
    before = _pids(home)

    starter.send_signal(number)
    starter.wait(5)
    time.sleep(0.5)

    assert _pids(home) == before
    assert _is_up(home)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_servers_stop_when_their_only_user_is_ended(home: Home, start: Starter, number: signal.Signals) -> None:
    user = start()

    user.send_signal(number)

    assert _stops(home)


def test_ensure_after_everything_was_killed_finds_what_was_written(home: Home, start: Starter) -> None:
    user = start()
    _write(home)
    for process in [psutil.Process(user.pid), *_servers(home.root)]:
        process.kill()
    user.wait(5)

    start()

    assert _read(home) == ("kept", b"kept")


def test_ensure_after_the_keeper_was_killed_goes_on_with_the_running_servers(home: Home, start: Starter) -> None:
    first = start()
    before = _pids(home)
    _keeper(home).kill()

    second = start()
    is_adopted = _pids(home) == before
    first.communicate()
    second.communicate()

    assert is_adopted
    assert _stops(home)


def test_ensure_with_a_pid_file_that_names_a_stranger_starts_postgres(home: Home, start: Starter) -> None:
    start().communicate()
    assert _stops(home)
    stale = f"{os.getpid()}\n{home.postgres}\n1\n5432\n\n127.0.0.1\n1 1\nready\n"
    (home.postgres / "postmaster.pid").write_text(stale)
    (home.valkey / "server.pid").write_text(str(os.getpid()))

    start()

    assert _is_up(home)


@pytest.mark.parametrize("name", ["postgres", "valkey-server"])
def test_keeper_starts_a_server_that_died_again_at_the_same_place(home: Home, start: Starter, name: str) -> None:
    start()
    before = home.ready.read_text()
    _write(home)

    next(process for process in _parents(home) if process.name() == name).kill()

    assert _within(10, lambda: _is_up(home) and len(_parents(home)) == 2)
    assert home.ready.read_text() == before
    assert _read(home) == ("kept", b"kept")


def test_secrets_and_data_are_closed_to_others(home: Home, start: Starter) -> None:
    start()

    files = [*(home.root / "secrets").iterdir(), home.valkey / "valkey.conf", home.postgres / "postgresql.conf"]

    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert {path.stat().st_mode & 0o777 for path in (home.postgres, home.valkey)} == {0o700}
    assert home.root.stat().st_mode & 0o066 == 0


def test_servers_refuse_a_wrong_password(home: Home, start: Starter) -> None:
    start()
    services = embedded.ensure(home)
    embedded.release(home, wait=0)

    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(f"postgresql://assay_app:wrong@127.0.0.1:{services.postgres_port}/assay")
    with redis.Redis(port=services.valkey_port) as broker, pytest.raises(redis.AuthenticationError):
        broker.ping()


def _services(home: Home) -> embedded.Services:
    ports = json.loads(home.ready.read_text())
    return embedded.Services(home, postgres_port=ports["postgres"], valkey_port=ports["valkey"])


def _write(home: Home) -> None:
    with psycopg.connect(_services(home).database_url("assay_owner")) as connection:
        connection.execute("CREATE TABLE note AS SELECT 'kept' AS text")
    with redis.Redis.from_url(_services(home).broker_url()) as broker:
        broker.set("note", "kept")
        time.sleep(1.2)  # the append-only file goes to disk every second


def _read(home: Home) -> tuple[str, bytes]:
    with psycopg.connect(_services(home).database_url("assay_owner")) as connection:
        row = connection.execute("SELECT text FROM note").fetchone()
    with redis.Redis.from_url(_services(home).broker_url()) as broker:
        return (row or ("",))[0], broker.get("note")


def _is_up(home: Home) -> bool:
    try:
        psycopg.connect(_services(home).database_url("assay_app"), connect_timeout=2).close()
        with redis.Redis.from_url(_services(home).broker_url()) as broker:
            return bool(broker.ping())
    except (psycopg.OperationalError, redis.ConnectionError, FileNotFoundError):
        return False


def _servers(root: Path) -> list[psutil.Process]:
    """Every process that runs for this directory: servers, their children, the keeper."""
    return [process for process in psutil.process_iter(["name", "cwd", "cmdline"]) if _is_server(process.info, root)]


def _is_server(info: dict[str, Any], root: Path) -> bool:
    is_keeper = "reviewer.embedded.keeper" in (info["cmdline"] or []) and any(
        str(root) in one for one in info["cmdline"]
    )
    return is_keeper or (info["name"] in _SERVERS and (info["cwd"] or "").startswith(str(root)))


def _parents(home: Home) -> list[psutil.Process]:
    """The servers themselves, without the processes they made."""
    ours = [process for process in _servers(home.root) if process.info["name"] in _SERVERS]
    return [process for process in ours if process.ppid() not in {one.pid for one in ours}]


def _pids(home: Home) -> list[int]:
    return sorted(process.pid for process in _parents(home))


def _keeper(home: Home) -> psutil.Process:
    return next(one for one in _servers(home.root) if one.info["name"] not in _SERVERS)


def _stops(home: Home) -> bool:
    return _within(10, lambda: not _servers(home.root))


def _within(seconds: float, is_so: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if is_so():
            return True
        time.sleep(0.1)
    return False
