"""Workers killed all along a run, every message repeated, the broker emptied half-way."""

import threading
import time
from collections.abc import Callable
from typing import Any

from benchmarks.disturbing.fleet import Fleet
from benchmarks.disturbing.talk import episodes
from benchmarks.disturbing.trial import RECOVERY_BAR, Trial
from benchmarks.disturbing.work import empty_broker, publish, store, unfinished


def run(fleet: Fleet, *, size: int, kills: int) -> dict[str, Any]:
    """Jobs whose messages all come thrice, whose workers are killed, and whose broker is emptied half-way."""
    trial = Trial("kill-", size)
    publish((store(name, episodes(n)) for n, name in enumerate(trial.names)), times=3)
    _disturb(fleet, trial, kills=kills)
    last = trial.wait(seconds=180)
    worst = max(trial.recoveries, default=0.0)
    return {
        "jobs": size,
        "kills": kills,
        "lost": unfinished(trial.prefix),
        "different": trial.differences(),
        "slowest_recovery": round(worst, 1),
        "all_done_after_last_kill": round(last, 1),
        "passed": worst <= RECOVERY_BAR and last < float("inf") and not trial.differences(),
    }


def _disturb(fleet: Fleet, trial: Trial, *, kills: int) -> None:
    """Kills workers at random all along the run, and empties the broker half-way."""
    watchers = []
    total = left = unfinished(trial.prefix)
    for number in range(kills):
        while left > total * (kills - number) / (kills + 1):
            time.sleep(0.1)
            left = unfinished(trial.prefix)
        fleet.kill_one()
        watchers.append(threading.Thread(target=_in_thread, args=(trial.watch_recovery,)))
        watchers[-1].start()
        if number == kills // 2:
            empty_broker()
    for watcher in watchers:
        watcher.join()


def _in_thread(work: Callable[[], None]) -> None:
    from django.db import connections  # noqa: PLC0415

    try:
        work()
    finally:
        connections.close_all()
