"""Keeps what one holds for a while: one thread a process renews the leases of all who wait for something slow."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache

from django.db import DatabaseError, InterfaceError, connection

from memory.errors import LeaseLost

EVERY_SECONDS = 4.0


class Keeper:
    """Calls what it was given again and again, `every` so many seconds, until its block is left or the lease lost.

    A thread a block would cost a millisecond each.
    """

    def __init__(self, every: float) -> None:
        self._every = every
        self._beats: dict[object, Callable[[], None]] = {}
        threading.Thread(target=self._keep, daemon=True).start()

    @contextmanager
    def keep(self, beat: Callable[[], None]) -> Iterator[None]:
        """`beat` renews what is held while the block runs. It is called in another thread; LeaseLost ends it."""
        key = object()
        self._beats[key] = beat
        try:
            yield
        finally:
            self._beats.pop(key, None)

    def _keep(self) -> None:
        while True:
            time.sleep(self._every)
            if self._beats:
                self._beat_all()

    def _beat_all(self) -> None:
        for key, beat in list(self._beats.items()):
            try:
                beat()
            except LeaseLost:
                self._beats.pop(key, None)
            except (DatabaseError, InterfaceError):
                continue  # away for a moment, perhaps: a lease outlives several beats
        with suppress(DatabaseError, InterfaceError):
            connection.close()


@cache
def _keeper(_process: int) -> Keeper:
    return Keeper(EVERY_SECONDS)


def keeper() -> Keeper:
    """The process's own. By process id, since a forked worker inherits no thread."""
    return _keeper(os.getpid())
