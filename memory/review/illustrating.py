"""Which pictures a report has, from its numbers alone. Their few words are in English, as codes are."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from memory.review import pictures, slicing

type Numbers = Mapping[str, Any]


class Picture(NamedTuple):
    name: str
    chart: Any
    description: str


AGES = {
    "week": "under a week",
    "month": "under a month",
    "quarter": "under 3 months",
    "year": "under a year",
    "older": "a year or more",
}


def nothing(_report: Numbers) -> Iterator[Picture]:
    """Of a report that says all in its tables."""
    yield from ()


def precision(report: Numbers) -> Iterator[Picture]:
    """The two precisions against the bar, a picture a dimension, and calibration."""
    bar = report["bar"]
    whole = [_row(name, report[code]) for name, code in (("true now", "current"), ("true once", "factual"))]
    if any(row["rate"] is not None for row in whole):
        yield Picture("precision", pictures.whiskers(whole, bar=bar), _told(whole))
    for dimension, slices in report["slices"].items():
        shown = slicing.shown(dimension, slices)
        rows = [_row(AGES.get(each["name"], each["name"]), each["current"]) for each in shown]
        if any(row["rate"] is not None for row in rows):
            yield Picture(f"by-{dimension}", pictures.whiskers(rows, bar=bar), _told(rows))
    bands = [_band(band) for band in report["calibration"]["bands"] if band["slice"]["rate"] is not None]
    if bands:
        yield Picture("calibration", pictures.reliability(bands), _calibrated(bands))


def course(report: Numbers) -> Iterator[Picture]:
    """Precision from sample to sample, from the second on."""
    rows = [{**each, "name": f"sample {each['id']}"} for each in report["samples"]]
    if len(rows) > 1:
        told = ", ".join(f"{row['name']}: {row['rate']:.1%}" for row in rows)
        yield Picture("drift", pictures.drift(rows, centre=report["centre"]), f"Precision by sample. {told}.")


def contradictions(report: Numbers) -> Iterator[Picture]:
    """Audited resolutions by relation; conflicts by month."""
    relations = report["audit"]["relations"] if report["audit"] else []
    rows = [_row(each["name"], each) for each in relations]
    if any(row["rate"] is not None for row in rows):
        yield Picture("relations", pictures.whiskers(rows, bar=report["bar"]), _told(rows))
    months = [
        {"when": each["month"], "series": series, "count": each[series]}
        for each in report["months"]
        for series in ("opened", "settled")
    ]
    if months:
        told = ", ".join(
            f"{each['month']}: {each['opened']} opened, {each['settled']} settled" for each in report["months"]
        )
        yield Picture("months", pictures.bars(months), f"Conflicts by month. {told}.")


def reviewers(report: Numbers) -> Iterator[Picture]:
    """Labels by week."""
    weeks = [{"when": each["week"], "series": "labels", "count": each["count"]} for each in report["weeks"]]
    if weeks:
        told = ", ".join(f"{each['when']}: {each['count']}" for each in weeks)
        yield Picture("weeks", pictures.bars(weeks), f"Labels by the week that begins then. {told}.")


def curve(report: Numbers) -> Iterator[Picture]:
    """Precision against the share that is kept, over the floor."""
    points = [each for each in report["points"] if each["shown"]]
    if len(points) > 1:
        rows = [{"at": each["at"], "rate": each["rate"], "kept": each["kept"], **each["shown"]} for each in points]
        told = "; ".join(f"from {row['at']:.0%}: {row['rate']:.1%} right, {row['kept']:.0%} kept" for row in rows)
        chart = pictures.trade(rows, bar=report["bar"], floor=report["floor"])
        yield Picture("curve", chart, f"Precision and kept share by the least confidence. {told}.")


def _row(name: str, said: Numbers) -> dict[str, Any]:
    shown = said["shown"] or {"low": None, "high": None}
    count = f"{said['right']} of {said['judged']}"
    return {"name": name.replace("_", " "), "rate": said["rate"], "count": count, **shown}


def _band(band: Numbers) -> dict[str, Any]:
    return {"mean": band["mean"], "rate": band["slice"]["rate"], **band["slice"]["shown"]}


def _told(rows: Sequence[Numbers]) -> str:
    """What a picture of whiskers shows, in words."""
    return "; ".join(
        f"{row['name']}: {row['count']} right"
        + ("" if row["rate"] is None else f", {row['rate']:.1%}, 95 % interval {row['low']:.1%} to {row['high']:.1%}")
        for row in rows
    )


def _calibrated(bands: Sequence[Numbers]) -> str:
    return "; ".join(f"stated confidence {band['mean']:.0%}: {band['rate']:.0%} right" for band in bands)
