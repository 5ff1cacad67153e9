"""Everything a first look needs, from one command: services, worker, site, demo."""

import os
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

from memory import demo
from memory.models.users import Access
from reviewer import embedded, environment
from reviewer.supervision import Child, GaveUp, stop

__all__ = ["GaveUp", "PortTaken", "Stopped", "free_port", "load", "port_beside", "serve", "stop_on_signals", "wait"]

type Say = Callable[[str], object]
"""Tells whoever waits at the terminal what is being done."""

_HOST = "127.0.0.1"
_PATIENCE = 60  # seconds until the site must answer


class PortTaken(Exception):
    """Somebody else listens on the port asked for."""


class Stopped(Exception):
    """We were told to stop."""


def free_port(port: int, *, is_strict: bool) -> int:
    """`port`, given a moment to become free; if it is taken another one, or PortTaken when strict."""
    deadline = time.monotonic() + (5 if is_strict else 0)
    while not _is_free(port):
        if time.monotonic() > deadline:
            if is_strict:
                raise PortTaken(f"Port {port} is taken; choose another with --port.")
            return _any_port()
        time.sleep(0.2)
    return port


def port_beside(port: int) -> int:
    """The next one, for the tools; another when it stays taken."""
    try:
        return free_port(port + 1, is_strict=True)
    except PortTaken:
        return _any_port()


def load(*, has_demo: bool, say: Say) -> Sequence[demo.Login]:
    """Migrates and makes the three logins, with the demo's people and conversations unless told not to."""
    if settings.DATABASES["default"]["ENGINE"] == embedded.ENGINE:
        say("Starting Postgres and Valkey …")
        embedded.ensure()
    say("Making the tables …")
    call_command("migrate", verbosity=0, interactive=False)
    home = embedded.current()
    _set_clock(home, has_demo=has_demo)
    passwords = {access: home.secret(f"login_{access}") for access in Access}
    if not has_demo:
        return demo.logins(passwords)
    say("Storing the demo’s conversations …")
    return demo.load(passwords)


def _set_clock(home: embedded.Home, *, has_demo: bool) -> None:
    """The demo is looked at on its own day: by this process, its children and all commands beside them."""
    if has_demo:
        home.clock.write_text(demo.NOW.isoformat(), encoding="utf-8")
    else:
        home.clock.unlink(missing_ok=True)
    settings.ASSAY_NOW = environment.now(environment.read(os.environ), home.clock)


@contextmanager
def serve(port: int, *, mcp_port: int, say: Say) -> Iterator[Sequence[Child]]:
    """Runs worker, beat, site and tools until the block ends."""
    say("Starting the site, its workers and the tools …")
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    logs = Path(settings.DATA_DIR) / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    children: list[Child] = []
    try:
        for name, command in _commands(port, mcp_port).items():
            children.append(Child(name, command, env=env, log=logs / f"{name}.log"))
        _await_site(port, children)
        yield children
    finally:
        say("Stopping the site, its workers and the tools …")
        stop(children)


def wait(children: Sequence[Child], *, has_demo: bool, say: Say) -> None:
    """Looks after the children until a signal comes. Once the demo is read there is something to label."""
    is_offered = not has_demo
    if has_demo and demo.is_being_read():
        say("The worker is reading the demo’s conversations: pages fill as it goes.")
    while True:
        for child in children:
            child.look_after()
        if not is_offered and not demo.is_being_read():
            is_offered = True
            say("The demo is read." if demo.begin_review() else "The demo was read before.")
        time.sleep(0.5)


def stop_on_signals() -> None:
    """Turns Ctrl-C, SIGTERM and a closed terminal into Stopped, once; a second one is ignored while we tidy up."""

    def stop_once(*_: object) -> None:
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)
        raise Stopped

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for number in numbers:
        signal.signal(number, stop_once)


def _commands(port: int, mcp_port: int) -> dict[str, list[str]]:
    celery = [sys.executable, "-m", "celery", "--app=reviewer"]
    granian = [sys.executable, "-m", "granian", "--interface=wsgi", f"--host={_HOST}", f"--port={port}"]
    return {
        "worker": [*celery, "worker", "--concurrency=2", "--loglevel=WARNING", "--hostname=quickstart@%h"],
        "beat": [*celery, "beat", "--loglevel=WARNING"],
        "mcp": [sys.executable, "manage.py", "mcp", "--http", f"--host={_HOST}", f"--port={mcp_port}"],
        "web": [*granian, "--blocking-threads=8", "reviewer.wsgi:application"],
    }


def _await_site(port: int, children: Sequence[Child]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        for child in children:
            child.look_after()
        try:
            urllib.request.urlopen(f"http://{_HOST}:{port}/healthz", timeout=5).close()
        except (OSError, urllib.error.URLError):
            time.sleep(0.2)
        else:
            return
    raise GaveUp(f"The site did not answer within {_PATIENCE} s; see {children[-1].log}")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_HOST, port))
        except OSError:
            return False
    return True


def _any_port() -> int:
    with socket.socket() as probe:
        probe.bind((_HOST, 0))
        return int(probe.getsockname()[1])
