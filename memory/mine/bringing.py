"""A member's export of ChatGPT or Claude: looked through, shown to them, and learnt from once they have chosen.

The file stands in chunks until it is learnt; nothing of it is stored as theirs before they say so.
"""

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import batched
from pathlib import Path

from memory import importing, ingest, jobs, scope, text
from memory.errors import EpisodeConflict, MemoryPaused, NotFound, Refused, Unreadable
from memory.forgetting.outdating import lock
from memory.importing import Broken, shapes, sources
from memory.incoming import IncomingEpisode
from memory.mine import transfers
from memory.mine.transfers import LISTING, Hold
from memory.models import Transfer, TransferChunk, User
from memory.types import Role, TransferKind, TransferState

LARGEST = 256 << 20
MOST = 10_000
"""Conversations in one file."""
AT_ONCE = 25
SHOWN = 100
"""Characters by which a conversation is known again."""
TOLD_EVERY = 4 << 20
FORMATS = ("chatgpt", "claude")


@dataclass(frozen=True, slots=True)
class Listed:
    """One conversation in a file, as its person is shown it. `first` and `last` are days, "" where none is told."""

    key: str
    begins: str
    turns: int
    first: str
    last: str


def receive(user_id: int, parts: Iterable[bytes], *, name: str) -> Transfer:
    """Keeps a file that came, in the place of one that waits for a yes. Opens scopes of its own.

    Raises Refused when it is empty or too large, or another is being learnt from; nothing is kept then.
    """
    hold = _opened(user_id, name)
    try:
        size = _keep(hold, parts)
    except Refused:
        with scope.user(user_id):
            transfers.drop(user_id, hold.transfer_id)
        raise
    transfers.finish(hold, TransferState.WAITING, total=size, summary={"bytes": size}, finished_at=None)
    with scope.user(user_id):
        return transfers.one(user_id, hold.transfer_id)


def look(hold: Hold, row: Transfer) -> None:
    """Lists what the file holds, for its person to choose from. Raises Unreadable with a code, or LeaseLost."""
    if "bytes" not in row.summary:
        raise Unreadable("incomplete")
    found: dict[str, Listed] = {}
    broken = 0
    with _file(hold) as path:
        kind = _format(path)
        for record in importing.read(path, on_bytes=_teller(hold, "done"), user=_user(hold).external_id):
            broken += isinstance(record, Broken)
            if isinstance(record, IncomingEpisode):
                _list(found, record)
            if len(found) > MOST:
                raise Unreadable("too_many")
    if not found:
        raise Unreadable("nothing")
    listing = json.dumps([asdict(one) for one in found.values()]).encode()
    with scope.user(hold.user_id):
        TransferChunk.objects.filter(user=hold.user_id, transfer=hold.transfer_id, n=LISTING).delete()
    transfers.write(hold, LISTING, listing)
    summary = row.summary | {"conversations": len(found), "turns": sum(one.turns for one in found.values())}
    transfers.finish(hold, TransferState.PREVIEWED, summary=summary | {"broken": broken}, format=kind, done=0, total=0)


def listing(user_id: int, transfer_id: int) -> list[Listed]:
    """What a file holds that waits for a yes. Raises NotFound. Inside the scope."""
    row = transfers.one(user_id, transfer_id)
    chunk = TransferChunk.objects.filter(user=user_id, transfer=row, n=LISTING).first()
    if row.state != TransferState.PREVIEWED or chunk is None:
        raise NotFound("There is nothing to choose from.")
    return [Listed(**one) for one in json.loads(bytes(chunk.data))]


def choose(user_id: int, transfer_id: int, chosen: Sequence[int] | None) -> None:
    """The person's yes: to these by their place in the list, or to all. Said twice, it is said once. Opens the scope.

    Raises NotFound, Refused when nothing was chosen, and MemoryPaused.
    """
    with scope.user(user_id):
        user, row = lock(user_id), transfers.one(user_id, transfer_id)
        if row.state != TransferState.PREVIEWED:
            return
        if user.is_paused:
            raise MemoryPaused("Memory is paused: nothing is learnt.")
        count = int(row.summary["conversations"])
        places = sorted({place for place in chosen if 0 <= place < count}) if chosen is not None else None
        if places == []:
            raise Refused("Nothing was chosen.", reason="nothing")
        total = count if places is None else len(places)
        summary = row.summary | {"chosen": places, "total": total}
        Transfer.objects.filter(pk=row.pk).update(state=TransferState.WAITING, summary=summary, done=0, total=total)


