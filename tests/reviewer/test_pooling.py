"""Shared connections: checked without asking the server, and replaced when it ended them."""

import psycopg
import pytest
from django.db import connection

from memory import prepared
from reviewer import pooling

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def idle() -> psycopg.Connection:
    """A connection of its own, beside the test's."""
    return connection.Database.connect(**connection.get_connection_params(), autocommit=True)


def test_idle_connection_is_fine_and_asked_nothing(idle: psycopg.Connection):
    with idle:
        pooling.check(idle)
        assert idle.execute("SELECT 1").fetchone() == (1,)


def test_connection_that_the_server_ended_is_refused(idle: psycopg.Connection):
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [idle.info.backend_pid])

    with pytest.raises(psycopg.OperationalError):
        pooling.check(idle)

    idle.close()


def test_long_statements_are_prepared_and_django_s_own_are_not():
    for number in range(4):
        prepared.rows("SELECT %(number)s::int, '%%'", {"number": number})
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        statements = [row[0] for row in cursor.fetchall()]

    assert statements == ["SELECT $1::int, '%'"]
