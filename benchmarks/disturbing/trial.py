"""One run with disturbances, and what it took."""

import time
from dataclasses import dataclass, field

from benchmarks.disturbing.talk import episodes
from benchmarks.disturbing.work import memory_of, running, undisturbed, unfinished

RECOVERY_BAR = 40.0  # seconds, after a worker was killed
RETURN_BAR = 60.0  # seconds, after the broker or the database came back


@dataclass
class Trial:
    """The people of one run, and how fast they recovered."""

    prefix: str
    size: int
    recoveries: list[float] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return [f"{self.prefix}{n}" for n in range(self.size)]

    def is_done(self) -> bool:
        return unfinished(self.prefix) == 0

    def wait(self, *, seconds: float) -> float:
        """Until all is done; how long that took, infinite if it did not get there."""
        start = time.monotonic()
        while not self.is_done():
            if time.monotonic() - start > seconds:
                return float("inf")
            time.sleep(0.1)
        return time.monotonic() - start

    def watch_recovery(self, *, seconds: float = 90.0) -> None:
        """Until every job that ran a moment ago has ended or been taken over."""
        before, start = running(), time.monotonic()
        while before & running():
            if time.monotonic() - start > seconds:
                self.recoveries.append(float("inf"))
                return
            time.sleep(0.1)
        self.recoveries.append(time.monotonic() - start)

    def differences(self) -> list[str]:
        """Whose memory is not that of their twin."""
        twins = undisturbed(self.names, episodes, stands_for=self.prefix)
        return [name for name in self.names if memory_of(name) != twins[name]]
