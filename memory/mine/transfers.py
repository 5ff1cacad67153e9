"""Exports being made and files that were brought: rows in Postgres, their bytes in chunks beside them.

A transfer is worked on by whoever holds its lease. Each start raises its fence, so that a worker that was too slow
writes nothing; one whose worker was lost is taken up again. An erasure removes it, and ends the work on it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from memory import scope
from memory.errors import LeaseLost, NotFound, Refused
from memory.models import Transfer, TransferChunk
from memory.types import TransferKind, TransferState

CHUNK = 1 << 20
LEASE = timedelta(seconds=30)
GOOD_FOR = timedelta(days=1)
MAX_STARTS = 5
LISTING = 0
"""The chunk that lists what a file that was brought holds; its bytes begin at 1."""
OPEN = (TransferState.WAITING, TransferState.RUNNING)


@dataclass(frozen=True, slots=True)
class Hold:
    """The right to work on a transfer."""

    user_id: int
    transfer_id: int
    fence: int


def opened(user_id: int, kind: TransferKind, *, name: str = "") -> Transfer:
    """A new transfer that waits for a worker, good for a day; inside the scope, the user's row locked."""
    return Transfer.objects.create(
        user_id=user_id, kind=kind, name=name[:200], expires_at=timezone.now() + GOOD_FOR, created_at=timezone.now()
    )


def one(user_id: int, transfer_id: int) -> Transfer:
    """One of the person's own that has not run out. Raises NotFound. Inside the scope."""
    found = current(user_id).get(transfer_id)
    if found is None:
        raise NotFound("There is no such transfer, or its day is over.")
    return found


def current(user_id: int) -> dict[int, Transfer]:
    """The person's own that have not run out, the newest first. Inside the scope."""
    rows = Transfer.objects.filter(user=user_id, expires_at__gt=timezone.now()).order_by("-pk")
    return {row.pk: row for row in rows}


def drop(user_id: int, transfer_id: int) -> None:
    """Removes one with its bytes; whoever works on it stops. Gone already, it is gone. Inside the scope."""
    Transfer.objects.filter(user=user_id, pk=transfer_id).delete()


def take(user_id: int, transfer_id: int) -> tuple[Hold, Transfer] | None:
    """Takes a transfer that waits, or whose worker was lost; None when it is another's or done. Opens the scope."""
    with scope.user(user_id):
        row = Transfer.objects.select_for_update(skip_locked=True).filter(_takeable(), pk=transfer_id).first()
        if row is None:
            return None
        if row.fence >= MAX_STARTS:
            _fail(row.pk, "its worker was lost again and again")
            return None
        Transfer.objects.filter(pk=row.pk).update(
            state=TransferState.RUNNING, fence=F("fence") + 1, lease_until=Now() + LEASE
        )
        row.refresh_from_db()
        return Hold(user_id, row.pk, row.fence), row


def note(hold: Hold, **changes: object) -> None:
    """Says how far the work is and keeps the lease; inside the scope. Raises LeaseLost."""
    mine = Transfer.objects.filter(pk=hold.transfer_id, fence=hold.fence, state=TransferState.RUNNING)
    if not mine.update(lease_until=Now() + LEASE, **changes):
        raise LeaseLost("the transfer is another's by now, or is gone")


def finish(hold: Hold, state: TransferState, **changes: object) -> None:
    """Done, or shown to its person first. Opens the scope. Raises LeaseLost."""
    with scope.user(hold.user_id):
        note(hold, **({"state": state, "finished_at": Now()} | changes))


def fail(hold: Hold, why: str) -> None:
    """It could not be done; its bytes are of no use. Opens the scope."""
    with scope.user(hold.user_id):
        if Transfer.objects.filter(pk=hold.transfer_id, fence=hold.fence).exists():
            _fail(hold.transfer_id, why)


def _fail(transfer_id: int, why: str) -> None:
    Transfer.objects.filter(pk=transfer_id).update(
        state=TransferState.FAILED, error=why[:500], finished_at=Now(), lease_until=None
    )
    TransferChunk.objects.filter(transfer=transfer_id).delete()


def write(hold: Hold, n: int, data: bytes, **changes: object) -> None:
    """One chunk. Opens the scope. Raises LeaseLost."""
    with scope.user(hold.user_id):
        note(hold, **changes)
        TransferChunk.objects.create(user_id=hold.user_id, transfer_id=hold.transfer_id, n=n, data=data)


def clear(hold: Hold) -> None:
    """What an earlier start had written is of another moment. Opens the scope."""
    with scope.user(hold.user_id):
        note(hold, done=0)
        TransferChunk.objects.filter(user=hold.user_id, transfer=hold.transfer_id).delete()


def chunks(user_id: int, transfer_id: int) -> Iterator[bytes]:
    """The bytes, a chunk at a time, each in a scope of its own: nothing is held between two of them."""
    n = 1
    while True:
        with scope.user(user_id):
            row = TransferChunk.objects.filter(user=user_id, transfer=transfer_id, n=n).first()
        if row is None:
            return
        yield bytes(row.data)
        n += 1


def fetch(user_id: int, transfer_id: int) -> Iterator[bytes]:
    """The bytes of a finished export, once: they are gone when the last one is sent. Opens the scope.

    Raises NotFound when there is none, and Refused when it was fetched before.
    """
    with scope.user(user_id):
        row = one(user_id, transfer_id)
        ready = Transfer.objects.filter(pk=row.pk, kind=TransferKind.EXPORT, state=TransferState.DONE)
        if not ready.filter(fetched_at=None).update(fetched_at=Now()):
            raise Refused("It was fetched already, or is not ready.", reason="fetched")
    return _sent(user_id, transfer_id)


def _sent(user_id: int, transfer_id: int) -> Iterator[bytes]:
    yield from chunks(user_id, transfer_id)
    with scope.user(user_id):
        TransferChunk.objects.filter(user=user_id, transfer=transfer_id).delete()


def due(*, limit: int = 200) -> Sequence[tuple[int, int]]:
    """(user, transfer) of those that wait for a worker or have lost theirs."""
    with scope.staff():
        rows = Transfer.objects.filter(_takeable(), expires_at__gt=timezone.now())
        return list(rows.order_by("pk").values_list("user", "pk")[:limit])


def sweep() -> int:
    """Removes those whose day is over, and what is left of those that were fetched an hour ago; how many went."""
    long_ago = timezone.now() - timedelta(hours=1)
    with scope.staff():
        TransferChunk.objects.filter(transfer__fetched_at__lt=long_ago).delete()
        return Transfer.objects.filter(expires_at__lte=timezone.now()).delete()[0]


def _takeable() -> Q:
    lost = Q(state=TransferState.RUNNING, lease_until__lt=timezone.now())
    return Q(state=TransferState.WAITING) | lost
