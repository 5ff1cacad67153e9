"""Whether precision moved from sample to sample: a p-chart with exact limits."""

import math
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


def chart(samples: Sequence[tuple[int, int]], effects: Sequence[float] = ()) -> Chart:
    """From (right, judged) of each sample in order of time, and by how much its labels are worth less.

    Samples of which nothing was judged are left out.
    """
    given = zip(samples, effects or [1.0] * len(samples), strict=True)
    told = [(right, judged, max(1, math.floor(judged / effect))) for (right, judged), effect in given if judged]
    if not told:
        return Chart()
    centre = sum(right for right, _, _ in told) / sum(judged for _, judged, _ in told)
    points = tuple(Point(right, judged, *_limits(worth, centre)) for right, judged, worth in told)
    last = [(round(right / judged * worth), worth) for right, judged, worth in told[-2:]]
    return Chart(centre, points, fisher(*last) if len(last) > 1 else None)


def _limits(worth: int, centre: float) -> tuple[float, float]:
    low, high = binom.ppf((OUTSIDE, 1 - OUTSIDE), worth, centre) / worth
    return max(0.0, float(low)), float(high)


def fisher(before: tuple[int, int], after: tuple[int, int]) -> float:
    """Fisher's exact test, two-sided, of (right, judged) against (right, judged)."""
    rows = [[right, judged - right] for right, judged in (before, after)]
    return float(fisher_exact(rows).pvalue)
