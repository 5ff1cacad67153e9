"""Celery workers to kill."""

import contextlib
import os
import random
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass
class Fleet:
    """Celery workers and a beat, each in a process group of its own, so that it dies as a whole."""

    env: Mapping[str, str]
    folder: Path
    size: int = 4
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    beat: subprocess.Popen[bytes] | None = None
    started: int = 0

    def __enter__(self) -> Self:
        self.beat = self._run("beat", "-s", str(self.folder / "schedule"), "--pidfile", "")
        for _ in range(self.size):
            self.hire()
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self.workers, *filter(None, [self.beat])]:
            self._kill(process)

    def hire(self) -> None:
        self.started += 1
        self.workers.append(self._run("worker", "-c", "1", "-n", f"chaos{self.started}@%h"))

    def kill_one(self) -> None:
        """Kills a worker with all its children, and starts another."""
        self._kill(self.workers.pop(random.randrange(len(self.workers))))
        self.hire()

    def _run(self, *command: str) -> subprocess.Popen[bytes]:
        with (self.folder / "fleet.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "celery", "-A", "reviewer", *command, "-l", "WARNING"],
                env=dict(self.env),
                cwd=ROOT,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @staticmethod
    def _kill(process: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
