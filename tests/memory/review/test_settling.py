"""Answers to contradictions: what each makes believed, and that it can be taken back."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from memory import listing, scope
from memory.errors import NotFound, Unanswerable
from memory.models import Conflict, Fact, History, PersonsRuling, User
from memory.review import settling
from memory.review.settling import Answer, Choice, Settled
from tests.factories import WHEN, make_login, make_user
from tests.memory.review.quarrels import beliefs, conflict_of, facts_of, quarrel, tell

pytestmark = pytest.mark.django_db


@pytest.fixture
def reviewer() -> User:
    return make_login("reviewer", "rita", display_name="Rita")


@pytest.fixture
def person() -> User:
    return make_user("maya")


def answer(person: User, choice: Choice, *, by: User, note: str = "", **said: Any) -> Settled:
    with scope.staff():
        return settling.settle(conflict_of(person).pk, Answer(choice, **said), by=by, note=note)


def test_one_side_settled_replaces_the_others(person: User, reviewer: User) -> None:
    quarrel(person, "Oslo", "Bergen", "Turku")
    right = facts_of(person)["Bergen"]

    settled = answer(person, Choice.ONE, by=reviewer, fact=right.pk)

    assert (settled.is_new, settled.by, settled.actor, settled.winner) == (True, "reviewer", reviewer, right.pk)
    assert beliefs(person) == [
        ("Oslo", "superseded", "Bergen"),
        ("Bergen", "active", None),
        ("Turku", "superseded", "Bergen"),
    ]


@pytest.mark.parametrize("who", ["member", "reviewer"])
def test_one_side_settled_in_its_persons_scope_says_by_whom(person: User, reviewer: User, who: str) -> None:
    quarrel(person, "Oslo", "Bergen")
    conflict, fact = conflict_of(person), facts_of(person)["Oslo"]

    with scope.user(person.pk):
        by = person if who == "member" else reviewer
        settled = settling.settle(conflict.pk, Answer(Choice.ONE, fact.pk), by=by)

    assert (settled.by, settled.choice) == (who, Choice.ONE)


def test_both_true_keeps_all_live(person: User, reviewer: User) -> None:
    quarrel(person, "Oslo", "Bergen")

    settled = answer(person, Choice.BOTH, by=reviewer)

    assert (settled.choice, settled.winner) == (Choice.BOTH, None)
    assert beliefs(person) == [("Oslo", "active", None), ("Bergen", "active", None)]


def test_times_close_the_earlier_ones_in_their_order(person: User, reviewer: User) -> None:
    quarrel(person, "Oslo", "Bergen", "Turku")
    facts = facts_of(person)
    times = {facts["Turku"].pk: date(2024, 5, 31), facts["Oslo"].pk: date(2025, 2, 28)}

    settled = answer(person, Choice.TIMES, by=reviewer, times=times)

    assert (settled.choice, settled.winner) == (Choice.TIMES, facts["Bergen"].pk)
    assert beliefs(person) == [
        ("Oslo", "superseded", "Bergen"),
        ("Bergen", "active", None),
        ("Turku", "superseded", "Oslo"),
    ]
    assert [fact.valid_to for fact in facts_of(person).values()] == ["2025-02-28", None, "2024-05-31"]


def test_times_for_every_side_leave_none_live(person: User, reviewer: User) -> None:
    quarrel(person, "Oslo", "Bergen")
    facts = facts_of(person)
    times = {facts["Oslo"].pk: date(2024, 5, 31), facts["Bergen"].pk: date(2025, 2, 28)}

    answer(person, Choice.TIMES, by=reviewer, times=times)

    assert beliefs(person) == [("Oslo", "superseded", "Bergen"), ("Bergen", "superseded", None)]


def test_neither_retracts_all(person: User, reviewer: User) -> None:
    quarrel(person, "Oslo", "Bergen", "Turku")

    settled = answer(person, Choice.NEITHER, by=reviewer)

    assert (settled.by, settled.choice, settled.winner) == ("reviewer", Choice.NEITHER, None)
    assert beliefs(person) == [(place, "retracted", None) for place in ("Oslo", "Bergen", "Turku")]


def test_asked_stays_open_with_the_note(person: User, reviewer: User) -> None:
    quarrel(person, "Oslo", "Bergen")

    settled = answer(person, Choice.ASK, by=reviewer, note="Which one now?")

    assert (settled.is_new, settled.is_open, settled.asked_at is None, settled.note) == (
        True,
        True,
        False,
        "Which one now?",
    )
    assert beliefs(person) == [("Oslo", "conflicted", None), ("Bergen", "conflicted", None)]


def test_asked_twice_is_asked_once(person: User, reviewer: User) -> None:
    quarrel(person, "Oslo", "Bergen")
    first = answer(person, Choice.ASK, by=reviewer, note="Which one?")

    again = answer(person, Choice.ASK, by=reviewer, note="And now?")

    assert (again.is_new, again.note, again.asked_at) == (False, "Which one?", first.asked_at)


def test_asked_and_withdrawn_is_asked_no_more(person: User, reviewer: User) -> None:
    quarrel(person, "Oslo", "Bergen")
    answer(person, Choice.ASK, by=reviewer, note="Which one?")

    with scope.staff():
        settled = settling.withdraw(conflict_of(person).pk, by=reviewer)

    assert (settled.is_new, settled.asked_at, settled.note) == (True, None, "")


def test_person_does_not_ask_themselves(person: User) -> None:
    quarrel(person, "Oslo", "Bergen")

    with pytest.raises(Unanswerable, match="You are the person to ask"):
        answer(person, Choice.ASK, by=person)


def test_settled_already_is_told_and_kept(person: User, reviewer: User) -> None:
    quarrel(person, "Oslo", "Bergen")
    facts = facts_of(person)
    first = answer(person, Choice.ONE, by=person, fact=facts["Oslo"].pk)

    second = answer(person, Choice.ONE, by=reviewer, fact=facts["Bergen"].pk)

    assert (second.is_new, second.by, second.actor, second.at) == (False, "member", person, first.at)
    assert beliefs(person) == [("Oslo", "active", None), ("Bergen", "superseded", "Oslo")]


def test_settled_by_the_users_own_words_is_told(person: User, reviewer: User) -> None:
    quarrel(person, "Oslo", "Bergen")
    tell(person, "Bergen", at=WHEN + timedelta(days=9))

    settled = answer(person, Choice.BOTH, by=reviewer)

    assert (settled.is_new, settled.by, settled.actor, settled.can_undo) == (False, "user", None, False)


def _choices(facts: dict[str, Fact]) -> list[Answer]:
    oslo, bergen = facts["Oslo"].pk, facts["Bergen"].pk
    return [
        Answer(Choice.ONE, oslo),
        Answer(Choice.ONE, bergen),
        Answer(Choice.BOTH),
        Answer(Choice.NEITHER),
        Answer(Choice.TIMES, times={oslo: date(2025, 1, 1), bergen: date(2024, 1, 1)}),
    ]


@pytest.mark.parametrize("number", range(5))
def test_undone_is_exactly_as_before(person: User, reviewer: User, number: int) -> None:
    quarrel(person, "Oslo", "Bergen", "Turku"[: 0 if number == 4 else 5])
    before = _rows(person)
    conflict = conflict_of(person)

    with scope.staff():
        settling.settle(conflict.pk, _choices(facts_of(person))[number], by=reviewer, note="so")
        between = _rows(person)
        undone = settling.undo(conflict.pk, by=reviewer)

    assert (undone.is_new, undone.is_open, undone.can_undo) == (True, True, False)
    assert (_rows(person) == before, between == before) == (True, False)


def _rows(person: User) -> list[Any]:
    facts = Fact.objects.filter(user=person).order_by("pk").values()
    conflicts = Conflict.objects.filter(user=person).order_by("pk").values()
    return [*facts, *conflicts, *PersonsRuling.objects.filter(user=person).values()]


def test_undone_twice_takes_nothing_else_back(person: User, reviewer: User) -> None:
    quarrel(person, "Oslo", "Bergen")
    answer(person, Choice.ASK, by=reviewer)
    answer(person, Choice.BOTH, by=reviewer)
    undone = [_undo(person, by=reviewer) for _ in range(2)]

    assert [(settled.is_new, settled.asked_at is None) for settled in undone] == [(True, False), (False, False)]


def _undo(person: User, *, by: User) -> Settled:
    with scope.staff():
        return settling.undo(conflict_of(person).pk, by=by)


def test_reviewer_does_not_undo_what_its_person_answered(person: User, reviewer: User) -> None:
    quarrel(person, "Oslo", "Bergen")
    answer(person, Choice.BOTH, by=person)

    with pytest.raises(Unanswerable, match="Only they can take it back"):
        _undo(person, by=reviewer)


def test_person_undoes_what_a_reviewer_answered(person: User, reviewer: User) -> None:
    quarrel(person, "Oslo", "Bergen")
    answer(person, Choice.BOTH, by=reviewer)

    with scope.user(person.pk):
        undone = settling.undo(conflict_of(person).pk, by=person)

    assert undone.is_open


def test_reviewer_does_not_end_what_its_person_confirmed(person: User, reviewer: User) -> None:
    quarrel(person, "Oslo", "Bergen")
    facts = facts_of(person)
    _confirm(person, facts["Oslo"])

    with pytest.raises(Unanswerable, match="Ask the person"):
        answer(person, Choice.ONE, by=reviewer, fact=facts["Bergen"].pk)


def _confirm(person: User, fact: Fact) -> None:
    with scope.user(person.pk):
        claims = list(fact.claims.values_list("pk", flat=True))
        PersonsRuling.objects.create(
            user=person,
            entity=fact.entity,
            predicate=fact.predicate,
            verb="confirm",
            claims=claims,
            by="member",
            at=WHEN,
        )


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (lambda _: Answer(Choice.ONE), "Say which side is right"),
        (lambda _: Answer(Choice.ONE, 2**40), "no side of this contradiction"),
        (lambda _: Answer(Choice.TIMES), "Give the last day"),
        (lambda _: Answer(Choice.TIMES, times={2**40: date(2024, 1, 1)}), "no side of this contradiction"),
        (lambda facts: Answer(Choice.TIMES, times={facts["Oslo"].pk: date(2999, 1, 1)}), "still to come"),
        (lambda facts: Answer(Choice.TIMES, times={facts["Oslo"].pk: date(1999, 1, 1)}), "lies before 2020"),
    ],
)
def test_answer_that_does_not_fit_says_what_would(
    person: User, reviewer: User, said: Callable[[dict[str, Fact]], Answer], told: str
) -> None:
    quarrel(person, "Oslo", "Bergen", valid_from="2020")
    before = beliefs(person)

    with pytest.raises(Unanswerable, match=told), scope.staff():
        settling.settle(conflict_of(person).pk, said(facts_of(person)), by=reviewer)

    assert beliefs(person) == before


def test_stranger_finds_no_conflict(person: User) -> None:
    quarrel(person, "Oslo", "Bergen")
    stranger = make_login("member", "jonas")

    with pytest.raises(NotFound), scope.staff():
        settling.settle(conflict_of(person).pk, Answer(Choice.BOTH), by=stranger)


def test_stranger_in_their_own_scope_finds_no_conflict(person: User) -> None:
    quarrel(person, "Oslo", "Bergen")
    stranger, conflict = make_login("member", "jonas"), conflict_of(person)

    with pytest.raises(NotFound), scope.user(stranger.pk):
        settling.settle(conflict.pk, Answer(Choice.BOTH), by=stranger)


def test_history_tells_who_without_content(person: User, reviewer: User) -> None:
    quarrel(person, "Oslo", "Bergen")
    answer(person, Choice.ASK, by=reviewer)
    answer(person, Choice.BOTH, by=reviewer, note="They have two homes.")
    _undo(person, by=reviewer)

    with scope.staff():
        rows = History.objects.filter(user=person, table="conflict", actor=str(reviewer.pk)).order_by("pk")
        assert [(row.action, row.fields) for row in rows] == [("ask", []), ("settle", []), ("unsettle", [])]


@pytest.mark.parametrize(("days", "expected"), [(400, [("reviewer", 2), ("", 3)]), (9, [("", 3)])])
def test_third_value_besides_both_is_a_question(
    person: User, reviewer: User, days: int, expected: list[tuple[str, int]]
) -> None:
    quarrel(person, "Oslo", "Bergen")
    answer(person, Choice.BOTH, by=reviewer)

    tell(person, "Turku", at=WHEN + timedelta(days=days))

    with scope.staff():
        rows = Conflict.objects.filter(user=person).order_by("pk")
        assert [(row.settled_by, row.sides.count()) for row in rows] == expected


def test_asked_is_told_to_agents(person: User, reviewer: User) -> None:
    quarrel(person, "Oslo", "Bergen")
    answer(person, Choice.ASK, by=reviewer)

    with scope.user(person.pk):
        assert [row["status"] for row in listing.conflicts([person.pk])] == ["asked"]
