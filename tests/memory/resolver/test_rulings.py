"""What people decide holds from then on, however claims arrive."""

from datetime import date

import pytest

from memory.types import Kind, Relation, Status, Verb
from tests.memory.resolver.telling import (
    believe,
    changed,
    corrected,
    decision,
    fact_of,
    inferred,
    live,
    on,
    ruled,
    said,
    statuses,
    with_thresholds,
)


def quarrel():  # noqa: ANN201 - two claims
    return said("staging", predicate="deploys_to"), said("preview", hour=1, predicate="deploys_to")


@pytest.mark.parametrize(("by", "expected"), [("member", 0.99), ("reviewer", 0.60)])
def test_confirmed_inference_rises_above_its_cap_only_by_its_person(by: str, expected: float) -> None:
    hints = [inferred("tea", day, predicate="likes", kind=Kind.PREFERENCE) for day in (0, 5)]

    folded = believe(*hints, rulings=[ruled(Verb.CONFIRM, *hints, day=9, by=by)])

    [fact] = folded.facts
    assert (fact.is_confirmed, fact.confidence, fact.last_supported_at) == (True, pytest.approx(expected), on(9))


def test_confirmed_twice_by_reviewers_counts_once() -> None:
    claim = said("tea", predicate="likes", source="imported:mem0", kind=Kind.IDENTITY)
    once, twice = (ruled(Verb.CONFIRM, claim, day=day, by="reviewer") for day in (9, 9))

    assert believe(claim, rulings=[once, twice]).facts == believe(claim, rulings=[once]).facts


@pytest.mark.parametrize("by", ["member", "reviewer"])
def test_confirmed_stands_above_any_inference(by: str) -> None:
    known = said("Oslo", source="imported:mem0")
    hints = [inferred("Bergen", day) for day in (20, 30)]

    folded = believe(known, *hints, rulings=[ruled(Verb.CONFIRM, known, day=9, by=by)])

    assert statuses(folded) == [("Oslo", "active"), ("Bergen", "superseded")]
    assert [(group.settled_by, group.winner) for group in folded.groups] == [(by, 0)]


def test_confirmed_inference_stands_above_another() -> None:
    first, hints = [inferred("Oslo", day) for day in (0, 5)], [inferred("Bergen", day) for day in (20, 30)]

    folded = believe(*first, *hints, rulings=[ruled(Verb.CONFIRM, *first, day=9, by="reviewer")])

    assert live(folded) == ["Oslo"]


def test_confirmed_after_all_but_said_again_meanwhile_is_one_value() -> None:
    wrong = said("Oslo")
    rulings = [ruled(Verb.RETRACT, wrong, day=5), ruled(Verb.CONFIRM, wrong, day=20)]

    folded = believe(wrong, said("Oslo", 10), rulings=rulings)

    assert [(f.status.value, f.superseded_by) for f in folded.facts] == [("superseded", 1), ("active", None)]


def test_confirmed_side_is_not_settled_against_by_policy() -> None:
    one = said("staging", predicate="deploys_to")
    tools = [said("preview", day, predicate="deploys_to", source="tool:ci") for day in (5, 30)]

    folded = believe(one, *tools, rulings=[ruled(Verb.CONFIRM, one, day=9)], under=with_thresholds(auto_settle=True))

    assert live(folded) == ["staging", "preview"]


def test_confirmed_side_wins_against_inference_alone() -> None:
    known, hints = said("Oslo"), [inferred("Bergen", day) for day in (20, 30)]

    folded = believe(known, *hints, rulings=[ruled(Verb.CONFIRM, known, day=40)])

    assert statuses(folded) == [("Oslo", "active"), ("Bergen", "superseded")]


def test_confirmed_side_against_a_stated_one_stays_a_question() -> None:
    one, other = quarrel()

    assert live(believe(one, other, rulings=[ruled(Verb.CONFIRM, one, day=9)])) == ["staging", "preview"]


def test_confirmed_gives_way_to_the_users_newer_word() -> None:
    known = said("Oslo")

    folded = believe(known, changed("Bergen", 20), rulings=[ruled(Verb.CONFIRM, known, day=9)])

    assert live(folded) == ["Bergen"]


@pytest.mark.parametrize("by", ["member", "reviewer"])
def test_retracted_by_a_person_was_never_true(by: str) -> None:
    old, wrong = said("Oslo"), said("Bergen", 10)

    folded = believe(old, wrong, rulings=[ruled(Verb.RETRACT, wrong, day=20, by=by)])

    assert statuses(folded) == [("Oslo", "active"), ("Bergen", "retracted")]
    assert (folded.facts[0].superseded_by, folded.facts[0].valid_to) == (None, None)


