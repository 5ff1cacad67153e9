"""The tables of a report, one under the other, as a file holds them: numbers and codes."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from memory.review import reports

type Numbers = Mapping[str, Any]
type Row = Mapping[str, object]

COLUMNS = ("table", "name", "measure", "right", "judged", "unknown", "share", "low_95", "high_95", "count")


def rows(kind: str, numbers: Numbers) -> Iterator[Row]:
    """Rows that have some of COLUMNS; a kind of report without tables has none."""
    table = _TABLES.get(kind)
    if table is not None:
        yield from table(numbers)


def _precision(numbers: Numbers) -> Iterator[Row]:
    for measure in ("current", "factual"):
        yield _part("sample", numbers["sample"]["id"], numbers[measure]) | {"measure": measure}
    yield {"table": "verdict", "name": numbers["verdict"], "share": numbers["bar"]}
    yield from _counts("answers", numbers["counts"])
    for dimension, slices in numbers["slices"].items():
        for each in slices:
            for measure in ("current", "factual"):
                yield _part(dimension, each["name"], each[measure]) | {"measure": measure, "count": each["drawn"]}
    for band in numbers["calibration"]["bands"]:
        yield _part("calibration", f"{band['low']}-{band['high']}", band["slice"])


def _course(numbers: Numbers) -> Iterator[Row]:
    for each in numbers["samples"]:
        told = {"right": each["right"], "judged": each["judged"], "share": each["rate"]}
        yield {"table": "course", "name": each["id"], **told}
    yield from _counts("targeted", numbers["targeted"])
    yield from _counts("corrections", numbers["corrections"])


def _contradictions(numbers: Numbers) -> Iterator[Row]:
    for each in numbers["audit"]["relations"] if numbers["audit"] else ():
        yield _part("relation", each["name"], each)
    yield from _counts("come upon, right", {each["name"]: each["right"] for each in numbers["spotted"]})
    yield from _counts("come upon, wrong", {each["name"]: each["wrong"] for each in numbers["spotted"]})
    yield from _counts("conflicts", {"opened": numbers["opened"], "open": numbers["open"]})
    yield from _counts("settled by", {each["by"]: each["count"] for each in numbers["settled"]})
    yield from _counts("won", numbers["won"])
    for name in ("opened", "settled"):
        yield from _counts(f"{name} in month", {each["month"]: each[name] for each in numbers["months"]})


def _reviewers(numbers: Numbers) -> Iterator[Row]:
    agreement = numbers["agreement"]
    for name in ("raw", "alpha", "ac1"):
        yield {"table": "agreement", "name": name, "share": agreement[name], "count": agreement["shared"]}
    for pair in agreement["table"]:
        yield {"table": "pairs", "name": f"{pair['one']} / {pair['other']}", "count": pair["count"]}
    for each in numbers["reviewers"]:
        yield {"table": "labels", "name": each["reviewer"], "count": each["labels"]}
        yield _part("agrees with others", each["reviewer"], each["shared"])
        yield _part("known answers", each["reviewer"], each["gold"])
    yield from _counts("labels in week", {each["week"]: each["count"] for each in numbers["weeks"]})


def _gate(numbers: Numbers) -> Iterator[Row]:
    yield from _counts("verdicts", numbers["verdicts"] | {"turns": numbers["turns"], "facts": numbers["facts"]})
    yield from _counts("reasons", {each["name"]: each["count"] for each in numbers["reasons"]})
    for each in numbers["audit"]["reasons"] if numbers["audit"] else ():
        yield _part("rightly refused", each["name"], each)
    yield from _counts("taken in by reviewers", {each["name"]: each["count"] for each in numbers["promoted"]})
    yield from _weeks(numbers, "accepted", "held", "lapsed", "refused", "turns", "facts")
    weeks = [each["week"] for each in numbers["weeks"]]
    for each in numbers["reasons"]:
        for week, count in zip(weeks, each["weeks"], strict=True):
            yield {"table": "reason in week", "name": week, "measure": each["name"], "count": count}


def _decisions(numbers: Numbers) -> Iterator[Row]:
    yield from _counts("use", {name: numbers[name] for name in ("decisions", "changed", "recalls", "live", "unused")})
    for each in numbers["dimensions"]:
        told = {"count": each["count"], "share": each["rate"], "measure": "changed"}
        yield {"table": "dimensions", "name": each["name"], **told}
    yield from _counts("decisions by fact", {str(each["fact"]): each["times"] for each in numbers["movers"]})
    yield from _weeks(numbers, "count", "changed")


def _cost(numbers: Numbers) -> Iterator[Row]:
    yield from _counts("all", numbers["all"] | {"turns": numbers["turns"]})
    for each in numbers["models"]:
        name = f"{each['model']} / {each['name']} / {each['prompt_version']}"
        for measure, count in each.items():
            if measure not in {"model", "name", "prompt_version"}:
                yield {"table": "models", "name": name, "measure": measure, "count": count}
    yield from _weeks(numbers, "turns", "calls", "failed", "tokens_in", "tokens_out", "median", "p95")


def _weeks(numbers: Numbers, *measures: str) -> Iterator[Row]:
    for each in numbers["weeks"]:
        for measure in measures:
            yield {"table": "weeks", "name": each["week"], "measure": measure, "count": each[measure]}


def _health(numbers: Numbers) -> Iterator[Row]:
    for name, level in numbers["levels"].items():
        yield {"table": "checks", "name": name, "measure": level}
    yield from _counts("counted", numbers["counted"])


_TABLES: dict[str, Callable[[Numbers], Iterator[Row]]] = {
    reports.PRECISION: _precision,
    reports.COURSE: _course,
    reports.CONTRADICTIONS: _contradictions,
    reports.REVIEWERS: _reviewers,
    reports.GATE: _gate,
    reports.DECISIONS: _decisions,
    reports.COST: _cost,
    reports.HEALTH: _health,
}


def _part(table: str, name: object, said: Numbers) -> dict[str, object]:
    shown = said["shown"] or {"low": None, "high": None}
    told = {"right": said["right"], "judged": said["judged"], "unknown": said["unknown"], "share": said["rate"]}
    return {"table": table, "name": name, **told, "low_95": shown["low"], "high_95": shown["high"]}


def _counts(table: str, counts: Mapping[str, int]) -> Iterator[Row]:
    for name, count in counts.items():
        yield {"table": table, "name": name, "count": count}
