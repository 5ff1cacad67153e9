"""`conflicts`: what cannot all be true."""

from argparse import ArgumentParser
from typing import Any

from memory import listing, scope
from memory.management.speaking import SpeakingCommand, find_user

COLUMNS = ("id", "subject", "predicate", "why")


class Command(SpeakingCommand):
    help = "List open conflicts, of one user or of everybody."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--user", metavar="U", help="whose, by external id (without it: everybody's)")

    def run(self, *, user: str | None, as_json: bool, **_: Any) -> int:
        whose = [find_user(user).pk] if user else None
        with scope.staff():
            found = listing.conflicts(whose)
        if as_json:
            self.say({"conflicts": found})
            return 0
        rows = [[row.get("user", user), *(row[name] for name in COLUMNS), *_sides(row)] for row in found]
        self.show(("whose", "id", "subject", "about", "why", "facts"), rows, nothing="No open conflicts.")
        return 0


def _sides(row: dict[str, Any]) -> tuple[str]:
    return (" ".join(map(str, row["facts"])),)
