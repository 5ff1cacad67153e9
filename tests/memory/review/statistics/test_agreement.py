import pytest

from memory.review.statistics import agree


def test_agreement_at_high_prevalence_is_as_tabled():
    shared = [["correct", "correct"]] * 27 + [["correct", "incorrect"]] * 3

    found = agree(shared)

    assert (found.shared, round(found.raw, 2), round(found.alpha, 2), round(found.ac1, 2)) == (30, 0.9, -0.04, 0.89)
    assert found.table == {("correct", "correct"): 27, ("correct", "incorrect"): 3}


@pytest.mark.parametrize("label", ["correct", "incorrect", "cant_tell"])
def test_labels_all_alike_leave_alpha_and_ac1_undefined(label: str):
    found = agree([[label, label]] * 30)

    assert (found.shared, found.raw, found.alpha, found.ac1) == (30, 1.0, None, None)


@pytest.mark.parametrize("labels", [[], [["correct"]], [["correct"], ["incorrect"]]])
def test_nothing_shared_is_none(labels: list[list[str]]):
    found = agree(labels)

    assert (found.shared, found.raw, found.alpha, found.ac1, dict(found.table)) == (0, None, None, None, {})


def test_items_with_one_label_say_nothing():
    assert agree([["correct", "stale"], ["stale"]]) == agree([["correct", "stale"]])


def test_perfect_agreement_over_two_labels_is_one():
    found = agree([["correct", "correct"], ["incorrect", "incorrect"]])

    assert (found.raw, found.alpha, found.ac1) == (1.0, 1.0, 1.0)


def test_three_reviewers_agree_by_pairs():
    found = agree([["correct", "correct", "incorrect"], ["correct", "correct", "correct"]])

    assert found.raw == pytest.approx(2 / 3)
    assert found.table == {("correct", "correct"): 4, ("correct", "incorrect"): 2}
