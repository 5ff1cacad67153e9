"""`consolidate`: work until nothing is due, then say what memory adds up to."""

from argparse import ArgumentParser
from typing import Any

from memory import engine, jobs, policies, scope, tasks, totals, upkeep
from memory.management.speaking import SpeakingCommand, find_user
from memory.models import User


class Command(SpeakingCommand):
    help = "Process what is due, with or without a worker beside it, and give the totals of what is stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--user", metavar="U", help="whose, by external id (without it: everybody's)")
        parser.add_argument("--retry-failed", action="store_true", help="put failed episodes back to work first")

    def run(self, *, user: str | None, retry_failed: bool, as_json: bool, **_: Any) -> int:
        whose = [find_user(user).pk] if user else None
        if retry_failed:
            jobs.retry_failed(whose)
        engine.drain(engine.configured(), user_ids=whose, attempt=tasks.attempt)
        with scope.staff():
            policy = policies.current()
        upkeep.run(policy, whose)
        with scope.staff():
            found = totals.totals(whose or list(User.objects.values_list("pk", flat=True)))
        if as_json:
            self.say(found)
        else:
            self._table(found)
        return 1 if found["failed_episodes"] else 0

    def _table(self, found: dict[str, Any]) -> None:
        rows = [
            (
                name.replace("_", " "),
                ", ".join(f"{str(k).replace('_', ' ')} {n}" for k, n in value.items())
                if isinstance(value, dict)
                else value,
            )
            for name, value in found.items()
            if value not in ({}, [])
        ]
        self.show(("what", "how many"), rows, nothing="Nothing is stored.")
