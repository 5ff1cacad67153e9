"""Reading an export back: the same rows under new numbers. All of it, or nothing."""

import json
from collections.abc import Iterable
from contextlib import closing
from itertools import batched, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, cast

from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, transaction
from django.db.models import Model

from memory import forgetting, people, prepared, scope
from memory.errors import AssayError, Unreadable
from memory.models import User
from memory.portability import checking, reviewed
from memory.portability.numbers import Numbers
from memory.portability.reading import ALL, Archive, opened
from memory.portability.registry import NUMBERED, REGISTRY, SECTIONS, Class, travelling

BATCH = 500
FOR_READERS = {"facts": {"evidence"}}
"""What an export tells beside the rows."""
LATER = {"remarks": {"id"}, "erasure_requests": {"topic", "language", "said_at"}}
"""What exports tell only since a later day: rows of an older one get what the table gives."""


def restore(path: Path) -> User:
    """Makes the user of an export with all that is theirs.

    Raises Unreadable when it is damaged, incomplete or of another make, or its user exists; Departed for one who
    was forgotten. Nothing is written then. Vectors do not travel: they are made again.
    """
    with opened(path) as archive, transaction.atomic():
        try:
            return _restored(archive)
        except AssayError:
            raise
        except (DatabaseError, ValidationError, TypeError, ValueError, OverflowError) as error:
            # Never the error's own words: they may hold what is in the rows.
            raise Unreadable(f"{path.name} holds rows that cannot be stored ({type(error).__name__})") from error


def _restored(archive: Archive) -> User:
    with scope.staff(), closing(archive.rows()) as rows:
        name, head = next(rows, ("", None))
        if name != "user" or not isinstance(head, dict):
            raise Unreadable("the export names no user")
        user = _user(head)
        _let_nobody_count()
        counts, promised = _rows(rows, user), archive.counts(ALL)
        found = {name: count for name, count in counts.items() if count or name in promised}
        if found != promised:
            raise Unreadable(f"the export holds {found}, but its manifest says {promised}")
        forgetting.mark(user.pk)
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # a link to a row that is not there shows now
    return user


def _let_nobody_count() -> None:
    """While tables are filled their statistics stay as they are.

    Counted in the middle they would be called empty, and Postgres would check each link by reading all of its table: hours
    for a hundred thousand facts. Writers are not held up. Until the end wait: another restoring, vacuuming (autovacuum skips these
    tables and comes again), CREATE INDEX CONCURRENTLY, and what alters the tables.
    """
    tables = ", ".join(sorted(model._meta.db_table for model in SECTIONS.values()))
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {tables} IN SHARE UPDATE EXCLUSIVE MODE")


def _user(head: dict[str, Any]) -> User:
    values = _known(User, head, "the user")
    external_id = values["external_id"]
    if not isinstance(external_id, str) or not external_id:
        raise Unreadable("the export names no user")
    people.refuse_departed(external_id)
    if User.objects.filter(external_id=external_id).exists():
        raise Unreadable(f"the user {external_id!r} exists here already: an export goes into an empty place")
    checks = checking.checks(User)
    user = User(password="!", **{name: checks[name](value) for name, value in values.items()})  # noqa: S106 - no login
    user.clean_fields(exclude=["password"])
    user.save(force_insert=True)
    return user


def _rows(archived: Iterable[tuple[str, Any]], user: User) -> dict[str, int]:
    numbers, counts = Numbers(), dict.fromkeys(ALL, 0)
    for name, section in groupby(archived, itemgetter(0)):
        if name == reviewed.SECTION:
            counts[name] = reviewed.restore((row for _, row in section), user, numbers)
            continue
        model = SECTIONS[name]
        for batch in batched(section, BATCH, strict=False):
            _insert(model, [_row(model, _known(model, values, name), user, numbers) for _, values in batch])
            counts[name] += len(batch)
    numbers.check()
    return counts


def _known(model: type[Model], values: Any, where: str) -> dict[str, Any]:
    """The values, if they are exactly those that travel, or travelled once."""
    if not isinstance(values, dict):
        raise Unreadable(f"{where}: a row is no object")
    fields = {name: value for name, value in values.items() if name not in FOR_READERS.get(where, set())}
    wanted = set(travelling(model))
    for words, names in (
        ("has unknown fields", fields.keys() - wanted),
        ("lacks fields", wanted - LATER.get(where, set()) - fields.keys()),
    ):
        if names:
            raise Unreadable(f"{where}: a row {words}: {', '.join(sorted(map(str, names)))[:200]}")
    return fields


def _row(model: type[Model], values: dict[str, Any], user: User, numbers: Numbers) -> dict[str, Any]:
    """The columns of one row under its new numbers."""
    columns: dict[str, Any] = {**checking.defaults(model), "user_id": user.pk}
    checks = checking.checks(model)
    for name, kind in REGISTRY[model].items():
        if name not in values:
            continue
        is_link = kind is Class.LINK
        value = _renumbered(model, name, values[name], numbers) if is_link else checks[name](values[name])
        columns[checking.column(model, name)] = value
    return columns


def _insert(model: type[Model], rows: list[dict[str, Any]]) -> None:
    """One value for all of them: Postgres takes them apart faster than they could be bound one by one."""
    table = model._meta.db_table
    columns = ", ".join(rows[0])
    # Names of our own tables and columns.
    statement = (
        f"INSERT INTO {table} ({columns}) SELECT {columns} FROM json_populate_recordset(NULL::{table}, %(rows)s::json)"  # noqa: S608
    )
    prepared.rows(statement, {"rows": json.dumps(rows, ensure_ascii=False)})


def _renumbered(model: type[Model], name: str, value: Any, numbers: Numbers) -> Any:
    if name == "id":
        return numbers.of_row(model, value)
    target = NUMBERED.get((model, name))
    if target:
        # Of rows that were erased since only the numbers are left.
        return [new for old in value if (new := numbers.known(target, old)) is not None]
    target = _parent(model, name)
    return None if value is None else numbers.of_link(target, value)


def _parent(model: type[Model], name: str) -> type[Model]:
    return cast("type[Model]", model._meta.get_field(name).related_model)
