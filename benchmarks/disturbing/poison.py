"""A job that kills whoever works on it."""

import time
from typing import Any

from benchmarks.disturbing.talk import POISON, episodes
from benchmarks.disturbing.trial import RETURN_BAR, Trial
from benchmarks.disturbing.work import publish, store, unfinished


def run(*, beside: int) -> dict[str, Any]:
    """A job that kills its worker at the same step each time, among healthy ones."""
    from memory import scope  # noqa: PLC0415
    from memory.models import Episode, Job  # noqa: PLC0415

    poisoned = store("poison-0", [[POISON]])
    trial = Trial("beside-", beside)
    publish([poisoned, *(store(name, episodes(n)) for n, name in enumerate(trial.names))])
    healthy = trial.wait(seconds=120)
    deadline = time.monotonic() + 180
    while unfinished("poison-") and time.monotonic() < deadline:
        time.sleep(0.5)
    with scope.staff():
        job = Job.objects.get(user=poisoned)
        episode = Episode.objects.get(user=poisoned)
    return {
        "state": str(job.state),
        "why": job.error,
        "healthy_done_after": round(healthy, 1),
        "passed": (job.state, episode.state) == ("failed", "failed")
        and "3 times" in job.error
        and healthy < RETURN_BAR,
    }
