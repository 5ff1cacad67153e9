"""Connections that threads share."""

import select

from psycopg import Connection
from psycopg_pool import ConnectionPool


def check(connection: Connection) -> None:
    """Raises when the server ended it. That it would have said: there is nothing to ask where there is nothing to read."""
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    if waiting.poll(0):
        ConnectionPool.check_connection(connection)
