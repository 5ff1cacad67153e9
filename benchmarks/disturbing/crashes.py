"""Makers that die between commit and publish."""

from typing import Any

from benchmarks.disturbing.talk import episodes
from benchmarks.disturbing.trial import Trial
from benchmarks.disturbing.work import store_and_die


def run(*, size: int) -> dict[str, Any]:
    """Makers that die between commit and publish, every one of them: the sweep finds the work."""
    trial = Trial("crash-", size)
    for n, name in enumerate(trial.names):
        store_and_die(name, episodes(n))
    seconds = trial.wait(seconds=300)
    different = trial.differences()
    return {"exits": size, "seconds": round(seconds, 1), "different": different, "passed": not different}
