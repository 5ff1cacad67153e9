"""`recall`: what is known that bears on a question."""

from argparse import ArgumentParser
from typing import Any

from memory import engine
from memory.management.speaking import SpeakingCommand, add_user, find_user
from memory.recollecting import DEFAULT_K, Question, recollect


class Command(SpeakingCommand):
    help = "Recall what is known that bears on a question, as facts and as the block for a prompt."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_user(parser)
        parser.add_argument("query", metavar="QUERY")
        parser.add_argument("--k", type=int, default=DEFAULT_K, help="how many facts (default %(default)s)")
        parser.add_argument("--subject", metavar="S", help="only facts about this one")
        parser.add_argument("--as-of", metavar="DATE", help="what was so then: 2026, 2026-03 or 2026-03-04")

    def run(self, *, user: str | None, query: str, as_json: bool, **options: Any) -> int:
        mind = engine.configured()
        question = Question(query, options["k"], options["subject"], options["as_of"])
        recalled = recollect(
            find_user(user), question, model=mind.model, embedder=mind.embedder, actor="command"
        ).document
        if as_json:
            self.say(recalled)
        else:
            self._table(recalled)
        return 0

    def _table(self, recalled: dict[str, Any]) -> None:
        rows = [
            (
                fact["rank"],
                fact["text"],
                f"{fact['effective_confidence']:.2f}",
                ", ".join(fact["found_by"]) or "nothing nearer",
                f"conflict {fact['conflict']}" if fact["conflict"] else "",
            )
            for fact in recalled["facts"]
        ]
        self.show(("", "fact", "sure", "found by", ""), rows, nothing="Nothing is known here.")
        said = [(turn["rank"], turn["at"][:10], turn["role"], turn["content"]) for turn in recalled["episodes"]]
        if said:
            self.show(("", "on", "who", "said"), said, nothing="")
        plan = recalled["retrieval"]
        self.stdout.write("; ".join(part for part in (plan["why"], plan["note"]) if part))
