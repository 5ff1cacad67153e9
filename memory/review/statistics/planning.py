"""How many labels a verdict takes, and what error a look at an extended sample may make."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom, hypergeom

from memory.review.statistics.intervals import ALPHA, SIZEABLE

FEW, MOST = 500, 20_000
"""What is looked through first; more labels than the other nobody gives."""


def alpha_at(look: int) -> float:
    """The one-sided error of a look: all of it for a sample that was never extended, then less with every extension.

    The first look has been had at full error before anyone knows of a second, so plain halves would add up to
    more than was allowed: with these the verdict *above* stays wrong less than 5 % of the time just under the bar.
    """
    return ALPHA if look <= 1 else ALPHA / 2 ** (look + 2)


def smallest_above(errors: int, bar: float, *, alpha: float = ALPHA) -> int:
    """The fewest labels that show *above the bar* in spite of so many errors."""
    drawn = np.arange(errors + 1, MOST)
    return int(drawn[_chance_above(drawn - errors, drawn, bar) <= alpha][0])


def needed(rate: float, bar: float, *, population: int | None = None, effect: float = 1.0) -> int | None:
    """About how many labels, of a fresh sample, decide if they go on as so far; None where no number does."""
    most = MOST if population is None else min(MOST, population)
    deciding = _first(rate, bar, min(FEW, most), population) or _first(rate, bar, most, population)
    if deciding is None:
        return population if population is not None and population <= MOST and rate != bar else None
    found = _rounded(deciding * effect)
    return found if population is None else min(found, population)


def _first(rate: float, bar: float, most: int, population: int | None) -> int | None:
    """The smallest number of labels up to `most` that decides."""
    drawn = np.arange(1, most + 1)
    if rate >= bar:
        right = drawn - np.ceil(np.round(drawn * (1 - rate), 6)).astype(int)
        chance = _above(right, drawn, bar, population)
    else:
        right = np.ceil(np.round(drawn * rate, 6)).astype(int)
        chance = _below(right, drawn, bar, population)
    deciding = drawn[chance <= ALPHA]
    return int(deciding[0]) if len(deciding) else None


def _rounded(number: float) -> int:
    """Up to the next ten: more would be false precision."""
    return math.ceil(number / 10) * 10


def _above(right: NDArray[np.int_], drawn: NDArray[np.int_], bar: float, population: int | None) -> NDArray[np.float64]:
    """How often a population just under the bar shows so many right or more."""
    chance = _chance_above(right, drawn, bar)
    if population is None:
        return chance
    true = math.ceil(round(bar * population, 6)) - 1
    return np.where(drawn > SIZEABLE * population, hypergeom.sf(right - 1, population, true, drawn), chance)


def _below(right: NDArray[np.int_], drawn: NDArray[np.int_], bar: float, population: int | None) -> NDArray[np.float64]:
    """How often a population at the bar shows so few right or fewer."""
    chance: NDArray[np.float64] = binom.cdf(right, drawn, bar)
    if population is None:
        return chance
    true = math.ceil(round(bar * population, 6))
    return np.where(drawn > SIZEABLE * population, hypergeom.cdf(right, population, true, drawn), chance)


def _chance_above(right: NDArray[np.int_], drawn: NDArray[np.int_], bar: float) -> NDArray[np.float64]:
    chance: NDArray[np.float64] = binom.sf(right - 1, drawn, bar)
    return chance
