"""`export`: everything of a user as one ZIP."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.utils import timezone

from memory import exports, portability
from memory.errors import Refused
from memory.management.speaking import SpeakingCommand, add_user, find_user

KEPT = "It is deleted after a day, and when anything of its user's is erased: move it elsewhere to keep it."
OUT_OF_REACH = "Forgetting does not reach this file: delete it when it is not needed any more."


class Command(SpeakingCommand):
    help = "Export everything of a user as one ZIP, from one snapshot."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_user(parser)
        place = "where to (without it: exports/ in the data directory, for a day); never over another file"
        parser.add_argument("--out", type=Path, metavar="FILE", help=place)

    def run(self, *, user: str | None, out: Path | None, as_json: bool, **_: Any) -> int:
        whose = find_user(user)
        target = out or exports.place(whose.external_id, now=timezone.now())
        if target.exists():
            raise Refused(f"{target} is there already and stays as it is: name another file with --out.")
        size = _write(whose.pk, target)
        if as_json:
            self.say({"user": whose.external_id, "file": str(target), "bytes": size})
        else:
            sys.stderr.write(f"{target}: {size:,} bytes\n{KEPT if exports.is_here(target) else OUT_OF_REACH}\n")
        return 0


def _write(user_id: int, target: Path) -> int:
    """Whole or not at all; how many bytes."""
    draft = target.with_name(f"{target.name}.part")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            size = sum(file.write(part) for part in portability.export(user_id))
        draft.rename(target)
    finally:
        draft.unlink(missing_ok=True)
    return size
