"""How many labels a verdict takes; what looking again costs."""

import numpy as np
import pytest
from scipy.stats import binom

from memory.review.statistics import alpha_at, bounds, needed, smallest_above


@pytest.mark.parametrize(("errors", "labels"), [(0, 29), (1, 46), (2, 61), (3, 76), (4, 89), (5, 103), (10, 167)])
def test_fewest_labels_above_the_bar_are_as_tabled(errors: int, labels: int):
    assert smallest_above(errors, 0.9) == labels
    assert bounds(labels - errors, labels).low >= 0.9 > bounds(labels - errors - 1, labels - 1).low


@pytest.mark.parametrize(("rate", "labels"), [(28 / 30, 240), (29 / 30, 80), (1.0, 30), (24 / 30, 40)])
def test_needed_decides_at_the_present_rate(rate: float, labels: int):
    assert needed(rate, 0.9) == labels


@pytest.mark.parametrize("rate", [28 / 30, 29 / 30, 0.95, 1.0])
def test_needed_labels_clear_the_bar_if_they_go_on_so(rate: float):
    labels = needed(rate, 0.9)

    assert labels is not None
    first = next(n for n in range(1, labels + 1) if bounds(n - np.ceil(round(n * (1 - rate), 6)), n).low >= 0.9)
    assert labels - 10 < first <= labels


def test_needed_is_none_at_the_bar_itself():
    assert needed(0.9, 0.9) is None


def test_needed_is_never_more_than_there_is():
    assert [needed(28 / 30, 0.9, population=population) for population in (1_000_000, 500, 100, 35)] == [
        240,
        170,
        80,
        35,
    ]


def test_needed_grows_with_what_hangs_together():
    assert needed(1.0, 0.9, effect=2.0) == 60


def test_alpha_shrinks_with_every_look():
    assert [alpha_at(look) for look in (1, 2, 3)] == [0.05, 0.003125, 0.0015625]


@pytest.mark.parametrize(("times", "more"), [(1, 0), (0, 30), (3, 0)], ids=["doubled", "thirty", "fourfold"])
def test_looking_four_times_is_wrong_under_five_percent_just_under_the_bar(times: int, more: int):
    """Exact, over every path that a sample extended while undecided can take."""
    worst = max(_ever_above([n + look * (times * n + more) for look in range(4)]) for n in (*range(20, 130), 203, 215))

    assert worst < 0.05


def test_looking_again_at_full_error_would_be_wrong_more_often():
    """What the split is for."""
    assert _ever_above([30, 60, 90, 120, 150, 180, 210, 240], alphas=[0.05] * 8) > 0.09


def _ever_above(sizes: list[int], *, alphas: list[float] | None = None, true: float = 0.899) -> float:
    undecided, wrong, before = np.array([1.0]), 0.0, 0
    for size, alpha in zip(sizes, alphas or [alpha_at(look) for look in range(1, 9)], strict=False):
        undecided = np.convolve(undecided, binom.pmf(np.arange(size - before + 1), size - before, true))
        is_above = binom.sf(np.arange(size + 1) - 1, size, 0.9) <= alpha
        wrong += float(undecided[is_above].sum())
        undecided, before = np.where(is_above, 0, undecided), size
    return wrong
