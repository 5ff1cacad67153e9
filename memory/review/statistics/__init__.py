"""What labels allow to be said: pure functions over counts. Never the normal approximation."""

from memory.review.statistics.agreement import Agreement, agree
from memory.review.statistics.calibration import Band, Calibration, calibrate
from memory.review.statistics.clusters import design_effect
from memory.review.statistics.drift import Chart, Point, chart, fisher
from memory.review.statistics.estimates import Estimate, Reading, Slice, Stratum, assess, cut
from memory.review.statistics.intervals import Interval, bounds, wilson
from memory.review.statistics.planning import alpha_at, needed, smallest_above

__all__ = [
    "Agreement",
    "Band",
    "Calibration",
    "Chart",
    "Estimate",
    "Interval",
    "Point",
    "Reading",
    "Slice",
    "Stratum",
    "agree",
    "alpha_at",
    "assess",
    "bounds",
    "calibrate",
    "chart",
    "cut",
    "design_effect",
    "fisher",
    "needed",
    "smallest_above",
    "wilson",
]
