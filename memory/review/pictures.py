"""Charts as accessible SVG and as PNG, drawn when a report is built: the first takes seconds.

Colours are the site's. The dark picture is the light one with its colours exchanged. Every picture stands
beside a table with the same numbers.
"""

import base64
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import altair as alt
import vl_convert

type Drawing = Mapping[str, str]
"""`svg`, `dark` (SVG) and `png` (base64)."""
type Rows = Sequence[Mapping[str, Any]]

INK, SOFT, LINE, ACCENT, BAD, HELD = "#1f1d1a", "#5c574e", "#e3dfd6", "#7a4d00", "#a1291d", "#3d5480"
DARK = {
    INK: "#ece8e0",
    SOFT: "#aca596",
    LINE: "#35322d",
    ACCENT: "#e9b655",
    BAD: "#ff9f92",
    HELD: "#a9c0f0",
}
FONT = 'Inter, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif'
PNG_SCALE = 2
WIDE, NARROW = 440, 260
ROOMY = 0.5
"""From what beginning on an axis has room for every tenth, and below it for every other."""
CROWDED = 6
"""How many months have their names side by side."""
BAND = 34
"""How wide a month or a week is."""


def draw(chart: Any, description: str) -> Drawing:
    """One chart in all the forms in which it is served; `description` is what it shows, for who cannot see it."""
    spec = alt.layer(chart).to_dict() if isinstance(chart, alt.Chart) else chart.to_dict()
    svg = vl_convert.vegalite_to_svg(spec | {"config": _LOOK, "background": None})
    png = vl_convert.vegalite_to_png(spec | {"config": _LOOK, "background": "#ffffff"}, scale=PNG_SCALE)
    told = _told(svg, description)
    return {"svg": told, "dark": _dark(told), "png": base64.b64encode(png).decode()}


def _told(svg: str, description: str) -> str:
    label = escape(description)
    head, _, rest = svg.partition(">")
    return f'{head} role="img" aria-label="{label}"><title>{label}</title>{rest}'


def _dark(svg: str) -> str:
    for light, dark in DARK.items():
        svg = svg.replace(light, dark)
    return svg


_LOOK = {
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "domainColor": LINE,
        "gridColor": LINE,
        "tickColor": LINE,
        "labelColor": SOFT,
        "titleColor": SOFT,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelLimit": 180,
    },
    "axisY": {"grid": False, "domain": False, "ticks": False, "labelPadding": 8},
    "text": {"color": SOFT, "fontSize": 12},
    "legend": {"labelColor": SOFT, "title": None, "labelFontSize": 12, "orient": "bottom"},
}


def _data(rows: Rows) -> Any:
    return alt.InlineData(values=[*rows])


def _share(name: str, *, lowest: float, title: str | None = None) -> alt.X:
    axis, scale = _axis(lowest), alt.Scale(domain=[lowest, 1], nice=False)
    return alt.X(f"{name}:Q", title=title, axis=axis, scale=scale)


def _axis(lowest: float) -> Any:
    """Percent at round steps that leave each other room."""
    step = 2 if lowest <= ROOMY else 1
    ticks = [tenth / 10 for tenth in range(10, round(lowest * 10) - 1, -step)]
    return alt.Axis(format=".0%", values=ticks, grid=True)


def whiskers(rows: Rows, *, bar: float) -> Any:
    """A dot and its interval a row, from `name`, `rate`, `low`, `high`, `count`; a row without a rate has its count alone."""
    lowest = _lowest([row["low"] for row in rows if row["low"] is not None])
    names = [row["name"] for row in rows]
    y = alt.Y("name:N", title=None, sort=names)
    told = alt.Chart(_data([row for row in rows if row["rate"] is not None]))
    return alt.layer(
        _bar(bar, lowest),
        told.mark_rule(color=SOFT, strokeWidth=2).encode(x=_share("low", lowest=lowest), x2="high:Q", y=y),
        told.mark_point(color=ACCENT, filled=True, size=70, opacity=1).encode(x=_share("rate", lowest=lowest), y=y),
        alt.Chart(_data([{**row, "at": 1.0} for row in rows]))
        .mark_text(align="left", dx=10)
        .encode(x=_share("at", lowest=lowest), y=y, text="count:N"),
    ).properties(width=NARROW, height={"step": 26})


def _bar(bar: float, lowest: float) -> Any:
    line = alt.Chart(_data([{"bar": bar}]))
    return line.mark_rule(color=BAD, strokeDash=[4, 3]).encode(x=_share("bar", lowest=lowest))


def _lowest(lows: Sequence[float]) -> float:
    """Where the axis begins: at a round tenth below all intervals, and never so high that all look alike."""
    return min(0.5, int(min(lows, default=0.5) * 10) / 10)


