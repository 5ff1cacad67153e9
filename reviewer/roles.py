"""The application's login must be held to row-level security: no superuser, no BYPASSRLS, owner of nothing."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.db import connections

PRIVILEGES = """
    SELECT array_remove(ARRAY[
        CASE WHEN rolsuper THEN 'is a superuser' END,
        CASE WHEN rolbypassrls THEN 'bypasses row-level security' END,
        CASE WHEN EXISTS (
            SELECT FROM pg_class WHERE relowner = pg_roles.oid AND relkind IN ('r', 'p') AND relname LIKE 'memory\\_%'
        ) THEN 'owns the tables' END
    ], NULL)
    FROM pg_roles WHERE rolname = session_user
"""


def privileges(alias: str = "default") -> list[str]:
    """What the login may that it must not, in words; empty when all is well."""
    with connections[alias].cursor() as cursor:
        cursor.execute(PRIVILEGES)
        return list(cursor.fetchone()[0])


def refuse_privileged_login(alias: str = "default") -> None:
    """Called where the web server and the worker start. Only production refuses."""
    if settings.DEBUG:
        return
    found = privileges(alias)
    if found:
        raise ImproperlyConfigured(
            f"Assay does not start: the login in DATABASE_URL {' and '.join(found)}, so that nothing would keep"
            " one person's memory from another. Use assay_app, made by `manage.py init_database`."
        )


def check_login(
    *, databases: Sequence[str] | None = None, alias: str = "default", **_: Any
) -> list[checks.CheckMessage]:
    """The same as a system check, for `check --database default`."""
    if alias not in (databases or ()):
        return []
    level = checks.WARNING if settings.DEBUG else checks.CRITICAL
    return [
        checks.CheckMessage(level, f"The application's login {found}.", id="assay.E001") for found in privileges(alias)
    ]
