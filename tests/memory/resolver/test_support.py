"""Inferences wait for support, and take no part until it comes."""

from datetime import date

import pytest

from memory.types import Basis, Relation
from tests.memory.resolver.telling import (
    believe,
    changed,
    inferred,
    on,
    relation,
    said,
    statuses,
    with_thresholds,
)


@pytest.mark.parametrize(
    ("predicate", "obj"),
    [("likes", "tea"), ("programs_in", "Zig"), ("lives_in", "Köln"), ("eats", "pescado"), ("interested_in", "шахматы")],
)
def test_hint_alone_is_held(predicate: str, obj: str) -> None:
    hint = inferred(obj, predicate=predicate)

    folded = believe(hint)

    assert (folded.facts, folded.decisions, folded.held) == ((), (), (hint.id,))


@pytest.mark.parametrize("gap", [0.5, 30, 90])
def test_second_hint_in_time_makes_a_fact_of_both(gap: float) -> None:
    first, second = inferred("tea", predicate="likes"), inferred("tea", gap, predicate="likes")

    folded = believe(first, second)

    [fact] = folded.facts
    assert (fact.claims, fact.basis, fact.source) == ((first.id, second.id), Basis.INFERRED, "inferred")
    assert (relation(folded, first), relation(folded, second)) == (Relation.DUPLICATE, Relation.NEW)
    assert folded.held == ()


def test_second_hint_too_late_waits_anew() -> None:
    first, second = inferred("tea", predicate="likes"), inferred("tea", 90.1, predicate="likes")

    folded = believe(first, second)

    assert (folded.facts, folded.held, folded.unsupported) == ((), (second.id,), (first.id,))


def test_hint_that_came_late_bridges_two_too_far_apart() -> None:
    hints = [inferred("tea", day, predicate="likes") for day in (0, 160, 80)]

    folded = believe(*hints)

    assert [len(fact.claims) for fact in folded.facts] == [3]


def test_hints_each_within_reach_of_the_one_before_add_up() -> None:
    hints = [inferred("tea", day, predicate="likes") for day in (0, 80, 160)]

    folded = believe(*hints, under=with_thresholds(min_support=3))

    assert [len(fact.claims) for fact in folded.facts] == [3]


def test_second_hint_of_the_same_episode_is_no_support() -> None:
    hints = [inferred("tea", hour=hour, predicate="likes", episode=1) for hour in (0, 1)]

    folded = believe(*hints)

    assert folded.held == tuple(hint.id for hint in hints)


def test_hint_at_something_else_is_no_support() -> None:
    assert believe(inferred("tea", predicate="likes"), inferred("coffee", 5, predicate="likes")).facts == ()


def test_support_needed_is_the_policys() -> None:
    hints = [inferred("tea", day, predicate="likes") for day in (0, 5)]

    assert believe(hints[0], under=with_thresholds(min_support=1)).held == ()
    assert believe(*hints, under=with_thresholds(min_support=3)).facts == ()


@pytest.mark.parametrize("count", [2, 5, 30])
def test_inferred_fact_stays_under_its_cap(count: int) -> None:
    folded = believe(*(inferred("tea", day, predicate="likes") for day in range(count)))

    assert [fact.confidence for fact in folded.facts] == [0.60]


def test_inferred_fact_stated_at_last_rises_above_the_cap() -> None:
    hints = [inferred("tea", day, predicate="likes") for day in (0, 5)]

    folded = believe(*hints, said("tea", 9, predicate="likes"))

    assert [(fact.confidence, fact.basis, fact.source) for fact in folded.facts] == [(0.99, Basis.STATED, "user")]


def test_hint_at_what_is_known_supports_it_without_waiting() -> None:
    folded = believe(said("tea", predicate="likes"), inferred("tea", 9, predicate="likes"))

    assert [(len(fact.claims), fact.last_supported_at) for fact in folded.facts] == [(2, on(9))]


def test_hint_that_waited_supports_what_is_stated_in_time() -> None:
    hint = inferred("tea", predicate="likes")

    folded = believe(hint, said("tea", 60, predicate="likes"))

    assert [len(fact.claims) for fact in folded.facts] == [2]
    assert relation(folded, hint) == Relation.DUPLICATE


def test_hint_that_waited_too_long_does_not_support_what_is_stated() -> None:
    hint = inferred("tea", predicate="likes")

    folded = believe(hint, said("tea", 200, predicate="likes"))

    assert [len(fact.claims) for fact in folded.facts] == [1]
    assert folded.unsupported == (hint.id,)


def test_hint_at_other_days_is_no_support_for_what_passes() -> None:
    hint = inferred("Lisbon", expires_on=date(2024, 3, 9))
    until_friday = said("Lisbon", 10, expires_on=date(2024, 3, 15))

    folded = believe(hint, until_friday)

    assert [fact.claims for fact in folded.facts] == [(until_friday.id,)]
    assert folded.unsupported == (hint.id,)


def test_hint_held_takes_no_part() -> None:
    folded = believe(inferred("Oslo"), said("Bergen", 1), changed("Trondheim", 2))

    assert statuses(folded) == [("Bergen", "superseded"), ("Trondheim", "active")]


def test_hint_at_what_is_over_supports_nothing_of_now() -> None:
    hint = inferred("Oslo", valid_to="2018")

    folded = believe(hint, inferred("Oslo", 5), said("Oslo", 9))

    assert [(len(fact.claims), fact.valid_to) for fact in folded.facts] == [(2, None)]
    assert folded.held == (hint.id,)
