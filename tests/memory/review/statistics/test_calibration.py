import pytest

from memory.review.statistics import calibrate, wilson


def test_band_has_its_rate_with_whiskers():
    found = calibrate([0.85] * 10, [True] * 8 + [False] * 2, [1.0] * 10)

    (band,) = found.bands
    assert (band.low, band.high, band.mean, band.slice.rate) == (0.8, 0.9, pytest.approx(0.85), 0.8)
    assert band.slice.shown == wilson(8, 10)


def test_brier_and_error_are_by_hand():
    found = calibrate([0.9, 0.9, 0.5, 0.5], [True, False, True, False], [1.0] * 4)

    assert found.brier == pytest.approx((0.01 + 0.81 + 0.25 + 0.25) / 4)
    assert found.error == pytest.approx(0.5 * 0.4 + 0.5 * 0)


def test_weights_count():
    assert calibrate([1.0, 1.0], [True, False], [3.0, 1.0]).brier == pytest.approx(0.25)


def test_small_band_has_no_rate():
    (band,) = calibrate([0.5] * 7, [True] * 7, [1.0] * 7).bands

    assert (band.slice.judged, band.slice.rate) == (7, None)


def test_full_and_no_confidence_have_their_bands():
    found = calibrate([0.0, 1.0], [False, True], [1.0] * 2)

    assert [(band.low, band.high) for band in found.bands] == [(0.0, 0.3), (0.9, 1.0)]


def test_nothing_judged_has_no_calibration():
    found = calibrate([], [], [])

    assert (found.judged, found.brier, found.error, found.bands) == (0, None, None, ())
