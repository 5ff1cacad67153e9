import pytest
from scipy.stats import binom

from memory.review.statistics import chart, fisher


def test_fall_from_27_to_22_of_30_is_no_change_that_could_be_told():
    assert round(fisher((27, 30), (22, 30)), 2) == 0.18


def test_chart_has_its_centre_and_exact_limits():
    found = chart([(27, 30), (22, 30)])

    centre = 49 / 60
    limits = tuple(float(binom.ppf(q, 30, centre)) / 30 for q in (0.00135, 0.99865))
    assert (found.centre, found.points[0].low, found.points[0].high) == (centre, *limits)
    assert [point.is_outside for point in found.points] == [False, False]
    assert round(found.change, 2) == 0.18


def test_sample_far_off_lies_outside():
    found = chart([(95, 100)] * 9 + [(70, 100)])

    assert [point.is_outside for point in found.points] == [False] * 9 + [True]
    assert found.change < 0.001


@pytest.mark.parametrize("samples", [[], [(0, 0)]])
def test_no_sample_has_no_chart(samples: list[tuple[int, int]]):
    found = chart(samples)

    assert (found.centre, found.points, found.change) == (None, (), None)


def test_single_sample_has_no_change():
    found = chart([(30, 30)])

    assert (found.centre, found.change, found.points[0].high) == (1.0, None, 1.0)


def test_labels_that_hang_together_move_the_chart_by_what_they_are_worth():
    alone = chart([(290, 300), (250, 300)])
    together = chart([(290, 300), (250, 300)], effects=[10.0, 10.0])
    few = chart([(29, 30), (25, 30)])

    assert (alone.change < 0.001, together.change < 0.05) == (True, False)
    assert together.change == few.change
    assert [(each.low, each.high) for each in together.points] == [(each.low, each.high) for each in few.points]
    assert [(each.right, each.judged) for each in together.points] == [(290, 300), (250, 300)]
