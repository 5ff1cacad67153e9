"""Whether precision moved from sample to sample: a p-chart with exact limits."""

from collections.abc import Sequence
from dataclasses import dataclass

from scipy.stats import binom, fisher_exact

OUTSIDE = 0.00135
"""How often each limit is crossed by chance: that of three standard deviations."""


@dataclass(frozen=True, slots=True)
class Point:
    """One sample, and between which shares it should lie if nothing changed."""

    right: int
    judged: int
    low: float
    high: float

    @property
    def rate(self) -> float:
        return self.right / self.judged

    @property
    def is_outside(self) -> bool:
        return not self.low <= self.rate <= self.high


@dataclass(frozen=True, slots=True)
class Chart:
    """`change` is the chance of a difference as large as that between the last two samples if there were none."""

    centre: float | None = None
    points: tuple[Point, ...] = ()
    change: float | None = None


def chart(samples: Sequence[tuple[int, int]]) -> Chart:
    """From (right, judged) of each sample in order of time. Samples of which nothing was judged are left out."""
    told = [(right, judged) for right, judged in samples if judged]
    if not told:
        return Chart()
    centre = sum(right for right, _ in told) / sum(judged for _, judged in told)
    points = tuple(Point(right, judged, *_limits(judged, centre)) for right, judged in told)
    return Chart(centre, points, fisher(*told[-2:]) if len(told) > 1 else None)


def _limits(judged: int, centre: float) -> tuple[float, float]:
    low, high = binom.ppf((OUTSIDE, 1 - OUTSIDE), judged, centre) / judged
    return max(0.0, float(low)), float(high)


def fisher(before: tuple[int, int], after: tuple[int, int]) -> float:
    """Fisher's exact test, two-sided, of (right, judged) against (right, judged)."""
    rows = [[right, judged - right] for right, judged in (before, after)]
    return float(fisher_exact(rows).pvalue)
