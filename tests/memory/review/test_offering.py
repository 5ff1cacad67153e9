"""Predicates that may have many values, because people found two of them true at once."""

from datetime import timedelta

import pytest

from memory import policies, scope
from memory.errors import NotFound
from memory.models import PolicyVersion, User
from memory.review import offering, settling
from memory.review.settling import Answer, Choice
from tests.factories import WHEN, make_login, make_user
from tests.memory.review.quarrels import beliefs, conflict_of, quarrel, tell

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin() -> User:
    return make_login("admin", "ada")


@pytest.fixture
def person(admin: User) -> User:
    user = make_user("maya")
    quarrel(user, "Oslo", "Bergen")
    with scope.staff():
        settling.settle(conflict_of(user).pk, Answer(Choice.BOTH), by=admin)
    return user


def _offers() -> list[tuple[str, int, int, int]]:
    with scope.staff():
        return [(offer.predicate, offer.rulings, offer.people, offer.replaced) for offer in offering.offers()]


def _accept(admin: User) -> bool:
    with scope.staff():
        return offering.accept("lives_in", by=admin)


def test_both_true_offers_the_predicate(person: User) -> None:
    other = make_user()
    tell(other, "Paris")
    tell(other, "Rome", at=WHEN + timedelta(days=9))

    assert _offers() == [("lives_in", 1, 2, 1)]


def test_both_true_taken_back_offers_nothing(person: User, admin: User) -> None:
    with scope.staff():
        settling.undo(conflict_of(person).pk, by=admin)

    assert _offers() == []


def test_accepted_predicate_has_many_values_for_everybody(person: User, admin: User) -> None:
    other = make_user()
    tell(other, "Paris")
    tell(other, "Rome", at=WHEN + timedelta(days=9))

    is_new = _accept(admin)
    people = offering.spread("lives_in")

    assert (is_new, people, _offers(), offering.unspread()) == (True, 2, [], [])
    assert beliefs(other) == [("Paris", "active", None), ("Rome", "active", None)]
    assert beliefs(person) == [("Oslo", "active", None), ("Bergen", "active", None)]


def test_accepted_waits_until_it_is_spread(person: User, admin: User) -> None:
    _accept(admin)

    assert offering.unspread() == ["lives_in"]


def test_accepted_twice_changes_the_policy_once(person: User, admin: User) -> None:
    answers = [_accept(admin) for _ in range(2)]

    with scope.staff():
        versions = PolicyVersion.objects.values_list("version", "changes", "actor")
        assert (answers, list(versions)) == ([True, False], [(1, {"cardinality": {"lives_in": "many"}}, admin.pk)])


def test_spread_again_changes_nothing(person: User, admin: User) -> None:
    _accept(admin)
    offering.spread("lives_in")
    before = beliefs(person)

    offering.spread("lives_in")

    assert beliefs(person) == before


def test_declined_stays_one_valued_until_it_is_found_again(person: User, admin: User) -> None:
    with scope.staff():
        offering.decline("lives_in", by=admin)
    declined = _offers()
    other = make_user()
    quarrel(other, "Paris", "Rome")
    with scope.staff():
        settling.settle(conflict_of(other).pk, Answer(Choice.BOTH), by=admin)

    with scope.staff():
        version = policies.current().version
    assert (declined, version, _offers()) == ([], 0, [("lives_in", 2, 2, 0)])


def test_predicate_that_nobody_found_both_true_is_not_there(person: User, admin: User) -> None:
    with pytest.raises(NotFound), scope.staff():
        offering.accept("works_at", by=admin)
