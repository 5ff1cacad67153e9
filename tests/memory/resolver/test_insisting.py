"""What people say of two claims stands above the rules: that they are the same, or apart, and how."""

from itertools import permutations

import pytest

from memory.resolver import fold
from memory.types import Claim, Folded, Judged, Pair, Relation
from tests.memory.resolver.telling import (
    POLICY,
    believe,
    changed,
    denied,
    fact_of,
    inferred,
    live,
    relation,
    said,
    statuses,
)


def insist(*claims: Claim, of: tuple[Claim, Claim], is_: Judged) -> Folded:
    return fold(claims, insisted={Pair(of[0].id, of[1].id): is_}, policy=POLICY)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Judged.DUPLICATE, [("Oslo", "active")]),
        (Judged.REFINEMENT, [("Oslo", "superseded"), ("Oslo", "active")]),
        (Judged.UPDATE, [("Oslo", "superseded"), ("Oslo", "active")]),
        (Judged.CONFLICT, [("Oslo", "conflicted"), ("Oslo", "conflicted")]),
        (Judged.COMPATIBLE, [("Oslo", "active"), ("Oslo", "active")]),
    ],
)
def test_same_words_are_what_a_person_says_they_are(answer: Judged, expected: list[tuple[str, str]]) -> None:
    known, new = said("Oslo"), said("Oslo", 30)

    assert statuses(insist(known, new, of=(known, new), is_=answer)) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Judged.DUPLICATE, [("Oslo", "active")]),
        (Judged.REFINEMENT, [("Oslo", "superseded"), ("Bergen", "active")]),
        (Judged.UPDATE, [("Oslo", "superseded"), ("Bergen", "active")]),
        (Judged.CONFLICT, [("Oslo", "conflicted"), ("Bergen", "conflicted")]),
        (Judged.COMPATIBLE, [("Oslo", "active"), ("Bergen", "active")]),
    ],
)
@pytest.mark.parametrize("days", [0.1, 30])
def test_two_values_are_what_a_person_says_they_are(
    answer: Judged, expected: list[tuple[str, str]], days: float
) -> None:
    known, new = said("Oslo"), said("Bergen", days)

    assert statuses(insist(known, new, of=(known, new), is_=answer)) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Judged.DUPLICATE, [("tea", "active")]),
        (Judged.UPDATE, [("tea", "superseded"), ("green tea", "active")]),
        (Judged.CONFLICT, [("tea", "conflicted"), ("green tea", "conflicted")]),
        (Judged.COMPATIBLE, [("tea", "active"), ("green tea", "active")]),
    ],
)
def test_values_that_may_be_many_are_what_a_person_says_they_are(
    answer: Judged, expected: list[tuple[str, str]]
) -> None:
    known, new = said("tea", predicate="likes"), said("green tea", 30, predicate="likes")

    assert statuses(insist(known, new, of=(known, new), is_=answer)) == expected


def test_refinement_that_is_none_stands_against() -> None:
    known, new = (
        said("Postgres", predicate="uses_database"),
        said("Postgres 16 on Neon", 0.1, predicate="uses_database"),
    )

    folded = insist(known, new, of=(known, new), is_=Judged.CONFLICT)

    assert [fact.status.value for fact in folded.facts] == ["conflicted", "conflicted"]
    assert relation(folded, new) == Relation.CONFLICT


def test_what_a_person_says_stands_above_the_model() -> None:
    known, new = said("a", predicate="frobs"), said("b", 30, predicate="frobs")
    pair = Pair(known.id, new.id)

    folded = fold([known, new], judged={pair: Judged.DUPLICATE}, insisted={pair: Judged.COMPATIBLE}, policy=POLICY)

    assert live(folded) == ["a", "b"]
    assert (folded.undecided, [fact.is_unjudged for fact in folded.facts]) == ((), [False, False])


def test_split_claim_supports_the_fact_that_says_the_same_beside() -> None:
    known, apart, again = said("Oslo"), said("Oslo", 30), said("Oslo", 60)

    folded = insist(known, apart, again, of=(known, apart), is_=Judged.COMPATIBLE)

    assert [len(fact.claims) for fact in folded.facts] == [2, 1]


def test_past_that_is_said_to_be_another_is_one() -> None:
    known, new = said("Oslo", valid_to="2018"), said("Oslo", 30, valid_to="2018")

    assert len(insist(known, new, of=(known, new), is_=Judged.COMPATIBLE).facts) == 2


def test_inference_that_is_apart_does_not_support() -> None:
    hint, known = inferred("Oslo"), said("Oslo", 3)

    folded = insist(hint, known, of=(known, hint), is_=Judged.COMPATIBLE)

    assert ([len(fact.claims) for fact in folded.facts], folded.unsupported) == ([1], (hint.id,))


def test_update_against_a_third_value_leaves_that_in_question() -> None:
    one, other, new = said("Oslo"), said("Bergen", 0.1), said("Turku", 0.2)

    folded = insist(one, other, new, of=(one, new), is_=Judged.UPDATE)

    assert statuses(folded) == [("Oslo", "superseded"), ("Bergen", "conflicted"), ("Turku", "conflicted")]


def test_what_was_said_of_a_fact_that_is_over_changes_nothing() -> None:
    known, new = said("Oslo"), said("Bergen", 30)
    over = denied("Oslo", 9)

    folded = insist(known, over, new, of=(known, new), is_=Judged.CONFLICT)

    assert live(folded) == ["Bergen"]


def test_same_right_answer_changes_nothing() -> None:
    known, same, newer = said("Oslo"), said("Oslo", 3), changed("Bergen", 30)
    plain = believe(known, same, newer)

    for pair, answer in (((known, same), Judged.DUPLICATE), ((known, newer), Judged.UPDATE)):
        folded = insist(known, same, newer, of=pair, is_=answer)
        assert (folded.facts, folded.groups) == (plain.facts, plain.groups)


def test_order_of_arrival_changes_nothing() -> None:
    claims = [said("Oslo"), said("Oslo", 0.2), said("Bergen", 0.4), said("Oslo", 9)]

    found = [insist(*order, of=(claims[0], claims[1]), is_=Judged.CONFLICT) for order in permutations(claims)]

    assert found == [found[0]] * len(found)
    assert fact_of(found[0], claims[3]) == fact_of(found[0], claims[0])
