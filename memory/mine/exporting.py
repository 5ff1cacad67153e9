"""Making a member's export in the background: the one snapshot, written in chunks as it comes, with its progress."""

import threading
from collections.abc import Iterator
from queue import Queue

from django.db import connection

from memory import portability, scope
from memory.forgetting.outdating import lock
from memory.mine import transfers
from memory.mine.transfers import CHUNK, Hold
from memory.models import Fact, Transfer
from memory.portability.registry import SECTIONS
from memory.types import TransferKind, TransferState

TOLD_EVERY = 500
"""Rows between two words on how far it is."""
AHEAD = 64
"""Parts that may be made before they are written."""


def ask(user_id: int) -> Transfer:
    """An export that waits for a worker, in the place of an earlier one; while one is being made, that one.

    Opens the scope.
    """
    with scope.user(user_id):
        lock(user_id)
        found = [row for row in transfers.current(user_id).values() if row.kind == TransferKind.EXPORT]
        busy = [row for row in found if row.state in transfers.OPEN]
        if busy:
            return busy[0]
        Transfer.objects.filter(user=user_id, pk__in=[row.pk for row in found]).delete()
        return transfers.opened(user_id, TransferKind.EXPORT)


def make(hold: Hold) -> None:
    """Makes it anew from the beginning: an export is of one moment. Raises LeaseLost when it is another's, or gone."""
    transfers.clear(hold)
    with scope.user(hold.user_id):
        transfers.note(hold, total=_rows(hold.user_id))
    made = _Made(hold.user_id)
    size = 0
    try:
        for n, data in enumerate(_told(hold, made), start=1):
            transfers.write(hold, n, data, done=made.count)
            size += len(data)
    finally:
        made.stop()
    transfers.finish(hold, TransferState.DONE, done=made.count, total=made.count, summary={"bytes": size})


def _told(hold: Hold, made: "_Made") -> Iterator[bytes]:
    """The bytes in chunks; between two chunks that are far apart says how far it is."""
    buffer, told = bytearray(), 0
    for data in made:
        buffer += data
        if made.count - told >= TOLD_EVERY:
            told = made.count
            with scope.user(hold.user_id):
                transfers.note(hold, done=told)
        while len(buffer) >= CHUNK:
            yield bytes(buffer[:CHUNK])
            del buffer[:CHUNK]
    yield bytes(buffer)


def _rows(user_id: int) -> int:
    """About how many steps it will take: one a row, and two more a fact for the table and the page."""
    counts = [model._default_manager.filter(user=user_id).count() for model in SECTIONS.values()]
    return sum(counts) + 2 * Fact.objects.filter(user=user_id).count()


class _Made:
    """The export's bytes from a thread of its own: its snapshot stays open there while chunks are committed here."""

    def __init__(self, user_id: int) -> None:
        self.count = 0
        self._queue: Queue[bytes | Exception | None] = Queue(AHEAD)
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._make, args=(user_id,), daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[bytes]:
        while True:
            data = self._queue.get()
            if isinstance(data, Exception):
                raise data
            if data is None:
                return
            self.count += 1
            yield data

    def stop(self) -> None:
        """Ends the thread, whether it is done or not."""
        self._is_over.set()
        while self._thread.is_alive():
            while not self._queue.empty():
                self._queue.get()
            self._thread.join(0.05)

    def _make(self, user_id: int) -> None:
        try:
            for data in portability.export(user_id):
                if self._is_over.is_set():
                    return
                self._queue.put(data)
            self._queue.put(None)
        except Exception as error:  # noqa: BLE001 - handed to whoever waits for the bytes
            self._queue.put(error)
        finally:
            connection.close()
