"""A server killed in mid-run."""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from benchmarks.disturbing.talk import episodes
from benchmarks.disturbing.trial import RETURN_BAR, Trial
from benchmarks.disturbing.work import publish, store, unfinished


def run(*, size: int, take_down: Callable[[], None], called: str) -> dict[str, Any]:
    """A server killed in mid-run, and back soon after; work goes on by itself."""
    trial = Trial(f"{called}-", size)
    publish(store(name, episodes(n)) for n, name in enumerate(trial.names))
    time.sleep(2)
    take_down()
    _await_database()
    asked = time.monotonic()
    store(f"{called}-late", episodes(0))  # requests are accepted whether the broker is there or not
    accepted = time.monotonic() - asked
    seconds = trial.wait(seconds=180)
    different = trial.differences()
    return {
        "jobs": size,
        "accepted_in": round(accepted, 2),
        "done_after_return": round(seconds, 1),
        "different": different,
        "passed": not different and seconds <= RETURN_BAR,
    }


def _await_database() -> None:
    from django.db import OperationalError, connections  # noqa: PLC0415

    for _ in range(600):
        connections.close_all()
        with contextlib.suppress(OperationalError):
            unfinished("none")
            return
        time.sleep(0.1)


def server_pids(folder: Path) -> dict[str, int]:
    """The servers of the data directory: main processes alone."""
    postgres = int((folder / "postgres" / "postmaster.pid").read_text().splitlines()[0])
    valkeys = [p.pid for p in psutil.process_iter(["name", "cwd"]) if p.info["cwd"] == str(folder / "valkey")]
    return {"postgres": postgres, "valkey": valkeys[0]}
