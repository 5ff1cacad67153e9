"""Rules 7 and 8: what is newer and sure takes the place of the old; anything else is a question."""

import pytest

from memory.types import Relation
from tests.memory.resolver.telling import (
    believe,
    changed,
    decision,
    fact_of,
    inferred,
    live,
    relation,
    said,
    statuses,
    with_thresholds,
)

CAREFUL = with_thresholds(update_window_days=7)
SETTLING = with_thresholds(auto_settle=True)


@pytest.mark.parametrize(
    ("predicate", "old", "new"),
    [
        ("lives_in", "Oslo", "Bergen"),
        ("works_at", "Müller GmbH", "Schmidt AG"),
        ("works_as", "profesora", "directora"),
        ("editor", "Emacs", "Vim"),
        ("favourite_band", "ABBA", "Кино"),
        ("deadline", "15 October", "16 October"),
        ("time_zone", "Europe/Oslo", "UTC"),
    ],
)
def test_newer_word_of_the_user_takes_the_place(predicate: str, old: str, new: str) -> None:
    update = said(new, 1, predicate=predicate)

    folded = believe(said(old, predicate=predicate), update)

    assert statuses(folded) == [(old, "superseded"), (new, "active")]
    assert (folded.facts[0].superseded_by, folded.facts[0].valid_to) == (1, "2024-03-02")
    assert [fact.is_exclusive for fact in folded.facts] == [False, True]
    assert (relation(folded, update), decision(folded, update).against) == (Relation.UPDATE, 0)


@pytest.mark.parametrize(
    ("predicate", "old", "new"),
    [
        ("lives_in", "Oslo", "Bergen"),
        ("deploys_to", "staging", "production"),
        ("lives_in", "Köln", "Bonn"),
        ("database", "MySQL", "Postgres"),
        ("works_at", "Яндекс", "Озон"),
        ("deadline", "15 October", "16 October"),
    ],
)
def test_other_value_within_the_window_is_a_question(predicate: str, old: str, new: str) -> None:
    other = said(new, hour=23.9, predicate=predicate)

    folded = believe(said(old, predicate=predicate), other)

    assert statuses(folded) == [(old, "conflicted"), (new, "conflicted")]
    assert [(group.sides, group.settled_by) for group in folded.groups] == [((0, 1), "")]
    assert [fact.is_exclusive for fact in folded.facts] == [False, False]
    assert relation(folded, other) == Relation.CONFLICT


def test_window_is_the_policys() -> None:
    assert live(believe(said("Oslo"), said("Bergen", 6), under=CAREFUL)) == ["Oslo", "Bergen"]
    assert live(believe(said("Oslo"), said("Bergen", 7), under=CAREFUL)) == ["Bergen"]


def test_window_counts_from_the_last_word_for_the_old_value() -> None:
    folded = believe(said("Oslo"), said("Oslo", 30), said("Bergen", 30, hour=3))

    assert live(folded) == ["Oslo", "Bergen"]


@pytest.mark.parametrize("valid_from", [None, "2024-02-29", "2024-02", "2024-02-19/2024-02-25"])
def test_said_to_have_changed_needs_no_waiting(valid_from: str | None) -> None:
    folded = believe(said("Oslo"), changed("Bergen", hour=4, valid_from=valid_from))

    assert statuses(folded) == [("Oslo", "superseded"), ("Bergen", "active")]
    assert (folded.facts[0].valid_to, folded.facts[1].valid_from) == ("2024-03-01", valid_from)


@pytest.mark.parametrize(
    ("valid_from", "until"),
    [
        ("2024-04", "2024-04"),
        ("2024", "2024"),
        ("2024-04-07", "2024-04-07"),
        ("2024-03-25/2024-03-31", "2024-03-25/2024-03-31"),
        ("2023", "2024-05-30"),
        (None, "2024-05-30"),
    ],
)
def test_old_value_ends_where_the_new_one_began(valid_from: str | None, until: str) -> None:
    folded = believe(said("Oslo"), said("Bergen", 90, valid_from=valid_from))

    assert folded.facts[0].valid_to == until


