"""Saying that a claim was resolved rightly or wrongly, and taking that back."""

from datetime import timedelta
from typing import Any

import pytest

from memory import scope
from memory.errors import NotFound, Unanswerable
from memory.models import Candidate, Conflict, ConflictSide, Fact, History, JudgedPair, Resolution, User
from memory.review import auditing
from memory.review.auditing import Audited
from memory.types import Judged
from tests.factories import WHEN, make_login, make_user
from tests.memory.review.quarrels import beliefs, facts_of, tell

pytestmark = pytest.mark.django_db
LATER = WHEN + timedelta(days=9)


@pytest.fixture
def reviewer() -> User:
    return make_login("reviewer", "rita")


@pytest.fixture
def person() -> User:
    return make_user("maya")


def audit(user: User, claim: Candidate, answer: Judged | None, *, by: User) -> Audited:
    with scope.user(user.pk):
        return auditing.audit(user.pk, claim.pk, answer, by=by)


def undo(user: User, claim: Candidate, *, by: User) -> Audited:
    with scope.user(user.pk):
        return auditing.undo(user.pk, claim.pk, by=by)


def two(user: User, relation: str) -> Candidate:
    """Two claims of which the second is this to the first; returns the second."""
    first, second, predicate = {
        "duplicate": ("Oslo", "Oslo", "lives_in"),
        "update": ("Oslo", "Bergen", "lives_in"),
        "refinement": ("Postgres", "Postgres 16 on Neon", "uses_database"),
        "compatible": ("tea", "green tea", "likes"),
    }[relation]
    tell(user, first, predicate=predicate)
    return tell(user, second, at=LATER, predicate=predicate)


@pytest.mark.parametrize(
    ("was", "statuses"),
    [
        ("duplicate", ["conflicted", "conflicted"]),
        ("update", ["conflicted", "conflicted"]),
        ("refinement", ["conflicted", "conflicted"]),
        ("compatible", ["conflicted", "conflicted"]),
    ],
)
def test_wrong_decision_becomes_a_question(person: User, reviewer: User, was: str, statuses: list[str]) -> None:
    claim = two(person, was)

    audited = audit(person, claim, None, by=reviewer)

    assert (audited.is_new, audited.was, audited.answer, audited.is_right) == (True, was, "conflict", False)
    assert _statuses(person) == statuses


@pytest.mark.parametrize(
    ("was", "answer", "statuses"),
    [
        ("duplicate", Judged.UPDATE, ["superseded", "active"]),
        ("update", Judged.COMPATIBLE, ["active", "active"]),
        ("update", Judged.DUPLICATE, ["active"]),
        ("refinement", Judged.COMPATIBLE, ["active", "active"]),
        ("compatible", Judged.DUPLICATE, ["active"]),
        ("compatible", Judged.UPDATE, ["superseded", "active"]),
    ],
)
def test_wrong_decision_becomes_what_a_reviewer_says(  # noqa: PLR0917 - a table of answers
    person: User, reviewer: User, was: str, answer: Judged, statuses: list[str]
) -> None:
    claim = two(person, was)

    audited = audit(person, claim, answer, by=reviewer)

    assert (audited.was, audited.relation, _statuses(person)) == (was, answer, statuses)


def test_wrong_duplicate_where_there_may_be_many_stands_beside(person: User, reviewer: User) -> None:
    tell(person, "tea", predicate="likes")
    claim = tell(person, "tea", at=LATER, predicate="likes")

    assert audit(person, claim, None, by=reviewer).answer == "compatible"
    assert _statuses(person) == ["active", "active"]


@pytest.mark.parametrize("was", ["duplicate", "update", "refinement", "compatible"])
def test_right_decision_changes_no_fact(person: User, reviewer: User, was: str) -> None:
    claim = two(person, was)
    before = _rows(person)[0]

    audited = audit(person, claim, Judged(was), by=reviewer)

    assert (audited.is_right, audited.relation, _rows(person)[0]) == (True, was, before)


@pytest.mark.parametrize("answer", [None, Judged.COMPATIBLE, Judged.CONFLICT])
@pytest.mark.parametrize("was", ["duplicate", "update", "refinement", "compatible"])
def test_audit_taken_back_leaves_all_as_it_was(person: User, reviewer: User, was: str, answer: Judged | None) -> None:
    claim = two(person, was)
    before = _rows(person)

    audit(person, claim, answer, by=reviewer)
    undone = undo(person, claim, by=reviewer)

    assert (undone.is_new, undone.answer, undone.relation) == (True, "", was)
    assert _rows(person) == before


