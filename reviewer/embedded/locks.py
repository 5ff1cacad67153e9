"""Who lives, kept by the kernel.

A lock (flock) ends with the last process that holds it, however that process ends, and a
reused process id means nothing to it. Children made by fork hold their parent's locks too.
"""

import fcntl
import os
from contextlib import ExitStack
from pathlib import Path


def shared(path: Path) -> int:
    """Hold `path` together with others; waits while someone holds it alone."""
    return _lock(path, fcntl.LOCK_SH)


def alone(path: Path) -> int:
    """Hold `path` alone; waits for everyone else to let go."""
    return _lock(path, fcntl.LOCK_EX)


def try_alone(path: Path) -> int | None:
    """Hold `path` alone if nobody else holds it just now."""
    try:
        return _lock(path, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return None


def is_held(path: Path) -> bool:
    """Whether anybody holds `path`, alone or together."""
    return not _try(path, fcntl.LOCK_EX)


def is_held_alone(path: Path) -> bool:
    """Whether one process holds `path` alone. Looking is no hindrance to others who look."""
    return not _try(path, fcntl.LOCK_SH)


def _try(path: Path, kind: int) -> bool:
    try:
        os.close(_lock(path, kind | fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def _lock(path: Path, operation: int) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    with ExitStack() as unless_locked:
        unless_locked.callback(os.close, descriptor)
        fcntl.flock(descriptor, operation)
        unless_locked.pop_all()
    return descriptor