def test_tool_that_says_it_changed_waits_all_the_same() -> None:
    folded = believe(
        said("1.0", predicate="version", source="tool:ci"),
        changed("1.1", hour=1, predicate="version", source="tool:ci"),
    )

    assert live(folded) == ["1.0", "1.1"]


@pytest.mark.parametrize("source", ["tool:ci", "imported:mem0"])
def test_less_trusted_newer_value_is_a_question(source: str) -> None:
    assert live(believe(said("Oslo"), said("Bergen", 90, source=source))) == ["Oslo", "Bergen"]


def test_supported_inference_replaces_what_was_only_inferred() -> None:
    first = [inferred("Oslo", day) for day in (0, 10)]

    folded = believe(*first, inferred("Bergen", 20), inferred("Bergen", 30))

    assert statuses(folded) == [("Oslo", "superseded"), ("Bergen", "active")]


def test_supported_inference_against_the_users_word_is_a_question() -> None:
    folded = believe(said("Oslo"), inferred("Bergen", 20), inferred("Bergen", 30))

    assert statuses(folded) == [("Oslo", "conflicted"), ("Bergen", "conflicted")]


def test_user_replaces_what_was_inferred() -> None:
    folded = believe(inferred("Oslo", 0), inferred("Oslo", 10), said("Bergen", 20))

    assert live(folded) == ["Bergen"]


@pytest.mark.parametrize("day", [0.1, 3, 400])
def test_third_value_joins_the_question_whatever_its_date(day: float) -> None:
    third = said("preview", day, predicate="deploys_to")

    folded = believe(
        said("staging", predicate="deploys_to"),
        said("production", hour=1, predicate="deploys_to", source="tool:ci"),
        third,
    )

    assert sorted(live(folded)) == ["preview", "production", "staging"]
    assert [(group.sides, group.settled_by) for group in folded.groups] == [((0, 1, 2), "")]
    assert relation(folded, third) == Relation.CONFLICT


def test_third_value_from_before_the_question_joins_no_question() -> None:
    folded = believe(
        said("staging", 10, predicate="deploys_to"),
        said("production", 10, hour=1, predicate="deploys_to"),
        said("old", 0, predicate="deploys_to"),
    )

    assert statuses(folded) == [("old", "superseded"), ("staging", "conflicted"), ("production", "conflicted")]


@pytest.mark.parametrize(
    ("one", "other", "answer"),
    [
        ("staging", "production", "prod"),
        ("staging", "production", "staging"),
        ("Fly", "Vercel", "vercel"),
        ("Heroku", "Fly", "Fly"),
        ("сервер А", "сервер Б", "Сервер Б"),
    ],
)
def test_users_later_word_settles_the_question(one: str, other: str, answer: str) -> None:
    first, second = said(one, predicate="deploys_to"), said(other, hour=1, predicate="deploys_to", source="tool:ci")
    word = said(answer, 7, predicate="deploys_to")

    folded = believe(first, second, word)

    [group] = folded.groups
    winner = folded.facts.index(fact_of(folded, word))
    assert (group.sides, group.settled_by, group.winner) == ((0, 1), "user", winner)
    assert [fact.status.value for fact in folded.facts] == ["active" if n == winner else "superseded" for n in (0, 1)]
    assert [fact.superseded_by for fact in folded.facts] == [None if n == winner else winner for n in (0, 1)]


@pytest.mark.parametrize("source", ["tool:ci", "imported:notes"])
def test_later_word_of_others_settles_nothing(source: str) -> None:
    folded = believe(
        said("staging", predicate="deploys_to"),
        said("production", hour=1, predicate="deploys_to"),
        said("production", 7, predicate="deploys_to", source=source),
        said("production", 17, predicate="deploys_to", source=source),
    )

    assert live(folded) == ["staging", "production"]


