"""`policy`: the thresholds in force, and new versions of them."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from memory import policies, scope
from memory.errors import InvalidPolicy
from memory.management.speaking import SpeakingCommand
from memory.review import carrying


class Command(SpeakingCommand):
    help = "Show the policy in force, or store a new version: --set ceiling=80 half_life_days.preference=365."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--set", nargs="+", metavar="KEY=VALUE", default=[], dest="changes")
        parser.add_argument("--note", default="", help="why, for whoever reads the versions")

    def run(self, *, changes: list[str], note: str, as_json: bool, **_: Any) -> int:
        wanted = dict(map(_change, changes))
        with scope.staff():
            policy = policies.change(wanted, note=note) if wanted else policies.current()
        if wanted:
            carrying.carry_out(policy.version)
        document: dict[str, Any] = {"version": policy.version, "thresholds": asdict(policy.thresholds)}
        if as_json:
            self.say(document)
        else:
            self.show(("threshold", "value"), [("version", policy.version), *_rows(document["thresholds"])], nothing="")
        return 0


def _change(raw: str) -> tuple[str, Any]:
    key, sign, value = raw.partition("=")
    if not sign or not key:
        raise InvalidPolicy(f"{raw!r} is no KEY=VALUE")
    try:
        return key, None if value == "none" else json.loads(value)
    except ValueError:
        return key, value


def _rows(thresholds: dict[str, Any]) -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for name, value in thresholds.items():
        parts = value.items() if isinstance(value, dict) else [("", value)]
        rows += [(f"{name}.{part}" if part else name, "none" if number is None else number) for part, number in parts]
    return rows