def test_audited_twice_stays_as_it_was_first(person: User, reviewer: User) -> None:
    claim = two(person, "update")
    other = make_login("reviewer", "ruth")
    audit(person, claim, Judged.COMPATIBLE, by=reviewer)

    again = audit(person, claim, Judged.UPDATE, by=other)

    assert (again.is_new, again.answer, again.by, again.relation) == (False, "compatible", "reviewer", "compatible")


def test_undone_twice_changes_nothing_more(person: User, reviewer: User) -> None:
    claim = two(person, "update")
    audit(person, claim, None, by=reviewer)

    assert [undo(person, claim, by=reviewer).is_new for _ in range(2)] == [True, False]


def test_audit_of_another_reviewer_is_not_theirs_to_undo(person: User, reviewer: User) -> None:
    claim = two(person, "update")
    audit(person, claim, None, by=reviewer)
    before = _rows(person)

    with pytest.raises(Unanswerable, match="Somebody else said so"):
        undo(person, claim, by=make_login("reviewer", "ruth"))

    assert _rows(person) == before


def test_admin_undoes_what_any_reviewer_said(person: User, reviewer: User) -> None:
    claim = two(person, "update")
    audit(person, claim, None, by=reviewer)

    done = undo(person, claim, by=make_login("admin", "ada"))

    assert (done.is_new, done.answer, done.relation) == (True, "", "update")


@pytest.mark.parametrize("access", ["reviewer", "admin"])
def test_what_the_member_said_nobody_of_the_staff_undoes(access: str, person: User) -> None:
    claim = two(person, "update")
    audit(person, claim, Judged.COMPATIBLE, by=person)
    before = _rows(person)

    with pytest.raises(Unanswerable, match="Somebody else said so"):
        undo(person, claim, by=make_login(access, "someone"))

    assert _rows(person) == before
    assert undo(person, claim, by=person).is_new


def test_new_fact_is_nothing_to_audit(person: User, reviewer: User) -> None:
    claim = tell(person, "Oslo")

    with pytest.raises(Unanswerable, match="Only what was decided"):
        audit(person, claim, None, by=reviewer)


def test_decision_about_another_is_not_there(person: User, reviewer: User) -> None:
    claim = two(make_user(), "update")

    with pytest.raises(NotFound):
        audit(person, claim, None, by=reviewer)


def test_history_tells_who_audited(person: User, reviewer: User) -> None:
    claim = two(person, "update")
    audit(person, claim, None, by=reviewer)
    undo(person, claim, by=reviewer)

    with scope.user(person.pk):
        rows = History.objects.filter(table="resolution").order_by("pk").values_list("actor", "action", "row")
        assert list(rows) == [(str(reviewer.pk), action, claim.pk) for action in ("audit", "unaudit")]


def test_later_claims_are_resolved_under_the_audit(person: User, reviewer: User) -> None:
    claim = two(person, "duplicate")
    audit(person, claim, Judged.UPDATE, by=reviewer)

    tell(person, "Oslo", at=LATER + timedelta(days=9))

    with scope.user(person.pk):
        support = Fact.objects.order_by("pk").values_list("status", "claims__said_at__date")
        assert sorted({status for status, _ in support}) == ["active", "superseded"]
        assert Candidate.objects.latest("said_at").fact_id == Candidate.objects.get(pk=claim.pk).fact_id


def _statuses(user: User) -> list[str]:
    with scope.user(user.pk):
        return list(Fact.objects.order_by("first_said_at", "pk").values_list("status", flat=True))


def _rows(user: User) -> list[Any]:
    tables: tuple[Any, ...] = (Fact, Candidate, Conflict, ConflictSide, JudgedPair, Resolution)
    with scope.user(user.pk):
        return [[_plain(row) for row in table.objects.filter(user=user).order_by("pk").values()] for table in tables]


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """A resolution that goes and comes back has another number."""
    return {name: value for name, value in row.items() if name != "created_at"}


def test_two_homes_are_told_apart(person: User, reviewer: User) -> None:
    claim = two(person, "update")
    audit(person, claim, Judged.COMPATIBLE, by=reviewer)

    assert beliefs(person) == [("Oslo", "active", None), ("Bergen", "active", None)]
    assert [fact.is_exclusive for fact in facts_of(person).values()] == [False, False]