def test_later_word_of_a_tool_settles_nothing_however_little_support_is_asked() -> None:
    folded = believe(
        said("a", predicate="deploys_to", source="tool:ci"),
        said("b", hour=1, predicate="deploys_to", source="tool:ci"),
        said("b", 7, predicate="deploys_to", source="tool:ci"),
        under=with_thresholds(min_support=1),
    )

    assert live(folded) == ["a", "b"]


def test_users_word_within_the_window_settles_nothing() -> None:
    folded = believe(
        said("staging", predicate="deploys_to"),
        said("prod", hour=1, predicate="deploys_to"),
        said("prod", hour=2, predicate="deploys_to"),
    )

    assert live(folded) == ["staging", "prod"]


def test_third_value_said_twice_in_one_breath_settles_nothing() -> None:
    third = [said("c", 9, predicate="deploys_to", episode=5, order=("e", 1, place, "")) for place in (1, 2)]

    folded = believe(said("a", predicate="deploys_to"), said("b", hour=1, predicate="deploys_to"), *third)

    assert live(folded) == ["a", "b", "c"]


def test_question_settled_and_contradicted_again_is_another_question() -> None:
    folded = believe(
        said("a", predicate="deploys_to"),
        said("b", hour=1, predicate="deploys_to"),
        said("b", 7, predicate="deploys_to"),
        said("c", 7, hour=1, predicate="deploys_to"),
    )

    assert statuses(folded) == [("a", "superseded"), ("b", "conflicted"), ("c", "conflicted")]
    assert [(group.sides, group.settled_by) for group in folded.groups] == [((0, 1), "user"), ((1, 2), "")]


def test_open_question_lowers_each_side_once_and_gives_back_to_the_winner() -> None:
    sides = (
        said("a", predicate="deploys_to"),
        said("b", hour=1, predicate="deploys_to"),
        said("c", hour=2, predicate="deploys_to"),
    )

    disputed = believe(*sides)
    settled = believe(*sides, said("b", 7, predicate="deploys_to"))

    assert [fact.confidence for fact in disputed.facts] == pytest.approx([0.75, 0.75, 0.75])
    assert [fact.confidence for fact in settled.facts] == pytest.approx([0.75, 0.99, 0.75])


def test_policy_settles_for_the_fresher_side_with_support() -> None:
    claims = (
        said("a", predicate="deploys_to"),
        said("b", hour=1, predicate="deploys_to", source="tool:ci"),
        said("b", 9, predicate="deploys_to", source="tool:ci"),
    )

    folded = believe(*claims, under=SETTLING)

    assert [(group.settled_by, group.winner) for group in folded.groups] == [("policy", 1)]
    assert statuses(folded) == [("a", "superseded"), ("b", "active")]
    assert live(believe(*claims)) == ["a", "b"]


def test_policy_settles_nothing_for_a_single_episode() -> None:
    folded = believe(
        said("a", predicate="deploys_to"), said("b", 9, predicate="deploys_to", source="tool:ci"), under=SETTLING
    )

    assert live(folded) == ["a", "b"]


def test_policy_settles_nothing_for_the_staler_side() -> None:
    folded = believe(
        said("b", predicate="deploys_to", source="tool:ci"),
        said("b", 3, predicate="deploys_to", source="tool:ci"),
        said("a", 3, hour=1, predicate="deploys_to"),
        under=SETTLING,
    )

    assert live(folded) == ["b", "a"]


def test_update_window_beyond_all_time_lets_nothing_be_replaced_by_time_alone() -> None:
    folded = believe(said("Oslo"), said("Bergen", 900), under=with_thresholds(update_window_days=1e300))

    assert statuses(folded) == [("Oslo", "conflicted"), ("Bergen", "conflicted")]
