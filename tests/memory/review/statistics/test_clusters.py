import numpy as np
import pytest

from memory.review.statistics import design_effect


def test_labels_each_their_own_are_worth_all():
    assert design_effect([1, 0, 1], ["a", "b", "c"]) == 1.0


@pytest.mark.parametrize(
    ("values", "clusters"),
    [([1, 1, 1, 1], "aabb"), ([1, 0, 1, 0], "aaaa"), ([], "")],
    ids=["all alike", "one cluster", "none"],
)
def test_what_cannot_be_told_is_none(values: list[float], clusters: str):
    assert design_effect(values, clusters) is None


def test_clusters_of_one_mind_are_worth_one_label_each():
    assert design_effect([1, 1, 1, 0, 0, 0], "aaabbb") == pytest.approx(3.0)


def test_clusters_that_differ_within_are_worth_all():
    assert design_effect([1, 0, 1, 0, 1, 0], "aabbcc") == 1.0


def test_effect_comes_near_the_one_it_was_made_with():
    random = np.random.default_rng(3)
    rates = random.beta(9 * 0.8, 0.8, 400)  # intraclass correlation 1 / (1 + 8) = .111…
    values = random.binomial(1, np.repeat(rates, 10))

    found = design_effect(values.tolist(), np.repeat(np.arange(400), 10).tolist())

    assert found == pytest.approx(1 + 9 / 9, abs=0.3)
