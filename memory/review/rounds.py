"""Going from person to person in work that takes long: in pieces, each kept, so that whoever goes on begins where it ended."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone

from memory import scope
from memory.review import reports

PIECE = 60.0
"""Seconds after which a worker ends a piece, for other work to have its turn."""
KEPT = 5.0
"""Seconds after which what was done is put down: so much is done again when a worker is lost."""


@dataclass(slots=True)
class Round:
    """Through whom one report has gone. `found` is what it came upon, in plain values; it is kept along.

    `is_whole` says whether everybody of all stages so far has been gone through.
    """

    kind: str
    about: str
    found: dict[str, Any] = field(default_factory=dict)
    stages: dict[str, dict[str, int]] = field(default_factory=dict)
    """Stage → after whom it goes on, how many people were gone through and how many there are."""
    ends: float = 0.0
    is_whole: bool = True
    began: datetime = field(default_factory=timezone.now)
    """When its first piece did."""

    def through(self, stage: str, people: Sequence[int]) -> Iterator[int]:
        """Those whose turn it still is, by their numbers, until the piece ends; what was done is kept as it goes."""
        at = self.stages.setdefault(stage, {"after": 0, "done": 0, "of": 0})
        left = sorted(user for user in people if user > at["after"])
        at["of"], kept = at["done"] + len(left), time.monotonic()
        for user_id in left:
            yield user_id
            at["after"], at["done"] = user_id, at["done"] + 1
            now = time.monotonic()
            if now >= self.ends:
                break
            if now - kept >= KEPT:
                self.keep()
                kept = now
        self.is_whole = self.is_whole and at["done"] == at["of"]
        self.keep()

    def keep(self) -> None:
        """Outside of any scope."""
        with scope.staff():
            so_far = {"began": self.began.isoformat(), "stages": self.stages, "found": self.found}
            reports.keep(self.kind, self.about, so_far)


def begin(kind: str, about: str, *, seconds: float = PIECE) -> Round:
    """Where it was left, or at the beginning. At least one person is gone through in a piece, however short."""
    with scope.staff():
        so_far, began = reports.so_far(kind, about), reports.began(kind, about)
    ends = time.monotonic() + seconds
    return Round(kind, about, so_far.get("found", {}), so_far.get("stages", {}), ends, began=began)
