"""Postgres and Valkey for whoever configured neither.

Started by the first process that connects, shared by all that use the same data directory,
stopped when the last of them is gone. See docs/decisions/0001-embedded-services.md.
"""

import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from reviewer.embedded import locks
from reviewer.embedded.home import Home, current
from reviewer.embedded.server import ServerFailed, tail

__all__ = ["ENGINE", "Home", "ServerFailed", "Services", "current", "ensure", "is_held", "release"]

ENGINE = "reviewer.embedded.database"
"""What Django's settings call a database of these servers."""
_PATIENCE = 120  # seconds; the very first start makes the database's files
_held: dict[Path, int] = {}
_holding = threading.Lock()


@dataclass(frozen=True, slots=True)
class Services:
    """Where the servers of a data directory listen, on 127.0.0.1."""

    home: Home
    postgres_port: int
    valkey_port: int

    def database_url(self, login: str, database: str = "assay") -> str:
        """The URL for a login: assay_app, assay_owner, or postgres for the superuser."""
        password = self.home.secret("postgres_admin" if login == "postgres" else f"postgres_{login}")
        return f"postgresql://{login}:{password}@127.0.0.1:{self.postgres_port}/{database}"

    def broker_url(self, number: int = 0) -> str:
        """The URL of one of Valkey's databases."""
        return f"redis://:{self.home.secret('valkey')}@127.0.0.1:{self.valkey_port}/{number}"


def ensure(home: Home | None = None) -> Services:
    """Have the servers run as long as this process does, and say where.

    Cheap when they run already. Raises ServerFailed when they will not come up.
    """
    home = home or current()
    with _holding:
        if home.root not in _held:
            home.prepare()
            _held[home.root] = locks.shared(home.lives)
    services = _running(home)
    if services is None:
        mutex = locks.alone(home.start)
        try:
            services = _running(home) or _start(home)
        finally:
            os.close(mutex)
    return services


def is_held(home: Home | None = None) -> bool:
    """Whether this process keeps the servers running."""
    return (home or current()).root in _held


def release(home: Home | None = None, *, wait: float = 30) -> None:
    """Let go of the servers early; returns when they have stopped, or at once if others use them."""
    home = home or current()
    descriptor = _held.pop(home.root, None)
    if descriptor is None:
        return
    os.close(descriptor)
    deadline = time.monotonic() + wait
    while locks.is_held_alone(home.keeper) and not _is_used(home) and time.monotonic() < deadline:
        time.sleep(0.05)


def _is_used(home: Home) -> bool:
    """Whether others use the servers; a keeper busy stopping them holds the lock alone."""
    return locks.is_held(home.lives) and not locks.is_held_alone(home.lives)


def _running(home: Home) -> Services | None:
    if not locks.is_held_alone(home.keeper):
        return None
    try:
        ports = json.loads(home.ready.read_text())
    except FileNotFoundError:
        return None
    return Services(home, postgres_port=ports["postgres"], valkey_port=ports["valkey"])


def _start(home: Home) -> Services:
    """Start a keeper unless one is at it, and wait for its servers."""
    deadline = time.monotonic() + _PATIENCE
    is_started = False
    while time.monotonic() < deadline:
        is_started = is_started or _spawn(home)
        services = _running(home)
        if services is not None:
            return services
        if is_started and not locks.is_held_alone(home.keeper):
            break
        time.sleep(0.02)
    raise ServerFailed(f"The embedded servers in {home.root} did not start:\n{tail(home.keeper_log)}")


def _spawn(home: Home) -> bool:
    """Run a keeper, handing it the lock it is known by; False if there is one already.

    It goes through a shell that ends at once, so that it is nobody's child: no starter has to
    take leave of it.
    """
    lock = locks.try_alone(home.keeper)
    if lock is None:
        return False
    home.ready.unlink(missing_ok=True)
    keeper = [sys.executable, "-m", "reviewer.embedded.keeper", str(home.root), str(lock)]
    try:
        with home.keeper_log.open("wb") as log:
            subprocess.run(
                ["/bin/sh", "-c", '"$@" &', "sh", *keeper],
                check=True,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=Path(__file__).resolve().parent.parent.parent,
                pass_fds=[lock],
                start_new_session=True,
            )
    finally:
        os.close(lock)
    return True
