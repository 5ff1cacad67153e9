"""The login, its roles and the init step, on the real server."""

import os
from collections.abc import Iterator

import psycopg
import pytest
from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import ProgrammingError, connection
from pytest_django import Settings

from reviewer import embedded, provision, roles
from tests import databases

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(django_db_setup: None) -> Iterator[psycopg.Connection]:
    with databases.administration(embedded.ensure()) as admin:
        yield admin


def test_roles_have_no_power_over_row_level_security(admin: psycopg.Connection) -> None:
    found = admin.execute(
        "SELECT rolname, rolcanlogin FROM pg_roles WHERE rolname LIKE 'assay%'"
        " AND NOT (rolsuper OR rolbypassrls OR rolcreatedb OR rolcreaterole OR rolreplication) ORDER BY rolname"
    ).fetchall()

    assert found == [("assay_app", True), ("assay_owner", True), ("assay_scope", False), ("assay_staff", False)]


def test_application_login_may_become_the_two_roles_and_inherits_neither(admin: psycopg.Connection) -> None:
    found = admin.execute(
        "SELECT roleid::regrole::text, inherit_option, set_option, admin_option FROM pg_auth_members"
        " WHERE member = 'assay_app'::regrole ORDER BY 1"
    ).fetchall()

    assert found == [("assay_scope", False, True, False), ("assay_staff", False, True, False)]


def test_application_login_owns_nothing() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_class WHERE relowner = 'assay_app'::regrole")

        assert cursor.fetchone() == (0,)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE mine (id int)",
        "TRUNCATE django_session",
        "SET ROLE assay_owner",
        "ALTER TABLE memory_episode DISABLE ROW LEVEL SECURITY",
        "COPY django_session TO PROGRAM 'true'",
    ],
)
def test_application_login_may_not(statement: str) -> None:
    with pytest.raises(ProgrammingError, match=r"permission denied|must be owner"), connection.cursor() as cursor:
        cursor.execute(statement)


def test_privileges_of_the_application_login_are_none() -> None:
    assert roles.privileges() == []


@pytest.mark.parametrize(
    ("power", "words"),
    [("SUPERUSER", ["is a superuser"]), ("BYPASSRLS", ["bypasses row-level security"]), ("NOBYPASSRLS", [])],
)
def test_privileges_too_great_are_named(admin: psycopg.Connection, power: str, words: list[str]) -> None:
    role = f"login_{databases.worker()}_{os.getpid()}"
    admin.execute(f"CREATE ROLE {role} {power}")

    admin.execute(f"SET SESSION AUTHORIZATION {role}")
    found = admin.execute(roles.PRIVILEGES).fetchone()
    admin.execute("RESET SESSION AUTHORIZATION")

    admin.execute(f"DROP ROLE {role}")
    assert found == (words,)


@pytest.mark.django_db(databases=["owner"])
def test_refuse_privileged_login_in_production_names_the_privilege(settings: Settings) -> None:
    settings.DEBUG = False

    with pytest.raises(ImproperlyConfigured, match="the login in DATABASE_URL owns the tables"):
        roles.refuse_privileged_login("owner")


@pytest.mark.django_db(databases=["owner"])
def test_refuse_privileged_login_in_development_does_not(settings: Settings) -> None:
    settings.DEBUG = True

    assert roles.privileges("owner") == ["owns the tables"]
    roles.refuse_privileged_login("owner")


@pytest.mark.django_db(databases=["owner"])
@pytest.mark.parametrize(("is_debug", "level"), [(True, checks.WARNING), (False, checks.CRITICAL)])
def test_check_login_is_critical_in_production(settings: Settings, *, is_debug: bool, level: int) -> None:
    settings.DEBUG = is_debug

    found = roles.check_login(databases=["owner"], alias="owner")

    assert found == [checks.CheckMessage(level, "The application's login owns the tables.", id="assay.E001")]


def test_check_login_looks_only_when_asked_for_the_database() -> None:
    assert roles.check_login(databases=None) == []


def test_init_database_repeated_changes_nothing(admin: psycopg.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    services = embedded.ensure()
    for variable, login in (("DATABASE_URL", provision.APP), ("MIGRATION_DATABASE_URL", provision.OWNER)):
        monkeypatch.setenv(variable, services.database_url(login, f"init_{os.getpid()}"))
    statement = "SELECT datname, datdba::regrole::text, datacl::text FROM pg_database WHERE datname = %s"
    name = f"init_{os.getpid()}"

    call_command("init_database", admin_url=services.database_url("postgres"), verbosity=0)
    first = admin.execute(statement, [name]).fetchall()
    call_command("init_database", admin_url=services.database_url("postgres"), verbosity=0)
    second = admin.execute(statement, [name]).fetchall()
    admin.execute(f"DROP DATABASE {name}")

    acl = "{assay_owner=CTc/assay_owner,assay_app=c/assay_owner}"
    assert first == second == [(name, "assay_owner", acl)]
