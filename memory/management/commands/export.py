"""`export`: everything of a user as one ZIP."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from memory import portability
from memory.management.speaking import SpeakingCommand, add_user, find_user


class Command(SpeakingCommand):
    help = "Export everything of a user as one ZIP, from one snapshot."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_user(parser)
        parser.add_argument("--out", type=Path, metavar="FILE", help="where to (without it: <user>.zip here)")

    def run(self, *, user: str | None, out: Path | None, as_json: bool, **_: Any) -> int:
        whose = find_user(user)
        target = out or Path(f"{whose.external_id.replace('/', '_').replace(':', '_')}.zip")
        draft = target.with_name(f"{target.name}.part")
        try:
            with draft.open("wb") as file:
                size = sum(file.write(part) for part in portability.export(whose.pk))
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
        if as_json:
            self.say({"user": whose.external_id, "file": str(target), "bytes": size})
        else:
            sys.stderr.write(f"{target}: {size:,} bytes\n")
        return 0
