"""`precision`: whether memory is above the bar, by the newest closed sample. For a pipeline to gate on."""

from argparse import ArgumentParser
from typing import Any

from memory import scope
from memory.management.speaking import SpeakingCommand
from memory.review import choosing, precision, sentences
from memory.review.standing import Standing

ABOVE, BELOW, UNDECIDED = 0, 1, 3
EXITS = {Standing.ABOVE.value: ABOVE, Standing.BELOW.value: BELOW}


class Command(SpeakingCommand):
    help = "Say how precise memory is. Exits 0 above the bar, 1 below it, 3 undecided or without a sample."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--sample", type=int, metavar="ID", help="which (without it: the one closed last)")

    def run(self, *, sample: int | None, as_json: bool, **_: Any) -> int:
        with scope.staff():
            chosen = choosing.newest() if sample is None else choosing.named(sample)
            report = precision.report(chosen) if chosen else None
        sentence = sentences.first(report) if report else sentences.without_sample()
        if as_json:
            self.say({"sentence": sentence, **(report or {"sample": None, "verdict": "no_sample"})})
        else:
            self._tell(sentence, report)
        return EXITS.get(report["verdict"], UNDECIDED) if report else UNDECIDED

    def _tell(self, sentence: str, report: dict[str, Any] | None) -> None:
        self.stdout.write(sentence)
        if report is None:
            return
        if sentences.unknown(report):
            self.stdout.write(sentences.unknown(report))
        rows = [
            (name, f"{said['right']} of {said['judged']}", _share(said["rate"]), *_interval(said["shown"]))
            for name, said in (("true now", report["current"]), ("true once", report["factual"]))
        ]
        self.stdout.write("")
        self.show(("", "right", "share", "from", "to (95 %)"), rows, nothing="")


def _share(rate: float | None) -> str:
    return "" if rate is None else sentences.percent(rate)


def _interval(shown: dict[str, float] | None) -> tuple[str, str]:
    return (_share(shown["low"]), _share(shown["high"])) if shown else ("", "")
