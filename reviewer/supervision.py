"""Child processes that are started again when they die, and stopped with us, however we end."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

_SET_PARENT_DEATH_SIGNAL = 1  # prctl, Linux
_GIVE_UP_AFTER = 5  # deaths
_WITHIN = 60  # seconds


class GaveUp(Exception):
    """A child dies as fast as it is started."""


class Child:
    """One process in a session of its own, with a log file of its own."""

    def __init__(self, name: str, command: Sequence[str], *, env: Mapping[str, str], log: Path) -> None:
        self.name, self.log = name, log
        self._command, self._env = command, env
        self._deaths: list[float] = []
        self._process = self._start()

    def look_after(self) -> None:
        """Start it again if it has died. Raises GaveUp at the fifth death within a minute."""
        if self._process.poll() is None:
            return
        now = time.monotonic()
        self._deaths = [death for death in self._deaths if now - death < _WITHIN] + [now]
        self._kill_group()  # what it had started, as a server's workers, would hold its port
        if len(self._deaths) >= _GIVE_UP_AFTER:
            raise GaveUp(f"{self.name} keeps dying; its last words are in {self.log}")
        self._process = self._start()

    def ask_to_stop(self) -> None:
        """Have it finish what it does and stop."""
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()

    def await_stop(self, deadline: float) -> None:
        """Return when it is gone; past the deadline end it with all it has started."""
        try:
            self._process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._kill_group()
            self._process.wait()

    def _kill_group(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _start(self) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            return _launch(self._command, self._env, log)


def stop(children: Sequence[Child], *, patience: float = 20) -> None:
    """Stop all of them at once; `patience` in seconds, together."""
    for child in children:
        child.ask_to_stop()
    deadline = time.monotonic() + patience
    for child in children:
        child.await_stop(deadline)


def _launch(command: Sequence[str], env: Mapping[str, str], log: IO[bytes]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        start_new_session=True,  # a Ctrl-C is ours alone; we tell them in order
        preexec_fn=_end_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509 - no threads yet
    )


def _end_with_parent() -> None:
    """Have the kernel send SIGTERM when the parent is gone, even by SIGKILL."""
    ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