def learn(hold: Hold, row: Transfer) -> None:
    """Stores the conversations that were chosen; what is stored already is passed over. Raises LeaseLost, MemoryPaused."""
    user = _user(hold)
    counts = {"learnt": 0, "known": 0, "failed": 0}
    with _file(hold) as path:
        wanted = _wanted(hold, row, path, user)
        for some in batched(wanted, AT_ONCE, strict=False):
            # An erasure takes the file away too: what it took must not be stored after it.
            for result in ingest.store_all(user, some, is_import=True, confirm=lambda: transfers.note(hold)):
                counts[_outcome(result)] += 1
            done = len({_key(one) for one in some})
            with scope.user(hold.user_id):
                transfers.note(hold, done=min(row.total, row.done + done))
            row.done += done
    jobs.request([hold.user_id])
    with scope.user(hold.user_id):
        transfers.note(hold)
        TransferChunk.objects.filter(user=hold.user_id, transfer=hold.transfer_id).delete()
    transfers.finish(hold, TransferState.DONE, summary=counts | {"total": row.total}, done=row.total)


def _opened(user_id: int, name: str) -> Hold:
    with scope.user(user_id):
        lock(user_id)
        found = [row for row in transfers.current(user_id).values() if row.kind == TransferKind.IMPORT]
        if any(row.state in transfers.OPEN and "chosen" in row.summary for row in found):
            raise Refused("Another file is being learnt from.", reason="busy")
        Transfer.objects.filter(pk__in=[row.pk for row in found if row.state != TransferState.DONE]).delete()
        row = transfers.opened(user_id, TransferKind.IMPORT, name=text.clean(name).text)
    taken = transfers.take(user_id, row.pk)
    if taken is None:
        raise Refused("Another file is being learnt from.", reason="busy")
    return taken[0]


def _keep(hold: Hold, parts: Iterable[bytes]) -> int:
    """Writes the bytes; how many there were."""
    size = 0
    for n, data in enumerate(_chunks(parts), start=1):
        size += len(data)
        if size > LARGEST:
            raise Refused("The file is too large.", reason="too_large")
        transfers.write(hold, n, data)
    if not size:
        raise Refused("The file is empty.", reason="empty")
    return size


def _chunks(parts: Iterable[bytes]) -> Iterator[bytes]:
    buffer = bytearray()
    for some in parts:
        buffer += some
        while len(buffer) >= transfers.CHUNK:
            yield bytes(buffer[: transfers.CHUNK])
            del buffer[: transfers.CHUNK]
    if buffer:
        yield bytes(buffer)


@contextmanager
def _file(hold: Hold) -> Iterator[Path]:
    """The file as it came, for as long as it is read."""
    with tempfile.NamedTemporaryFile(prefix="assay-brought-") as file:
        for data in transfers.chunks(hold.user_id, hold.transfer_id):
            file.write(data)
        file.flush()
        yield Path(file.name)


def _format(path: Path) -> str:
    with sources.find(path) as found:
        kind = shapes.recognise(found[0], named="auto").format
    if kind not in FORMATS:
        raise Unreadable("unknown")
    return kind


def _list(found: dict[str, Listed], record: IncomingEpisode) -> None:
    """A long conversation comes in several parts."""
    key, before = _key(record), found.get(_key(record))
    days = [at.date().isoformat() for at in (record.occurred_at, *(turn.at for turn in record.turns)) if at]
    begins = next((turn.content for turn in record.turns if turn.role == Role.USER), record.turns[0].content)
    found[key] = Listed(
        key=key,
        begins=before.begins if before else " ".join(begins.split())[:SHOWN],
        turns=len(record.turns) + (before.turns if before else 0),
        first=min(filter(None, [*days, before.first if before else ""]), default=""),
        last=max(filter(None, [*days, before.last if before else ""]), default=""),
    )


def _key(record: IncomingEpisode) -> str:
    return record.session or record.external_id


def _wanted(hold: Hold, row: Transfer, path: Path, user: User) -> Iterator[IncomingEpisode]:
    places = row.summary.get("chosen")
    with scope.user(hold.user_id):
        chunk = TransferChunk.objects.get(user=hold.user_id, transfer=hold.transfer_id, n=LISTING)
        keys = [one["key"] for one in json.loads(bytes(chunk.data))]
    chosen = set(keys if places is None else [keys[place] for place in places])
    for record in importing.read(path, on_bytes=_teller(hold, "bytes"), user=user.external_id):
        if isinstance(record, IncomingEpisode) and _key(record) in chosen:
            yield record


def _outcome(result: ingest.Stored | EpisodeConflict) -> str:
    if isinstance(result, EpisodeConflict):
        return "failed"
    return "learnt" if result.added else "known"


def _user(hold: Hold) -> User:
    with scope.user(hold.user_id):
        return User.objects.get(pk=hold.user_id)


def _teller(hold: Hold, what: str) -> Callable[[int], None]:
    """Keeps the lease while a file is read, and says how far it is where that is what is `done`."""
    told = 0

    def tell(position: int) -> None:
        nonlocal told
        if position - told >= TOLD_EVERY:
            told = position
            with scope.user(hold.user_id):
                transfers.note(hold, **({"done": position} if what == "done" else {}))

    return tell
