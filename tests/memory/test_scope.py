"""How the helper opens and leaves a scope, on the application's own connection with real commits."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from django.db import DataError, IntegrityError, InternalError, OperationalError, connection, transaction

from memory import scope
from memory.models import Episode, User
from reviewer import embedded
from tests import databases
from tests.factories import make_episode, make_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def member() -> User:
    return _with_episode("member")


@pytest.fixture
def stranger() -> User:
    return _with_episode("stranger")


def _with_episode(name: str) -> User:
    user = make_user(name)
    make_episode(user, "I live in Bergen.", external_id=f"of {name}")
    return user


def _seen() -> list[str]:
    return [*Episode.objects.order_by("external_id").values_list("external_id", flat=True)]


def _context() -> tuple[Any, ...]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user::text, current_setting('role'), current_setting('assay.user', true)")
        return tuple(cursor.fetchone())


def _fail(kind: str) -> None:
    """One way for work inside a scope to go wrong."""
    if kind == "python":
        raise ValueError("work failed")
    with connection.cursor() as cursor:
        if kind == "timeout":
            cursor.execute("SET LOCAL statement_timeout = 5; SELECT pg_sleep(5)")
        if kind == "lost":
            cursor.execute("SELECT pg_backend_pid()")
            with databases.administration(embedded.ensure()) as admin:
                admin.execute("SELECT pg_terminate_backend(%s, 5000)", cursor.fetchone())
        cursor.execute("SELECT 1 / 0")


def test_scope_names_its_user_and_role(member: User) -> None:
    with scope.user(member.pk):
        found = _context()

    assert found == ("assay_scope", "assay_scope", str(member.pk))


def test_staff_name_no_user(member: User) -> None:
    with scope.staff():
        found = _context()

    assert found == ("assay_staff", "assay_staff", "")


def test_scope_sees_its_own_and_staff_all(member: User, stranger: User) -> None:
    with scope.user(member.pk):
        own = _seen()
    with scope.staff():
        everybody = _seen()

    assert (own, everybody) == (["of member"], ["of member", "of stranger"])


@pytest.mark.parametrize("is_staff", [False, True])
def test_nothing_is_seen_after_commit(member: User, stranger: User, *, is_staff: bool) -> None:
    with scope.staff() if is_staff else scope.user(member.pk):
        Episode.objects.update(session="met")

    assert (_seen(), _context()) == ([], ("assay_app", "none", ""))


@pytest.mark.parametrize("kind", ["python", "statement", "timeout", "lost"])
def test_nothing_is_seen_after_an_exception_and_nothing_of_it_stays(member: User, kind: str) -> None:
    with suppress(ValueError, DataError, OperationalError), scope.user(member.pk):
        Episode.objects.update(session="lost")
        _fail(kind)

    assert (_seen(), _context()[:2]) == ([], ("assay_app", "none"))
    with scope.user(member.pk):
        assert [*Episode.objects.values_list("session", flat=True)] == [""]


def test_nothing_is_seen_after_an_error_that_was_swallowed(member: User) -> None:
    aborted = pytest.raises(InternalError, match="current transaction is aborted")

    with aborted, scope.user(member.pk), suppress(DataError):
        _fail("statement")

    assert (_seen(), _context()[:2]) == ([], ("assay_app", "none"))


def test_nothing_is_seen_after_rollback_on_request_and_nothing_of_it_stays(member: User) -> None:
    with scope.user(member.pk):
        Episode.objects.update(session="tried")
        transaction.set_rollback(True)

    assert (_seen(), _context()[:2]) == ([], ("assay_app", "none"))
    with scope.user(member.pk):
        assert [*Episode.objects.values_list("session", flat=True)] == [""]


def test_nothing_is_seen_after_a_released_savepoint(member: User) -> None:
    with transaction.atomic():
        with scope.user(member.pk):
            inside = _seen()
        found = (_seen(), _context())

    assert inside == ["of member"]
    assert found == ([], ("assay_app", "none", ""))


@pytest.mark.parametrize("kind", ["python", "statement"])
def test_nothing_is_seen_after_a_savepoint_rolled_back(member: User, kind: str) -> None:
    with transaction.atomic():
        with suppress(ValueError, DataError), scope.user(member.pk):
            _fail(kind)
        found = (_seen(), _context()[:2])

    assert found == ([], ("assay_app", "none"))


def test_nothing_is_seen_after_rollback_on_request_inside_a_transaction(member: User) -> None:
    with transaction.atomic():
        with scope.user(member.pk):
            transaction.set_rollback(True)
        found = (_seen(), _context()[:2])

    assert found == ([], ("assay_app", "none"))


def test_nothing_is_seen_after_a_commit_behind_the_scope(member: User) -> None:
    with scope.user(member.pk), connection.cursor() as cursor:
        cursor.execute("COMMIT")
        found = (_seen(), _context())

    assert found == ([], ("assay_app", "none", ""))


def test_scope_stays_after_an_inner_savepoint_failed(member: User, stranger: User) -> None:
    with scope.user(member.pk):
        with suppress(IntegrityError), transaction.atomic():
            make = {"occurred_at": "2026-03-10T12:00Z", "due_at": "2026-03-10T12:00Z"}
            Episode.objects.create(user=member, external_id="of member", **make)
        found = _seen()

    assert found == ["of member"]


def test_scope_stays_after_an_inner_savepoint_was_released(member: User, stranger: User) -> None:
    with scope.user(member.pk):
        with transaction.atomic():
            Episode.objects.update(session="met")
        found = _seen()

    assert found == ["of member"]


@pytest.mark.parametrize("outer", ["user", "staff"])
@pytest.mark.parametrize("inner", ["user", "staff", "the same user"])
def test_scope_inside_another_is_refused_and_the_outer_stays(
    member: User, stranger: User, outer: str, inner: str
) -> None:
    scopes = {"staff": scope.staff, "user": lambda: scope.user(stranger.pk)}
    nested = scopes.get(inner, lambda: scope.user(member.pk))()

    with scope.staff() if outer == "staff" else scope.user(member.pk):
        before = (_seen(), _context())
        with pytest.raises(RuntimeError, match="a scope is already open"), nested:
            Episode.objects.update(session="never")
        after = (_seen(), _context())

    assert after == before


def test_scopes_after_each_other_in_one_transaction_keep_apart(member: User, stranger: User) -> None:
    with transaction.atomic():
        with scope.user(member.pk):
            first = _seen()
        with scope.user(stranger.pk):
            second = _seen()

    assert (first, second) == (["of member"], ["of stranger"])


def test_scope_abandoned_by_its_generator_is_left(member: User) -> None:
    def stream() -> Iterator[str]:
        with scope.user(member.pk):
            yield from _seen()

    reading = stream()
    first = next(reading)
    reading.close()  # type: ignore[attr-defined]

    assert first == "of member"
    assert (_seen(), _context()[:2]) == ([], ("assay_app", "none"))


def test_work_after_commit_runs_outside_the_scope(member: User) -> None:
    found = []

    with scope.user(member.pk):
        transaction.on_commit(lambda: found.append((_seen(), _context()[:2])))

    assert found == [([], ("assay_app", "none"))]
