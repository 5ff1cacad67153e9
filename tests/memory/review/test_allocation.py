"""Shares of strata: in all exactly what was asked for, none above what there is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import InvalidSample
from memory.review.allocation import allocate

STRATA = st.dictionaries(st.text(max_size=3), st.integers(0, 10_000), min_size=1, max_size=30)


@given(st.integers(1, 5_000), STRATA)
def test_shares_add_up_to_what_was_asked_or_all_there_is(size: int, strata: dict[str, int]):
    assert sum(allocate(size, strata).values()) == min(size, sum(strata.values()))


@given(st.integers(1, 5_000), STRATA)
def test_share_is_within_one_of_what_is_due_and_never_above_what_there_is(size: int, strata: dict[str, int]):
    total = sum(strata.values())

    for name, share in allocate(size, strata).items():
        assert 0 <= share <= strata[name]
        assert abs(share * total - min(size, total) * strata[name]) < total


@given(st.integers(30, 5_000), STRATA)
def test_at_least_one_leaves_no_stratum_empty_and_the_sum_alone(size: int, strata: dict[str, int]):
    there = {name: count for name, count in strata.items() if count}

    try:
        shares = allocate(size, strata, at_least_one=True)
    except InvalidSample:
        assert min(size, sum(there.values())) < len(there)
        return

    assert sum(shares.values()) == min(size, sum(there.values()))
    assert all(1 <= shares[name] <= there[name] for name in there)


def test_order_of_strata_makes_no_difference():
    strata = {"a": 5, "b": 5, "c": 5}

    assert allocate(7, strata) == allocate(7, dict(reversed(strata.items())))


def test_example_of_the_statistics_page():
    assert allocate(30, {"x": 600, "y": 300, "z": 100}) == {"x": 18, "y": 9, "z": 3}


def test_more_strata_than_items_cannot_have_one_each():
    with pytest.raises(InvalidSample, match="one of each of 3 strata"):
        allocate(2, {"a": 9, "b": 9, "c": 9}, at_least_one=True)