def drift(rows: Rows, *, centre: float) -> Any:
    """A p-chart, from `name`, `rate`, `low`, `high`, `is_outside` of each sample in order."""
    labels = alt.Axis(labelAngle=_angle(len(rows)))
    x = alt.X("name:N", title=None, sort=[row["name"] for row in rows], axis=labels)
    lowest = _lowest([min(row["low"], row["rate"]) for row in rows])
    scale = alt.Scale(domain=[lowest, 1], nice=False)
    chart = alt.Chart(_data(rows))

    def y(name: str) -> alt.Y:
        return alt.Y(f"{name}:Q", title=None, axis=_axis(lowest), scale=scale)

    middle = alt.Chart(_data([{"centre": centre}])).mark_rule(color=SOFT, strokeDash=[2, 2]).encode(y=y("centre"))
    colour = alt.condition("datum.is_outside", alt.value(BAD), alt.value(ACCENT))
    return alt.layer(
        middle,
        chart.mark_rule(color=LINE, strokeWidth=14).encode(x=x, y=y("low"), y2="high:Q"),
        chart.mark_line(color=ACCENT).encode(x=x, y=y("rate")),
        chart.mark_point(filled=True, size=80, opacity=1).encode(x=x, y=y("rate"), color=colour),
    ).properties(width=WIDE, height=200)


def reliability(rows: Rows) -> Any:
    """Labelled truth against stated confidence, from `mean`, `rate`, `low`, `high` of each band."""
    unit = alt.Scale(domain=[0, 1])
    x = alt.X("mean:Q", title="stated confidence", axis=_axis(0), scale=unit)

    def y(name: str) -> alt.Y:
        return alt.Y(f"{name}:Q", title="right", axis=_axis(0), scale=unit)

    ideal = alt.Chart(_data([{"mean": 0, "rate": 0}, {"mean": 1, "rate": 1}]))
    chart = alt.Chart(_data(rows))
    return alt.layer(
        ideal.mark_line(color=SOFT, strokeDash=[4, 3], strokeWidth=1).encode(x=x, y=y("rate")),
        chart.mark_rule(color=SOFT, strokeWidth=2).encode(x=x, y=y("low"), y2="high:Q"),
        chart.mark_point(color=ACCENT, filled=True, size=70, opacity=1).encode(x=x, y=y("rate")),
    ).properties(width=NARROW, height=NARROW)


def trade(rows: Rows, *, bar: float, floor: float) -> Any:
    """Precision with its band, and the kept share broken, over the floor `at`; a rule at the present one."""
    x = alt.X("at:Q", title="least confidence", axis=alt.Axis(format=".0%", tickCount=6))
    lowest = _lowest([min(row["low"], row["kept"]) for row in rows])
    scale = alt.Scale(domain=[lowest, 1], nice=False)
    chart = alt.Chart(_data(rows))

    def y(name: str) -> alt.Y:
        return alt.Y(f"{name}:Q", title=None, axis=_axis(lowest), scale=scale)

    return alt.layer(
        chart.mark_area(color=LINE, opacity=1).encode(x=x, y=y("low"), y2="high:Q"),
        alt.Chart(_data([{"bar": bar}])).mark_rule(color=BAD, strokeDash=[4, 3]).encode(y=y("bar")),
        alt.Chart(_data([{"at": floor}])).mark_rule(color=SOFT, strokeDash=[2, 2]).encode(x=x),
        chart.mark_line(color=ACCENT, strokeWidth=2).encode(x=x, y=y("rate")),
        chart.mark_line(color=HELD, strokeWidth=2, strokeDash=[6, 3]).encode(x=x, y=y("kept")),
    ).properties(width=WIDE, height=200)


def course(rows: Rows, *, bar: float) -> Any:
    """A share from week to week, from `when` and `rate`, against a bar that it should stay under."""
    x = alt.X("when:N", title=None, axis=alt.Axis(labelAngle=_angle(len(rows))))
    highest = max(bar * 1.25, *(row["rate"] for row in rows))
    scale = alt.Scale(domain=[0, highest])

    def y(name: str) -> alt.Y:
        return alt.Y(f"{name}:Q", title=None, axis=alt.Axis(format=".0%", tickCount=4), scale=scale)

    chart = alt.Chart(_data(rows))
    return alt.layer(
        alt.Chart(_data([{"bar": bar}])).mark_rule(color=BAD, strokeDash=[4, 3]).encode(y=y("bar")),
        chart.mark_line(color=ACCENT, strokeWidth=2).encode(x=x, y=y("rate")),
        chart.mark_point(color=ACCENT, filled=True, size=50, opacity=1).encode(x=x, y=y("rate")),
    ).properties(width=_width(rows), height=160)


def bars(rows: Rows) -> Any:
    """How many of what in which month or week, from `when`, `series`, `count`; the series in the order of their coming."""
    series = [*dict.fromkeys(row["series"] for row in rows)]
    scale = alt.Scale(domain=series, range=[ACCENT, HELD, SOFT][: len(series)])
    legend = alt.Legend() if len(series) > 1 else None
    labels = alt.Axis(labelAngle=_angle(len({row["when"] for row in rows})))
    return (
        alt.Chart(_data(rows))
        .mark_bar()
        .encode(
            x=alt.X("when:N", title=None, axis=labels),
            xOffset=alt.XOffset("series:N", sort=series),
            y=alt.Y("count:Q", title=None, axis=alt.Axis(grid=True, tickMinStep=1, tickCount=4)),
            color=alt.Color("series:N", scale=scale, sort=series, legend=legend),
        )
        .properties(width=_width(rows), height=160)
    )


def _angle(names: int) -> int:
    """Names that have no room side by side stand upright."""
    return -90 if names > CROWDED else 0


def _width(rows: Rows) -> int:
    """Few bars are not drawn as walls."""
    return max(2 * BAND, min(WIDE, 2 * BAND * len({row["when"] for row in rows})))