def test_retracted_by_a_person_is_not_learnt_again_from_hints_or_late_words() -> None:
    wrong = said("Oslo", 10)
    hints = [inferred("Oslo", day) for day in (30, 40)]

    folded = believe(wrong, said("Oslo", 5), *hints, rulings=[ruled(Verb.RETRACT, wrong, day=20)])

    assert statuses(folded) == [("Oslo", "retracted")]
    assert [decision(folded, hint).against for hint in hints] == [0, 0]


def test_retracted_by_a_person_is_learnt_again_from_their_newer_word() -> None:
    wrong = said("Oslo")

    folded = believe(wrong, said("Oslo", 40), rulings=[ruled(Verb.RETRACT, wrong, day=20)])

    assert statuses(folded) == [("Oslo", "retracted"), ("Oslo", "active")]


def test_retracted_by_mistake_and_confirmed_is_back() -> None:
    claim = said("Oslo")
    rulings = [ruled(Verb.RETRACT, claim, day=5, by="reviewer"), ruled(Verb.CONFIRM, claim, day=6)]

    assert statuses(believe(claim, rulings=rulings)) == [("Oslo", "active")]


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        (Verb.RETRACT, Verb.CONFIRM, "retracted"),
        (Verb.CONFIRM, Verb.RETRACT, "active"),
        (Verb.CONFIRM, Verb.CLOSE, "active"),
    ],
)
def test_reviewer_does_not_undo_what_its_person_said(first: Verb, second: Verb, status: str) -> None:
    claim = said("Oslo")
    rulings = [ruled(first, claim, day=5, by="member"), ruled(second, claim, day=6, by="reviewer")]

    assert statuses(believe(claim, rulings=rulings)) == [("Oslo", status)]


@pytest.mark.parametrize(("as_of", "until"), [(date(2024, 2, 1), "2024-02-01"), (None, "2024-03-10")])
def test_closed_ends_on_its_day(as_of: date | None, until: str) -> None:
    claim = said("Acme", predicate="works_at")

    folded = believe(claim, rulings=[ruled(Verb.CLOSE, claim, day=9, by="reviewer", as_of=as_of)])

    assert [(f.status.value, f.status_reason, f.valid_to) for f in folded.facts] == [
        ("superseded", "closed by reviewer", until)
    ]


def test_closed_is_believed_again_from_a_newer_word() -> None:
    claim = said("Acme", predicate="works_at")

    folded = believe(claim, said("Acme", 90, predicate="works_at"), rulings=[ruled(Verb.CLOSE, claim, day=9)])

    assert statuses(folded) == [("Acme", "superseded"), ("Acme", "active")]


@pytest.mark.parametrize("by", ["member", "reviewer"])
@pytest.mark.parametrize("side", [0, 1])
def test_settled_question_has_its_winner(by: str, side: int) -> None:
    claims = quarrel()

    folded = believe(*claims, rulings=[ruled(Verb.SETTLE, claims[side], day=9, by=by)])

    assert [(group.settled_by, group.winner) for group in folded.groups] == [(by, side)]
    assert [fact.status.value for fact in folded.facts] == ["active" if n == side else "superseded" for n in (0, 1)]
    assert [fact.superseded_by for fact in folded.facts] == [None if n == side else side for n in (0, 1)]
    assert folded.facts[side].confidence == pytest.approx(0.90)


def test_settled_question_stays_so_when_an_older_word_arrives() -> None:
    one, other = quarrel()

    folded = believe(one, other, said("local", -100, predicate="deploys_to"), rulings=[ruled(Verb.SETTLE, one, day=9)])

    assert live(folded) == ["staging"]


def test_settled_side_stands_when_words_that_came_late_would_have_replaced_it() -> None:
    one, other = quarrel()
    late = changed("preview", hour=0.5, predicate="deploys_to")

    folded = believe(one, other, late, rulings=[ruled(Verb.SETTLE, one, day=9)])

    assert live(folded) == ["staging"]


def test_settled_side_stands_above_later_inference() -> None:
    one, other = quarrel()
    hints = [inferred("local", day, predicate="deploys_to") for day in (20, 30)]

    folded = believe(one, other, *hints, rulings=[ruled(Verb.SETTLE, one, day=9)])

    assert live(folded) == ["staging"]
    assert fact_of(folded, hints[0]).status == Status.SUPERSEDED


def test_both_true_keeps_all_sides_undisputed() -> None:
    claims = quarrel()

    folded = believe(*claims, rulings=[ruled(Verb.BOTH, *claims, day=9)])

    assert statuses(folded) == [("staging", "active"), ("preview", "active")]
    assert [(group.settled_by, group.winner) for group in folded.groups] == [("member", None)]
    assert [fact.is_exclusive for fact in folded.facts] == [False, False]
    assert [fact.confidence for fact in folded.facts] == pytest.approx([0.90, 0.90])


