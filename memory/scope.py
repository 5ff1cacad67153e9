"""Who a transaction may see: one user's rows, or all of them as staff.

The login role sees no content; these helpers open a transaction and become, for its length,
`assay_scope` with one user named, or `assay_staff`.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def user(user_id: int) -> Iterator[None]:
    """A transaction in which only the rows of this user exist."""
    with _become("assay_scope", user=str(user_id)):
        yield


@contextmanager
def staff() -> Iterator[None]:
    """A transaction across users: staff pages, sweep, upkeep, reports."""
    with _become("assay_staff", user=""):
        yield


@contextmanager
def _become(role: str, *, user: str) -> Iterator[None]:
    """Restores on exit, since a local setting outlives a released savepoint. Raises RuntimeError when nested."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('role')")
            if cursor.fetchone() != ("none",):
                raise RuntimeError("a scope is already open; one transaction serves one scope")
            _set(role, user)
        yield
        _set("none", "")


def _set(role: str, user: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('assay.user', %s, true), set_config('role', %s, true)", [user, role])
