"""Long statements that are read and planned once a connection, not at every run.

Django binds values on the client, so that Postgres reads and plans every statement anew: more than half of what a
recall costs. These go by psycopg's own cursor, with Postgres' own placeholders.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import JSONField, Model
from psycopg import RawCursor

_PLACE = re.compile(r"%\((\w+)\)s|%%")


def rows(statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Runs a statement whose values stand as `%(name)s`. It is prepared where the connection's settings allow that."""
    text, names = _native(statement)
    with _cursor() as cursor:
        cursor.execute(text, [values[name] for name in names])
        return [] if cursor.rownumber is None else list(cursor.fetchall())  # None for what gives no rows


def columns(model: type[Model], table: str) -> str:
    """What a statement reads of `table` for `instance`: all but documents, which Django unpacks by itself."""
    return ", ".join(f"{table}.{name}" for name in _names(model))


def instance[M: Model](model: type[M], row: Sequence[Any]) -> M:
    """The row of a model from its `columns`."""
    return model.from_db(DEFAULT_DB_ALIAS, _names(model), row)


@lru_cache(maxsize=64)
def _names(model: type[Model]) -> tuple[str, ...]:
    return tuple(field.attname for field in model._meta.concrete_fields if not isinstance(field, JSONField))


def _cursor() -> Any:
    """As Django makes its own, which translates errors and can be listened to."""
    database = connections[DEFAULT_DB_ALIAS]  # looked up once, not at every touch
    database.close_if_health_check_failed()
    database.ensure_connection()
    wrap = database.make_debug_cursor if database.queries_logged else database.make_cursor
    cursor: Any = RawCursor(database.connection)
    return wrap(cursor)


@lru_cache(maxsize=64)
def _native(statement: str) -> tuple[str, Sequence[str]]:
    """With `$1`, `$2` …, and the names of the values in that order."""
    names: list[str] = []

    def numbered(match: re.Match[str]) -> str:
        name = match[1]
        if name is None:
            return "%"
        if name not in names:
            names.append(name)
        return f"${names.index(name) + 1}"

    return _PLACE.sub(numbered, statement), names
