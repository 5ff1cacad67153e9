"""`list`: what is believed about a user."""

from argparse import ArgumentParser
from typing import Any

from memory import listing, policies, scope, text
from memory.management.speaking import SpeakingCommand, add_user, find_user
from memory.types import Status


class Command(SpeakingCommand):
    help = "List what is believed about a user: live facts, unless --status names another or all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_user(parser)
        parser.add_argument("--status", choices=["live", *Status, "all"], default="live")
        parser.add_argument("--subject", metavar="S", help="only facts about this one")

    def run(self, *, user: str | None, status: str, subject: str | None, as_json: bool, **_: Any) -> int:
        whose = find_user(user)
        with scope.user(whose.pk):
            chosen = listing.with_status(whose.pk, status)
            if subject:
                chosen = chosen.about(text.name_key(subject))
            facts = listing.facts(chosen, thresholds=policies.current().thresholds)
        if as_json:
            self.say({"facts": facts})
        else:
            self._table(facts)
        return 0

    def _table(self, facts: list[dict[str, Any]]) -> None:
        rows = [
            (
                fact["id"],
                fact["text"],
                f"{fact['subject']} · {fact['predicate']} · {fact['object']}" if fact["predicate"] else fact["subject"],
                fact["status"],
                f"{fact['effective_confidence']:.2f}",
                f"“{fact['evidence'][-1]['quote']}”" if fact["evidence"] else "",
            )
            for fact in facts
        ]
        self.show(("id", "fact", "about", "status", "sure", "said"), rows, nothing="Nothing is known here.")
