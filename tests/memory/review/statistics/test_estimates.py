"""Verdicts: simple, stratified, with what could not be told, and of samples at the edge."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.review.standing import Standing
from memory.review.statistics import Estimate, Interval, Reading, Stratum, assess, cut, wilson

READING = Reading(bar=0.9)
ENDLESS = 1_000_000


def of_thirty(right: int, *, unknown: int = 0, population: int = ENDLESS, **reading: object) -> Estimate:
    stratum = Stratum(population, right, 30 - right - unknown, unknown)
    return assess([stratum], replace(READING, **reading))


@pytest.mark.parametrize(
    ("right", "standing"),
    [(23, "below"), (24, "undecided"), (27, "undecided"), (28, "undecided"), (29, "undecided"), (30, "above")],
)
def test_verdict_of_thirty_is_as_tabled(right: int, standing: str):
    assert of_thirty(right).standing == standing


def test_perfect_thirty_shows_the_bound_that_decided_beside_the_interval():
    estimate = of_thirty(30)

    assert (round(estimate.shown.low, 3), estimate.shown.high, round(estimate.deciding.low, 3)) == (0.886, 1, 0.905)


def test_what_cannot_be_told_spans_between_wrong_and_right():
    estimate = of_thirty(24, unknown=4)

    assert (round(estimate.span.low, 3), round(estimate.span.high, 3)) == (0.8, 0.933)
    assert (estimate.rate, estimate.judged, estimate.unknown) == (24 / 26, 26, 4)


def test_above_must_hold_with_all_unknown_ones_wrong():
    known, unknown = of_thirty(30), of_thirty(29, unknown=1)

    assert (known.standing, unknown.standing, unknown.rate) == ("above", "undecided", 1.0)


def test_below_must_hold_with_all_unknown_ones_right():
    known, unknown = of_thirty(22), of_thirty(22, unknown=3)

    assert (known.standing, unknown.standing) == ("below", "undecided")


@pytest.mark.parametrize(("right", "standing"), [(36, "above"), (35, "below")])
def test_all_there_is_decides_without_an_interval(right: int, standing: str):
    estimate = assess([Stratum(40, right, 40 - right)], READING)

    assert estimate.is_census
    assert (estimate.standing, estimate.shown) == (standing, Interval(right / 40, right / 40))


def test_interval_of_a_good_part_of_the_population_is_the_exact_one():
    small, endless = of_thirty(27, population=40), of_thirty(27)

    assert endless.shown == wilson(27, 30)
    assert endless.shown.low < small.shown.low < 0.9 < small.shown.high < endless.shown.high


def test_sample_under_way_has_no_verdict():
    assert of_thirty(30, is_complete=False).standing == Standing.INTERIM


def test_extended_sample_must_clear_a_higher_hurdle():
    first, second = (assess([Stratum(ENDLESS, 45, 1)], replace(READING, look=look)) for look in (1, 2))

    assert (first.standing, second.standing) == ("above", "undecided")


def test_labels_that_hang_together_are_worth_fewer():
    estimate = of_thirty(30, effect=3.0)

    assert (estimate.standing, estimate.effective, estimate.rate) == ("undecided", 10, 1.0)


def test_unequal_strata_are_weighted_as_tabled():
    strata = [Stratum(600, 10, 0), Stratum(300, 9, 1), Stratum(100, 6, 4)]

    estimate = assess(strata, replace(READING, seed=7))

    assert (round(estimate.right / estimate.judged, 3), round(estimate.rate, 3)) == (0.833, 0.93)
    assert estimate.shown.low == pytest.approx(0.77, abs=0.015)
    assert estimate.shown.high == pytest.approx(0.96, abs=0.015)
    assert estimate.deciding.low == pytest.approx(0.80, abs=0.015)
    assert estimate.standing == "undecided"


def test_stratified_draws_are_the_same_for_the_same_seed():
    strata = [Stratum(600, 10, 0), Stratum(100, 6, 4)]

    assert assess(strata, replace(READING, seed=1)) == assess(strata, replace(READING, seed=1))
    assert assess(strata, replace(READING, seed=1)) != assess(strata, replace(READING, seed=2))


def test_stratum_with_one_label_is_no_certainty():
    estimate = assess([Stratum(500, 1, 0), Stratum(500, 1, 0)], READING)

    assert (estimate.rate, estimate.standing) == (1.0, "undecided")
    assert estimate.shown.low < 0.5


def test_stratum_that_is_nearly_all_cannot_be_above_by_twenty_labels():
    estimate = assess([Stratum(9300, 20, 0), Stratum(500, 20, 0), Stratum(200, 20, 0)], READING)

    assert (estimate.standing, round(estimate.deciding.low, 2)) == ("undecided", 0.88)


def test_stratified_draw_of_all_there_is_gives_a_point():
    estimate = assess([Stratum(10, 10, 0), Stratum(10, 9, 1)], READING)

    assert (estimate.rate, estimate.shown, estimate.standing) == (0.95, Interval(0.95, 0.95), "above")


@pytest.mark.parametrize(
    "strata",
    [
        [Stratum(0, 0, 0)],
        [Stratum(40, 0, 0)],
        [Stratum(40, 0, 0, 30)],
        [Stratum(0, 0, 0), Stratum(0, 0, 0)],
        [Stratum(40, 0, 0, 5), Stratum(40, 0, 0, 5)],
    ],
    ids=["empty", "nothing drawn", "all can't tell", "empty strata", "strata of can't tell"],
)
def test_sample_that_says_nothing_is_undecided(strata: list[Stratum]):
    estimate = assess(strata, READING)

    assert (estimate.rate, estimate.shown, estimate.needed, estimate.standing) == (None, None, None, "undecided")
    assert (estimate.deciding.low, estimate.deciding.high) == pytest.approx((0, 1), abs=0.01)


def test_one_label_is_undecided_and_says_how_many_more():
    estimate = assess([Stratum(ENDLESS, 1, 0)], READING)

    assert (estimate.standing, estimate.needed) == ("undecided", 30)


def test_stratum_of_which_nothing_was_judged_leaves_the_rate_to_the_others():
    estimate = assess([Stratum(100, 9, 1), Stratum(100, 0, 0, 3)], READING)

    assert (estimate.rate, estimate.standing) == (0.9, "undecided")


STRATA = st.lists(
    st.builds(
        lambda right, wrong, unknown, more: Stratum(right + wrong + unknown + more, right, wrong, unknown),
        *[st.integers(0, 30)] * 3,
        st.integers(0, 2000),
    ),
    min_size=1,
    max_size=4,
)


@settings(deadline=None, max_examples=50)
@given(STRATA, st.floats(1, 5), st.integers(1, 3))
def test_every_sample_has_numbers_in_order(strata: list[Stratum], effect: float, look: int):
    estimate = assess(strata, replace(READING, effect=effect, look=look))

    assert 0 <= estimate.span.low <= estimate.span.high <= 1
    assert 0 <= estimate.deciding.low <= estimate.deciding.high <= 1
    if estimate.rate is not None and estimate.shown is not None:
        assert 0 <= estimate.shown.low <= estimate.shown.high <= 1
        assert 0 <= estimate.rate <= 1


def test_slice_under_eight_has_a_count_and_no_rate():
    small, large = cut([1.0] * 7, []), cut([1.0] * 7, [1.0])

    assert (small.judged, small.rate, small.shown) == (7, None, None)
    assert (large.rate, large.shown) == (7 / 8, wilson(7, 8))


def test_slice_of_unequal_weights_is_weighted_and_worth_less():
    part = cut([3.0] * 10, [1.0] * 10)

    assert part.rate == 0.75
    assert part.shown == wilson(0.75 * 16, 16)
