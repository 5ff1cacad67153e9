"""One embedded server: started apart from its starter, found again after any crash, stopped cleanly."""

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil


class ServerFailed(Exception):
    """An embedded server did not come up; the text ends with what its log says."""


def find(name: str, directory: Path, *, pid: int | None) -> psutil.Process | None:
    """The running server of `directory`, if process `pid` is one.

    Its program and working directory are looked at, since the number may be someone else's by now.
    """
    if pid is None:
        return None
    try:
        process = psutil.Process(pid)
        if process.name() == name and Path(process.cwd()) == directory.resolve():
            return process
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return None
    return None


def launch(command: Sequence[str], *, log: Path, account: str | None) -> psutil.Process:
    """Run a server in a session of its own, so that a Ctrl-C meant for its starter spares it."""
    with log.open("ab") as output:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=log.parent,
            start_new_session=True,
            user=account,
            group=account,
            extra_groups=[] if account else None,
        )
    return psutil.Process(child.pid)


def is_alive(process: psutil.Process) -> bool:
    """Whether it still runs; also takes leave of it (as its parent must) if it does not.

    A server found rather than started has another parent, which may never take leave of it.
    """
    try:
        process.wait(timeout=0)
    except psutil.TimeoutExpired:
        with contextlib.suppress(psutil.NoSuchProcess):
            return bool(process.status() != psutil.STATUS_ZOMBIE)
    return False


def wait_until(is_ready: Callable[[], bool], process: psutil.Process, *, log: Path, seconds: float = 60) -> None:
    """Return once `is_ready`; raise ServerFailed if the process ends or the time is over."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if is_ready():
            return
        if not is_alive(process):
            break
        time.sleep(0.02)
    raise ServerFailed(f"{process} did not come up:\n{tail(log)}")


def stop(process: psutil.Process, signals: Sequence[signal.Signals], *, patience: float = 20) -> None:
    """Ask with each signal in turn, politest first, until it is gone."""
    for number in (*signals, signal.SIGKILL):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(number)
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if not is_alive(process):
                return
            time.sleep(0.02)


def free_port(wanted: int | None) -> int:
    """`wanted` if nobody listens there, else any free port on the loopback address."""
    for port in (wanted or 0, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise ServerFailed("no free port on 127.0.0.1")


def tail(log: Path, lines: int = 15) -> str:
    """The end of a log file, for an error message."""
    if not log.exists():
        return "(no log)"
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])


def read_number(path: Path, *, line: int = 0) -> int | None:
    """The number on that line of a file, or None if it has none."""
    try:
        return int(path.read_text(errors="replace").splitlines()[line])
    except (FileNotFoundError, IndexError, ValueError):
        return None


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
