"""Intervals of a share, from `right` of `of` drawn, of an endless population or of one that the draw is a good part of.

Counts may be fractions where labels hang together: an effective number of labels is none of people's.
"""

import math
from bisect import bisect_left
from dataclasses import dataclass

from scipy.stats import beta, hypergeom, norm

ALPHA = 0.05
"""The error that a one-sided verdict may make."""
LEVEL = 0.95
SIZEABLE = 0.05
"""From what part of its population on a draw counts as a good part of it."""


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float


def wilson(right: float, of: float, *, level: float = LEVEL) -> Interval:
    """Two-sided. scipy's own takes whole numbers only."""
    z = float(norm.ppf((1 + level) / 2))
    share, weight = right / of, z * z / of
    middle = share + weight / 2
    reach = z * math.sqrt(max(0.0, share * (1 - share) / of + weight / (4 * of)))
    low, high = (middle - reach) / (1 + weight), (middle + reach) / (1 + weight)
    return Interval(0.0 if right <= 0 else max(0.0, low), 1.0 if right >= of else min(1.0, high))


def bounds(
    right: float, of: float, *, population: int | None = None, alpha: float = ALPHA, effect: float = 1.0
) -> Interval:
    """Two one-sided bounds, each wrong at most `alpha` of the time: Clopper and Pearson's.

    Where the draw is more than a twentieth of `population`, exact by the hypergeometric distribution; a draw of
    all there is gives a point. `effect` is the design effect that the labels are worth less by.
    """
    if of <= 0:
        return Interval(0.0, 1.0)
    if is_sizeable(of, population):
        return _of_finite(right, of, population or 0, alpha=alpha, effect=effect)
    right, of = right / effect, of / effect
    low = float(beta.ppf(alpha, right, of - right + 1)) if right > 0 else 0.0
    high = float(beta.ppf(1 - alpha, right + 1, of - right)) if right < of else 1.0
    return Interval(low, high)


def is_sizeable(of: float, population: int | None) -> bool:
    return population is not None and of > SIZEABLE * population


def _of_finite(right: float, of: float, population: int, *, alpha: float, effect: float) -> Interval:
    """Clusters shrink draw and population alike, and so leave the part that was seen as it is."""
    if of >= population:
        return Interval(right / of, right / of)
    drawn = max(1, math.floor(of / effect))
    all_there_is = max(drawn + 1, math.ceil(population / effect))
    fewest, most = math.floor(right * drawn / of + 1e-9), math.ceil(right * drawn / of - 1e-9)
    low = _fewest_true(fewest, drawn, all_there_is, alpha)
    wrong = _fewest_true(drawn - most, drawn, all_there_is, alpha)
    return Interval(low / all_there_is, 1 - wrong / all_there_is)


def _fewest_true(right: int, drawn: int, population: int, alpha: float) -> int:
    """The smallest number true in the population that shows `right` or more in more than `alpha` of draws."""
    most = population - (drawn - right)
    return right + bisect_left(
        range(right, most), True, key=lambda true: bool(hypergeom.sf(right - 1, population, true, drawn) > alpha)
    )
