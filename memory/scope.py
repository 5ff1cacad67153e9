"""Who a transaction may see: one user's rows, or all of them as staff.

The login role sees no content; these helpers open a transaction and become, for its length,
`assay_scope` with one user named, or `assay_staff`.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from psycopg.pq import TransactionStatus


@contextmanager
def user(user_id: int) -> Iterator[None]:
    """A transaction in which only the rows of this user exist."""
    with _become("assay_scope", user=str(user_id)):
        yield


@contextmanager
def moment() -> Iterator[None]:
    """Scopes in it, one after the other, see rows as they are at this moment. Opens no savepoint: first in line."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


@contextmanager
def staff() -> Iterator[None]:
    """A transaction across users: staff pages, sweep, upkeep, reports."""
    with _become("assay_staff", user=""):
        yield


@contextmanager
def _become(role: str, *, user: str) -> Iterator[None]:
    """Restores on exit where a transaction goes on: a local setting outlives a released savepoint, but no commit.

    Raises RuntimeError when nested, and what Postgres says after an error that was swallowed: a commit would be silent.
    """
    goes_on = connection.in_atomic_block
    with transaction.atomic():
        if _set(role, user) != "none":
            raise RuntimeError("a scope is already open; one transaction serves one scope")
        yield
        if (goes_on or _is_aborted()) and not connection.needs_rollback:  # a rollback takes the settings back by itself
            _set("none", "")


def _is_aborted() -> bool:
    return bool(connection.connection.info.transaction_status == TransactionStatus.INERROR)


def _set(role: str, user: str) -> str:
    """Becomes `role`; returns the role until then."""
    statement = "SELECT current_setting('role'), set_config('assay.user', %s, true), set_config('role', %s, true)"
    with connection.cursor() as cursor:
        cursor.execute(statement, [user, role])
        return str(cursor.fetchone()[0])
