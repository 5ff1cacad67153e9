"""Databases for a test run: cloned from a template that is migrated once, dropped at the end.

The server is shared by all runs from this checkout, each with databases of its own.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from psycopg import sql

from reviewer import embedded, provision
from reviewer.embedded import Services, locks

# Made by `migrate`, the same in every test.
_KEPT = ("django_migrations", "django_content_type", "auth_permission")


def worker() -> str:
    """The name of this process within its run."""
    return os.environ.get("PYTEST_XDIST_WORKER", "main")


@contextmanager
def database() -> Iterator[str]:
    """A migrated database of this process's own; Django's two aliases and child processes use it."""
    services = embedded.ensure()
    name = f"test_{os.environ['ASSAY_TEST_RUN']}_{worker()}"
    with administration(services) as admin:
        _hurry(admin)
        _drop_abandoned(admin)
        mutex = locks.alone(services.home.root / "template.lock")
        try:
            _clone(admin, _template(admin, services), name)
        finally:
            os.close(mutex)
    _use(services, name)
    try:
        yield name
    finally:
        connections.close_all()
        with administration(services) as admin:
            _drop(admin, name)


@contextmanager
def administration(services: Services, name: str = "postgres") -> Iterator[psycopg.Connection]:
    """A superuser's connection. Nothing that tests isolation may use it."""
    with psycopg.connect(services.database_url("postgres", name), autocommit=True) as connection:
        yield connection


def clean(name: str) -> None:
    """Empties every table that a test may have written to."""
    with administration(embedded.ensure(), name) as admin:
        admin.execute("SET lock_timeout = '10s'; SET session_replication_role = replica")
        tables = admin.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        for (table,) in tables:
            if table not in _KEPT:
                admin.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))


def _hurry(admin: psycopg.Connection) -> None:
    """The tests' server need not survive a power cut."""
    for setting in ("fsync", "full_page_writes", "synchronous_commit"):
        admin.execute(sql.SQL("ALTER SYSTEM SET {} = off").format(sql.Identifier(setting)))
    admin.execute("SELECT pg_reload_conf()")


def _template(admin: psycopg.Connection, services: Services) -> str:
    """The name of the database that has the migrations as they are now, made when missing."""
    name = f"template_{_fingerprint()}"
    if _has(admin, name):
        return name
    for (stale,) in admin.execute(r"SELECT datname FROM pg_database WHERE datname ~ '^(template|draft)_'").fetchall():
        _drop(admin, stale)
    draft = f"draft_{_fingerprint()}"
    passwords = {login: services.home.secret(f"postgres_{login}") for login in provision.LOGINS}
    provision.provision(services.database_url("postgres"), database=draft, passwords=passwords)
    connections["owner"].settings_dict["NAME"] = draft
    call_command("migrate", verbosity=0)
    connections["owner"].close()
    admin.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(draft), sql.Identifier(name)))
    return name


def _fingerprint() -> str:
    """Of all that a migrated database depends on."""
    files = [Path(provision.__file__), settings.BASE_DIR / "uv.lock"]
    for config in apps.get_app_configs():
        files += sorted((Path(config.path) / "migrations").glob("*.py"))
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes() if file.exists() else b"")
    return digest.hexdigest()[:16]


def _clone(admin: psycopg.Connection, template: str, name: str) -> None:
    _drop(admin, name)
    statement = sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {}")
    admin.execute(statement.format(*map(sql.Identifier, (name, template, provision.OWNER))))


def _use(services: Services, name: str) -> None:
    for alias in ("default", "owner"):
        connections[alias].close()
        connections[alias].settings_dict["NAME"] = name
    os.environ["DATABASE_URL"] = services.database_url(provision.APP, name)
    os.environ["MIGRATION_DATABASE_URL"] = services.database_url(provision.OWNER, name)


def _drop_abandoned(admin: psycopg.Connection) -> None:
    """Databases of runs that were killed."""
    rows = admin.execute(r"SELECT datname FROM pg_database WHERE datname ~ '^test_\d+_'").fetchall()
    for (name,) in rows:
        if not psutil.pid_exists(int(name.split("_")[1])):
            _drop(admin, name)


def _has(admin: psycopg.Connection, name: str) -> bool:
    return admin.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is not None


def _drop(admin: psycopg.Connection, name: str) -> None:
    admin.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
