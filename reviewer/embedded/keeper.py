"""The keeper: one small process that starts both servers, minds them, and stops them when nobody is left.

    python -m reviewer.embedded.keeper DATA_DIR LOCK_DESCRIPTOR

It lives apart from whoever had it started, so that no way of ending a process (SIGTERM and
SIGKILL included) leaves servers running behind the last one out.
"""

import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import psutil

from reviewer.embedded import locks, postgres, server, valkey
from reviewer.embedded.home import Home

_LOOK_EVERY = 0.2  # seconds

type _Start = Callable[[Home], tuple[psutil.Process, int]]
_STARTS: dict[str, _Start] = {"postgres": postgres.start, "valkey": valkey.start}
_STOPS = {"postgres": postgres.stop, "valkey": valkey.stop}


def keep(home: Home, *, told_to_stop: threading.Event) -> None:
    """Run the servers until the last user is gone or we are told to stop."""
    running: dict[str, psutil.Process] = {}
    alone: int | None = None
    try:
        _start_missing(home, running)
        while alone is None and not told_to_stop.wait(_LOOK_EVERY):
            _start_missing(home, running)
            alone = locks.try_alone(home.lives)
    finally:
        home.ready.unlink(missing_ok=True)
        for name, process in running.items():
            _STOPS[name](process)


def _start_missing(home: Home, running: dict[str, psutil.Process]) -> None:
    """Start what does not run (again, if it has died) and tell where all of it listens."""
    missing = [name for name in _STARTS if name not in running or not server.is_alive(running[name])]
    if not missing:
        return
    ports = json.loads(home.ready.read_text()) if home.ready.exists() else {}
    for name in missing:
        running[name], ports[name] = _start(name, home)
    if "provisioned" not in ports:
        _provision(home, ports["postgres"])
        ports["provisioned"] = True
    draft = home.ready.with_suffix(".draft")
    draft.write_text(json.dumps(ports))
    draft.replace(home.ready)


def _start(name: str, home: Home) -> tuple[psutil.Process, int]:
    """Tries thrice: another program may have taken the port that was free a moment ago."""
    for _ in range(2):
        with contextlib.suppress(server.ServerFailed):
            return _STARTS[name](home)
    return _STARTS[name](home)


def _provision(home: Home, port: int) -> None:
    from reviewer import provision  # noqa: PLC0415 - psycopg takes longer to import than a server to be found

    provision.provision(
        f"postgresql://postgres:{home.secret('postgres_admin')}@127.0.0.1:{port}/postgres",
        database="assay",
        passwords={name: home.secret(f"postgres_{name}") for name in provision.LOGINS},
    )


def main() -> None:
    """Keep the servers of the data directory named on the command line."""
    home = Home(Path(sys.argv[1]))
    # Inherited with its lock; from here on no server we start may inherit it in turn.
    os.set_inheritable(int(sys.argv[2]), False)
    told_to_stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda _number, _frame: told_to_stop.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    keep(home, told_to_stop=told_to_stop)


if __name__ == "__main__":
    main()
