"""`rejected`: what the gate kept out, and why."""

from argparse import ArgumentParser
from typing import Any

from memory import listing, scope
from memory.management.speaking import SpeakingCommand, find_user


class Command(SpeakingCommand):
    help = "List what the gate refused with its reasons, of one user or of everybody."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--user", metavar="U", help="whose, by external id (without it: everybody's)")

    def run(self, *, user: str | None, as_json: bool, **_: Any) -> int:
        whose = [find_user(user).pk] if user else None
        with scope.staff():
            found = listing.rejected(whose)
        if as_json:
            self.say(found)
            return 0
        rows = [
            (row["id"], row["reason"], row["text"] or "(text not kept)", row["detail"], row["episode"])
            for row in found["candidates"]
        ]
        self.show(("id", "reason", "candidate", "detail", "episode"), rows, nothing="Nothing was refused.")
        return 0
