"""One connection serving two people in turn, while things go wrong between them."""

import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import pytest
from django.db import DataError, Error, IntegrityError, connection, transaction

from memory import scope
from memory.models import Episode, User
from tests.factories import make_episode, make_user

pytestmark = pytest.mark.django_db(transaction=True)

RESPONSES = 3_000


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _fail_inside(user: User, other: User) -> None:
    with suppress(DataError), scope.user(user.pk):
        _execute("SELECT 1 / 0")


def _swallow_inside(user: User, other: User) -> None:
    with suppress(Error), scope.user(user.pk), suppress(DataError):
        _execute("SELECT 1 / 0")


def _raise_inside(user: User, other: User) -> None:
    with suppress(ValueError), scope.user(user.pk):
        raise ValueError("the page failed")


def _roll_back_a_savepoint(user: User, other: User) -> None:
    with scope.user(user.pk), suppress(IntegrityError), transaction.atomic():
        make_row = {"external_id": "first", "occurred_at": "2026-03-10T12:00Z", "due_at": "2026-03-10T12:00Z"}
        Episode.objects.create(user=user, **make_row)


def _nest(user: User, other: User) -> None:
    with scope.user(user.pk), suppress(RuntimeError), scope.user(other.pk):
        pass


def _abort_staff(user: User, other: User) -> None:
    with suppress(DataError), scope.staff():
        _execute("SELECT 1 / 0")


def _set_by_hand(user: User, other: User) -> None:
    with suppress(DataError), transaction.atomic():
        _execute(f"SELECT set_config('role', 'assay_scope', true), set_config('assay.user', '{other.pk}', true)")
        _execute("SELECT 1 / 0")


DISASTERS: list[Callable[[User, User], None]] = [
    _fail_inside,
    _swallow_inside,
    _raise_inside,
    _roll_back_a_savepoint,
    _nest,
    _abort_staff,
    _set_by_hand,
]


def test_responses_to_two_people_on_one_connection_hold_no_foreign_row() -> None:
    chance = random.Random(7)
    people = [make_user("first"), make_user("second")]
    for user in people:
        make_episode(user, external_id="first")
        make_episode(user, external_id="second")
    connection.ensure_connection()
    session = connection.connection

    found: Counter[str] = Counter()
    for _ in range(RESPONSES):
        user, other = chance.sample(people, 2)
        if chance.random() < 0.4:
            chance.choice(DISASTERS)(*chance.sample(people, 2))
        found["outside"] += Episode.objects.count()
        with scope.user(user.pk):
            owners = [*Episode.objects.values_list("user_id", flat=True)]
        found["own"] += owners.count(user.pk)
        found["foreign"] += owners.count(other.pk)

    assert found == {"own": 2 * RESPONSES, "foreign": 0, "outside": 0}
    assert connection.connection is session
