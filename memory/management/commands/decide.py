"""`decide`: what an agent is to do about a user's wishes, and by which facts."""

from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from memory import decisions
from memory.management.speaking import SpeakingCommand, add_user, find_user


class Command(SpeakingCommand):
    help = "Decide how to answer a user (depth, difficulty, tone, and what the policy adds), by their facts."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_user(parser)
        parser.add_argument("--dimension", action="append", metavar="D", help="only this one; may be repeated")

    def run(self, *, user: str | None, dimension: list[str] | None, as_json: bool, **_: Any) -> int:
        decided = decisions.decide(find_user(user), dimensions=dimension, actor="command")
        if as_json:
            self.say({name: asdict(decision) for name, decision in decided.items()})
            return 0
        rows = [(name, one.value, " ".join(map(str, one.because)), one.without) for name, one in decided.items()]
        self.show(("decision", "value", "because of facts", "without memory"), rows, nothing="Nothing to decide.")
        return 0