def test_both_true_and_a_third_value_is_a_question() -> None:
    claims = quarrel()

    folded = believe(*claims, said("local", 60, predicate="deploys_to"), rulings=[ruled(Verb.BOTH, *claims, day=9)])

    assert live(folded) == ["staging", "preview", "local"]
    assert [group.settled_by for group in folded.groups] == ["member", ""]


def test_both_true_of_an_unknown_predicate_is_judged() -> None:
    claims = said("a", predicate="frobs"), said("b", 3, predicate="frobs")

    folded = believe(*claims, rulings=[ruled(Verb.BOTH, *claims, day=9)])

    assert [fact.is_unjudged for fact in folded.facts] == [False, False]


@pytest.mark.parametrize("verb", list(Verb))
def test_ruling_on_claims_that_are_held_or_gone_says_nothing(verb: Verb) -> None:
    held = inferred("Oslo")

    folded = believe(held, rulings=[ruled(verb, held, day=9), ruled(verb, said("gone"), day=9)])

    assert (folded.facts, folded.held) == ((), (held.id,))


def test_ruling_dated_before_its_claims_comes_after_them() -> None:
    claim = said("Oslo", 10)

    assert statuses(believe(claim, rulings=[ruled(Verb.RETRACT, claim, day=0)])) == [("Oslo", "retracted")]


def test_decision_says_what_a_hint_stood_against() -> None:
    known, hints = said("Oslo"), [inferred("Bergen", day) for day in (20, 30)]

    folded = believe(known, *hints, rulings=[ruled(Verb.CONFIRM, known, day=9)])

    assert decision(folded, hints[1]).relation == Relation.CONFLICT
    assert decision(folded, hints[1]).why == "Only inferred, against “Oslo”, which a member has confirmed."


def test_both_true_and_a_correction_of_neither_by_name_takes_nothing_back() -> None:
    claims = quarrel()

    folded = believe(
        *claims, corrected("local", 60, predicate="deploys_to"), rulings=[ruled(Verb.BOTH, *claims, day=9)]
    )

    assert live(folded) == ["staging", "preview", "local"]


@pytest.mark.parametrize("verbs", [(Verb.RETRACT, Verb.CONFIRM), (Verb.CONFIRM, Verb.RETRACT)])
def test_rulings_of_one_moment_stand_in_the_order_of_their_making(verbs: tuple[Verb, Verb]) -> None:
    claim = said("Oslo")
    rulings = [ruled(verb, claim, day=9) for verb in verbs]

    folded = believe(claim, rulings=rulings[::-1])

    assert live(folded) == ([] if verbs[-1] == Verb.RETRACT else ["Oslo"])


def test_both_true_does_not_speak_of_a_side_that_came_to_be_known_since() -> None:
    claims = quarrel()
    late = said("local", hour=2, predicate="deploys_to")

    folded = believe(*claims, late, rulings=[ruled(Verb.BOTH, *claims, day=9)])

    assert live(folded) == ["staging", "preview", "local"]
    assert [group.settled_by for group in folded.groups] == [""]


def test_closed_sides_followed_each_other_and_the_one_that_is_left_followed_them() -> None:
    first, second, third = (said(name, hour=n, predicate="deploys_to") for n, name in enumerate("abc"))
    rulings = [
        ruled(Verb.CLOSE, second, day=9, as_of=date(2024, 1, 1)),
        ruled(Verb.CLOSE, first, day=9, as_of=date(2024, 2, 1)),
    ]

    folded = believe(first, second, third, rulings=rulings)

    assert [(f.object, f.valid_to, f.superseded_by) for f in folded.facts] == [
        ("a", "2024-02-01", 2),
        ("b", "2024-01-01", 0),
        ("c", None, None),
    ]
    assert [(group.settled_by, group.winner) for group in folded.groups] == [("member", 2)]


def test_closed_side_that_is_believed_again_follows_nothing() -> None:
    one, other = quarrel()
    rulings = [ruled(Verb.CLOSE, one, day=9), ruled(Verb.CONFIRM, other, day=10), ruled(Verb.SETTLE, one, day=11)]

    folded = believe(one, other, rulings=rulings)

    assert statuses(folded) == [("staging", "active"), ("preview", "superseded")]
    assert [fact.superseded_by for fact in folded.facts] == [None, 0]


def test_neither_true_has_no_winner() -> None:
    claims = quarrel()

    folded = believe(*claims, rulings=[ruled(Verb.RETRACT, *claims, day=9)])

    assert statuses(folded) == [("staging", "retracted"), ("preview", "retracted")]
    assert [(group.settled_by, group.winner) for group in folded.groups] == [("member", None)]
