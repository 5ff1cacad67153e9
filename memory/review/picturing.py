"""Which pictures the reports on the gate, on cost and on decisions have, from their numbers alone."""

from collections.abc import Iterator, Sequence
from typing import Any

from memory.review import pictures
from memory.review.illustrating import Numbers, Picture


def gate(report: Numbers) -> Iterator[Picture]:
    """Verdicts by week; facts a turn by week against the line."""
    if report["weeks"]:
        series = ("accepted", "held", "refused")
        told = _told(report["weeks"], *series)
        yield Picture("verdicts", pictures.bars(_series(report["weeks"], *series)), f"Candidates by week. {told}.")
    rates = [{"when": each["week"], "rate": each["rate"]} for each in report["weeks"] if each["rate"] is not None]
    if len(rates) > 1:
        told = "; ".join(f"{each['when']}: {each['rate']:.0%}" for each in rates)
        chart = pictures.course(rates, bar=report["line"])
        yield Picture("rate", chart, f"New facts for each turn by week, against {report['line']:.0%}. {told}.")


def cost(report: Numbers) -> Iterator[Picture]:
    """Calls by week, and tokens by week."""
    weeks = report["weeks"]
    if weeks:
        calls = pictures.bars(_series(weeks, "calls", "failed"))
        yield Picture("calls", calls, f"Calls by week. {_told(weeks, 'calls', 'failed')}.")
        rows = [{"when": each["week"], "series": "tokens", "count": each["tokens"]} for each in weeks]
        yield Picture("tokens", pictures.bars(rows), f"Tokens by week. {_told(weeks, 'tokens')}.")


def decisions(report: Numbers) -> Iterator[Picture]:
    """Decisions by week, and those that facts changed."""
    weeks = [{**each, "decisions": each["count"]} for each in report["weeks"]]
    if weeks:
        series = ("decisions", "changed")
        yield Picture("weeks", pictures.bars(_series(weeks, *series)), f"Decisions by week. {_told(weeks, *series)}.")


def _series(weeks: Sequence[Numbers], *names: str) -> list[dict[str, Any]]:
    return [{"when": each["week"], "series": name, "count": each[name]} for each in weeks for name in names]


def _told(weeks: Sequence[Numbers], *names: str) -> str:
    return "; ".join(f"{each['week']}: " + ", ".join(f"{each[name]} {name}" for name in names) for each in weeks)
