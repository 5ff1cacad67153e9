"""`probe`: whether questions bring back what they must, and nothing that they must not."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from memory import engine, probing
from memory.management.speaking import SpeakingCommand


class Command(SpeakingCommand):
    help = "Run a suite of probes against recall. Any leak exits 1."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("suite", metavar="SUITE.yaml", type=Path)

    def run(self, *, suite: Path, as_json: bool, **_: Any) -> int:
        outcomes = probing.run(probing.read(suite), embedder=engine.configured().embedder)
        report = probing.report(outcomes)
        if as_json:
            self.say(report)
        else:
            self._table(report)
        return 1 if report["leaks"] else 0

    def _table(self, report: dict[str, Any]) -> None:
        shares = [(name, report[name]) for name in ("probes", "recall_at_5", "staleness", "leak_rate")]
        self.show(("", ""), shares, nothing="")
        rows = [("missed", one["scope"], one["query"], ", ".join(map(str, one["missed"]))) for one in report["missed"]]
        rows += [("leaked", one["scope"], one["query"], ", ".join(map(str, one["leaked"]))) for one in report["leaks"]]
        if rows:
            self.show(("", "whose", "asked", "what"), rows, nothing="")
