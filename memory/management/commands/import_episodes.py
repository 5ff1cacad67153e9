"""`import_episodes`: bring in conversations and memories from a file.

Exits with 0 when all went in, with 1 when some of it could not be read or is stored with other
content, with 2 when nothing went in. What is stored already is passed over, so that an import
that was interrupted is simply run again. Ends when all that came in has been learnt from.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from memory import engine, importing, ingest, jobs, people, scope, tasks, totals
from memory.errors import EpisodeConflict
from memory.importing import Broken, Record
from memory.importing.sources import OnBytes
from memory.incoming import IncomingEpisode, user_name
from memory.ingest import Arrival
from memory.management.speaking import DEFAULT_USER, WRONG_USE, SpeakingCommand, add_user, only_user
from memory.models import User

BATCH = 200
BATCH_CHARS = 4 << 20
LISTED = 100


@dataclass
class _Tally:
    """What came of an import so far."""

    arrivals: dict[Arrival, int] = field(default_factory=lambda: dict.fromkeys(Arrival, 0))
    turns: int = 0
    removed: int = 0
    broken: int = 0
    listed: list[Broken] = field(default_factory=list)
    users: dict[str, User] = field(default_factory=dict)
    """By external id, and the one of episodes that name none by ""."""

    def miss(self, broken: Broken) -> None:
        self.broken += 1
        if self.broken <= LISTED:
            self.listed.append(broken)

    def count(self, incoming: IncomingEpisode, result: ingest.Stored | EpisodeConflict) -> None:
        if isinstance(result, EpisodeConflict):
            self.miss(Broken(incoming.external_id, str(result)))
            return
        self.arrivals[result.state] += 1
        self.turns += result.added
        self.removed += incoming.removed if result.added else 0

    @property
    def code(self) -> int:
        if not any(self.arrivals.values()):
            return WRONG_USE
        return 1 if self.broken else 0


class Command(SpeakingCommand):
    help = "Import conversations and memories: our own JSON Lines, exports of ChatGPT, Claude and mem0, LoCoMo."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", metavar="FILE", type=Path, help="a file, a ZIP as downloaded, or its folder")
        parser.add_argument("--format", choices=importing.FORMATS, default="auto")
        add_user(parser, "whose they are, by external id")

    def run(self, *, file: Path, format: str, user: str | None, as_json: bool, **_: Any) -> int:  # noqa: A002
        tally, user = _Tally(), user_name(user) or None
        with _bar(file) as on_bytes:
            for batch in _batches(importing.read(file, format=format, user=user, on_bytes=on_bytes), tally):
                _store(batch, tally)
        memory = _process(tally)
        if as_json:
            self.say(_document(file, tally) | {"memory": memory})
        else:
            self._table(tally, memory)
        return tally.code or (1 if memory["failed_episodes"] else 0)

    def _table(self, tally: _Tally, memory: dict[str, Any]) -> None:
        rows = [
            *((f"episodes {arrival}", n) for arrival, n in tally.arrivals.items()),
            ("records broken", tally.broken),
        ]
        rows += [("turns stored", tally.turns), ("characters removed", tally.removed), ("users", len(tally.users))]
        rows += [("facts believed", memory["live"]), ("refused", sum(memory["refused"].values()))]
        rows += [("open conflicts", memory["open_conflicts"]), ("episodes failed", memory["failed_episodes"])]
        self.show(("what", "how many"), rows, nothing="")
        if tally.broken:
            self.show(("broken", "why"), [(broken.position, broken.why) for broken in tally.listed], nothing="")


def _process(tally: _Tally) -> dict[str, Any]:
    """Works on what came in until nothing of it is due, beside any worker that does too; then what it adds up to."""
    users = [user.pk for user in tally.users.values()]
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("learning", total=len(users))
        engine.drain(
            engine.configured(), user_ids=users, on_done=lambda _: progress.advance(task), attempt=tasks.attempt
        )
    with scope.staff():
        return totals.totals(users)


def _document(file: Path, tally: _Tally) -> dict[str, Any]:
    return {
        "file": str(file),
        "users": sorted({user.external_id for user in tally.users.values()}),
        "episodes": {**tally.arrivals, "broken": tally.broken},
        "turns": tally.turns,
        "removed": tally.removed,
        "broken": [{"position": broken.position, "why": broken.why} for broken in tally.listed],
    }


def _batches(records: Iterable[Record], tally: _Tally) -> Iterator[list[IncomingEpisode]]:
    """As many as are worth a transaction, within what memory should hold."""
    batch: list[IncomingEpisode] = []
    size = 0
    for record in records:
        if isinstance(record, Broken):
            tally.miss(record)
            continue
        batch.append(record)
        size += sum(len(turn.content) for turn in record.turns)
        if len(batch) >= BATCH or size >= BATCH_CHARS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _store(batch: list[IncomingEpisode], tally: _Tally) -> None:
    """Each user's in a transaction of their own, due at once."""
    by_user: dict[str, list[IncomingEpisode]] = {}
    for incoming in batch:
        by_user.setdefault(incoming.user, []).append(incoming)
    for name, episodes in by_user.items():
        user = _user(name, tally)
        results = ingest.store_all(user, episodes, is_import=True)
        for incoming, result in zip(episodes, results, strict=True):
            tally.count(incoming, result)
        if any(isinstance(result, ingest.Stored) and result.is_due for result in results):
            jobs.request([user.pk])


def _user(name: str, tally: _Tally) -> User:
    """The one named, made when missing; else the only or the default user, which is the same all along."""
    if name not in tally.users:
        with scope.staff():
            only = None if name else only_user()
        tally.users[name] = only or people.named(name or DEFAULT_USER)
    return tally.users[name]


@contextmanager
def _bar(file: Path) -> Iterator[OnBytes | None]:
    """Progress for a person who watches."""
    if not (sys.stderr.isatty() and file.is_file()):
        yield None
        return
    columns = TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("importing", total=file.stat().st_size)
        yield lambda position: progress.update(task, completed=position)
