"""`restore`: read an export back into an installation that does not know its user."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from memory import portability, scope, totals
from memory.management.speaking import SpeakingCommand


class Command(SpeakingCommand):
    help = "Read an export back: the same facts, statuses and links, for a user who is not known here yet."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", metavar="FILE", type=Path)

    def run(self, *, file: Path, as_json: bool, **_: Any) -> int:
        user = portability.restore(file)
        with scope.user(user.pk):
            found = {"user": user.external_id} | totals.totals([user.pk])
        if as_json:
            self.say(found)
        else:
            self.show(("", ""), [(name, str(value)) for name, value in found.items()], nothing="")
        return 0
