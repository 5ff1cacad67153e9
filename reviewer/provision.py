"""The init step: database, extensions and roles, made once by a superuser and by nobody later.

Idempotent. What each role may do with which table is the migrations' matter.
"""

from collections.abc import Mapping

import psycopg
from psycopg import sql

OWNER = "assay_owner"
APP = "assay_app"
LOGINS = (OWNER, APP)

_ROLES = """
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['assay_owner', 'assay_app', 'assay_scope', 'assay_staff'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
            EXECUTE format('CREATE ROLE %I', name);
        END IF;
    END LOOP;
END $$;
ALTER ROLE assay_owner LOGIN INHERIT NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION;
ALTER ROLE assay_app LOGIN NOINHERIT NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION;
ALTER ROLE assay_scope NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION;
ALTER ROLE assay_staff NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION;
GRANT assay_scope, assay_staff TO assay_app WITH INHERIT FALSE, SET TRUE;
"""

_INSIDE = """
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;
ALTER SCHEMA public OWNER TO assay_owner;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO assay_app, assay_scope, assay_staff;
ALTER DEFAULT PRIVILEGES FOR ROLE assay_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO assay_app;
ALTER DEFAULT PRIVILEGES FOR ROLE assay_owner IN SCHEMA public
    GRANT USAGE, SELECT ON SEQUENCES TO assay_app;
"""


def provision(admin_url: str, *, database: str, passwords: Mapping[str, str]) -> None:
    """Make what is missing. `passwords` has one entry for each of LOGINS."""
    with psycopg.connect(admin_url, autocommit=True) as connection:
        # One at a time, whoever else is at it: roles belong to the whole server.
        connection.execute("SELECT pg_advisory_lock(7714277)")
        connection.execute(_ROLES)
        for role in LOGINS:
            _set_password(connection, role, passwords[role])
        _create(connection, database)
    with psycopg.connect(admin_url, dbname=database, autocommit=True) as connection:
        connection.execute(_INSIDE)


def _set_password(connection: psycopg.Connection, role: str, password: str) -> None:
    statement = sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(role), sql.Literal(password))
    connection.execute(statement)


def _create(connection: psycopg.Connection, database: str) -> None:
    name = sql.Identifier(database)
    found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone()
    if found is None:
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(name, sql.Identifier(OWNER)))
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(name))
    connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(name, sql.Identifier(APP)))
