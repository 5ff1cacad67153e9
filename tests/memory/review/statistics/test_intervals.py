"""Intervals against scipy's and statsmodels', and the values that the report must show."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, hypergeom
from statsmodels.stats.proportion import proportion_confint

from memory.review.statistics import bounds, wilson
from memory.review.statistics.intervals import is_sizeable

GRID = [
    (right, of) for of in (1, 2, 5, 8, 29, 30, 60, 167, 1000) for right in {0, 1, of // 2, of - 1, of} if right <= of
]


@pytest.mark.parametrize(
    ("right", "low", "high"),
    [
        (23, 0.591, 0.882),
        (24, 0.627, 0.905),
        (27, 0.744, 0.965),
        (28, 0.787, 0.982),
        (29, 0.833, 0.994),
        (30, 0.886, 1.0),
    ],
)
def test_wilson_of_thirty_is_as_tabled(right: int, low: float, high: float):
    interval = wilson(right, 30)

    assert (round(interval.low, 3), round(interval.high, 3)) == (low, high)


@pytest.mark.parametrize(
    ("right", "low"), [(23, 0.606), (24, 0.643), (27, 0.761), (28, 0.805), (29, 0.851), (30, 0.905)]
)
def test_one_sided_lower_bound_of_thirty_is_as_tabled(right: int, low: float):
    assert round(bounds(right, 30).low, 3) == low


@pytest.mark.parametrize(("right", "of"), GRID)
def test_wilson_is_that_of_scipy_and_statsmodels(right: int, of: int):
    interval = wilson(right, of)

    scipys = binomtest(right, of).proportion_ci(method="wilson")
    assert (interval.low, interval.high) == pytest.approx((scipys.low, scipys.high), abs=1e-12)
    assert (interval.low, interval.high) == pytest.approx(proportion_confint(right, of, method="wilson"), abs=1e-12)


@pytest.mark.parametrize(("right", "of"), GRID)
@pytest.mark.parametrize("alpha", [0.05, 0.0125])
def test_bounds_are_those_of_scipy_and_statsmodels(right: int, of: int, alpha: float):
    interval = bounds(right, of, alpha=alpha)

    test = binomtest(right, of, alternative="greater").proportion_ci(1 - alpha, method="exact")
    other = binomtest(right, of, alternative="less").proportion_ci(1 - alpha, method="exact")
    low, high = proportion_confint(right, of, alpha=2 * alpha, method="beta")
    assert (interval.low, interval.high) == pytest.approx((test.low, other.high), abs=1e-12)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-12)


@pytest.mark.parametrize(("population", "low"), [(40, 0.825), (60, 0.8), (100, 0.79), (300, 0.77), (1000, 0.764)])
def test_lower_bound_of_27_in_a_small_population_is_as_tabled(population: int, low: float):
    interval = bounds(27, 30, population=population) if population < 1000 else bounds(27, 30, population=599)

    exact = [true for true in range(population + 1) if hypergeom.sf(26, population, true, 30) > 0.05]
    assert round(min(exact) / population, 3) == low
    if population < 600:
        assert interval.low == min(exact) / population


def test_population_of_which_little_was_drawn_counts_as_endless():
    assert bounds(27, 30, population=1000) == bounds(27, 30)


@pytest.mark.parametrize("right", [0, 1, 37, 40])
def test_draw_of_all_there_is_gives_a_point(right: int):
    interval = bounds(right, 40, population=40)

    assert (interval.low, interval.high) == (right / 40, right / 40)


def test_nothing_drawn_says_nothing():
    interval = bounds(0, 0, population=0)

    assert (interval.low, interval.high) == (0.0, 1.0)


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 60), st.data())
def test_hypergeometric_bounds_hold_what_every_population_can_show(of: int, data: st.DataObject):
    population = data.draw(st.integers(of + 1, 20 * of - 1), label="population")
    right = data.draw(st.integers(0, of), label="right")

    interval = bounds(right, of, population=population)

    likely = [
        true
        for true in range(right, population - of + right + 1)
        if hypergeom.sf(right - 1, population, true, of) > 0.05
    ]
    other = [
        true for true in range(right, population - of + right + 1) if hypergeom.cdf(right, population, true, of) > 0.05
    ]
    assert (interval.low, interval.high) == pytest.approx((min(likely) / population, max(other) / population))


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 400), st.data())
def test_intervals_hold_the_share_within_nought_and_one(of: int, data: st.DataObject):
    right = data.draw(st.integers(0, of))
    population = data.draw(st.none() | st.integers(of, 10_000))
    effect = data.draw(st.floats(1, 20))

    interval = bounds(right, of, population=population, effect=effect)
    shown = wilson(right / effect, of / effect)

    for each in (interval, shown):
        assert 0 <= each.low <= right / of + 1e-9
        assert right / of - 1e-9 <= each.high <= 1
        assert not math.isnan(each.low + each.high)


@pytest.mark.parametrize("population", [None, 100])
def test_labels_that_hang_together_widen_the_bounds(population: int | None):
    alone, together = (bounds(27, 30, population=population, effect=effect) for effect in (1.0, 2.0))

    assert together.low < alone.low < alone.high < together.high


def test_sizeable_begins_over_a_twentieth():
    assert [is_sizeable(30, population) for population in (None, 600, 599, 30)] == [False, False, True, True]
