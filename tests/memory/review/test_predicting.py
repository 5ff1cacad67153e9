"""What labels say of a policy that is not in force yet."""

from datetime import timedelta
from typing import Any

import pytest
from statsmodels.stats.proportion import proportion_confint

from memory import policy, scope
from memory.policy import Policy
from memory.review import predicting
from tests import labelled
from tests.factories import WHEN
from tests.labelled import CORRECT, INCORRECT

pytestmark = pytest.mark.django_db


def with_thresholds(**thresholds: Any) -> Policy:
    return policy.build(1, {"thresholds": thresholds})


def curve(of: Policy) -> dict[str, Any]:
    with scope.staff():
        return predicting.curve(of)


def report(new: Policy) -> dict[str, Any]:
    with scope.staff():
        said = predicting.report(policy.default(), new, lost=(), refused=())
    assert said is not None
    return said


def test_curve_without_a_sample_has_no_points() -> None:
    assert (curve(policy.default())["points"], curve(policy.default())["suggested"]) == ([], None)


def test_curve_point_has_wilsons_interval_of_what_is_kept() -> None:
    sample = labelled.closed_sample()
    labelled.add_items(sample, *[CORRECT] * 40, *[INCORRECT] * 5, confidence=0.9)
    labelled.add_items(sample, *[CORRECT] * 10, *[INCORRECT] * 10, confidence=0.4)

    points = {point["at"]: point for point in curve(policy.default())["points"]}

    low, high = proportion_confint(40, 45, method="wilson")
    assert points[0.5]["rate"] == pytest.approx(40 / 45)
    assert (points[0.5]["shown"]["low"], points[0.5]["shown"]["high"]) == pytest.approx((low, high))
    assert points[0.5]["kept"] == pytest.approx(45 / 65)
    assert points[0.0]["kept"] == 1


def test_curve_suggests_the_smallest_that_surely_clears_the_bar() -> None:
    sample = labelled.closed_sample()
    labelled.add_items(sample, *[CORRECT] * 80, confidence=0.9)
    labelled.add_items(sample, *[INCORRECT] * 30, confidence=0.52)

    assert curve(policy.default())["suggested"] == 0.55


def test_curve_above_the_bar_suggests_nothing() -> None:
    labelled.add_items(labelled.closed_sample(), *[CORRECT] * 80, confidence=0.9)

    assert curve(policy.default())["suggested"] is None


def test_curve_that_never_clears_the_bar_suggests_nothing() -> None:
    labelled.add_items(labelled.closed_sample(), *[CORRECT] * 20, *[INCORRECT] * 20, confidence=0.9)

    assert curve(policy.default())["suggested"] is None


def test_shorter_half_life_keeps_what_was_fresh_when_drawn() -> None:
    sample = labelled.closed_sample()
    labelled.add_items(sample, *[CORRECT] * 10, kind="goal", confidence=0.9, said_at=WHEN)
    labelled.add_items(sample, *[INCORRECT] * 10, kind="goal", confidence=0.45, said_at=WHEN - timedelta(days=90))

    said = report(with_thresholds(half_life_days={**policy.default().thresholds.half_life_days, "goal": 45}))

    assert (said["before"]["right"], said["before"]["wrong"], said["before"]["kept"]) == (10, 10, 1)
    assert (said["after"]["right"], said["after"]["wrong"], said["after"]["kept"]) == (10, 0, 0.5)


def test_open_sample_predicts_nothing() -> None:
    sample = labelled.make_sample(size=2, closed_at=None, strata={"": [9, 2]})
    labelled.add_items(sample, CORRECT, INCORRECT)

    with scope.staff():
        assert predicting.report(policy.default(), with_thresholds(ceiling=2), lost=(), refused=()) is None
