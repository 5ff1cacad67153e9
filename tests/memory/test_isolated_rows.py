"""What a user's scope can read and write of every table, on the application's own connection."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import Error, connection, models, transaction
from psycopg import sql

from memory import scope
from memory.models import User
from reviewer import embedded
from tests import databases, isolation
from tests.memory.conftest import Filled

pytestmark = pytest.mark.django_db

CONTENT = isolation.content_models()
by_model = pytest.mark.parametrize("model", CONTENT, ids=lambda model: model.__name__)
by_relation = pytest.mark.parametrize(
    ("model", "field"),
    isolation.relations(CONTENT),
    ids=lambda value: value.__name__ if isinstance(value, type) else value.name,
)


def _count(model: type[models.Model]) -> int:
    return model._default_manager.count()


def _counts() -> dict[str, int]:
    return {model.__name__: _count(model) for model in [*CONTENT, User]}


def _become(context: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('role', 'assay_scope', true), set_config('assay.user', %s, true)", [context])


def _refusal(error: pytest.ExceptionInfo[Error]) -> type[BaseException]:
    return type(error.value.__cause__)


def test_no_scope_sees_no_content_and_no_error(own: Filled, strange: Filled) -> None:
    assert _counts() == {**{model.__name__: 0 for model in CONTENT}, "User": 2}


def test_scope_sees_exactly_its_own(own: Filled, strange: Filled) -> None:
    with scope.user(own.user.pk):
        found = {model: [*model._default_manager.order_by("pk")] for model in CONTENT}
        people = [*User.objects.all()]

    assert found == own.rows
    assert people == [own.user]


def test_staff_see_everybody(own: Filled, strange: Filled) -> None:
    with scope.staff():
        found = {model: [*model._default_manager.order_by("pk")] for model in CONTENT}

    assert found == {model: own.rows[model] + strange.rows[model] for model in CONTENT}


@pytest.mark.parametrize(
    "context",
    [
        "",
        " ",
        "abc",
        "1; drop",
        "1; DROP TABLE memory_fact",
        "' OR true --",
        "None",
        "null",
        "NaN",
        "1.0",
        "1e0",
        "１",
        "*",
        "-1",
        "0",
        "9223372036854775807",
        "9223372036854775808",
        "9" * 400,
        "1,2",
        "{1,2}",
    ],
)
def test_garbage_context_sees_nothing_and_no_error(own: Filled, strange: Filled, context: str) -> None:
    _become(context)

    assert _counts() == {model.__name__: 0 for model in [*CONTENT, User]}


def test_role_without_context_sees_nothing_and_no_error(own: Filled) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL ROLE assay_scope")

    assert _counts() == {model.__name__: 0 for model in [*CONTENT, User]}


@pytest.mark.parametrize("user_id", [-1, 0, 2**63, 10**30])
def test_scope_of_nobody_sees_nothing_and_no_error(own: Filled, user_id: int) -> None:
    with scope.user(user_id):
        assert _counts() == {model.__name__: 0 for model in [*CONTENT, User]}


@by_model
def test_scope_writing_a_row_for_another_is_refused(own: Filled, strange: Filled, model: Any) -> None:
    row = own.rows[model][-1]
    row = model(**{field.attname: getattr(row, field.attname) for field in model._meta.concrete_fields})
    row.pk, row.user_id = None, strange.user.pk

    with pytest.raises(Error) as refused, scope.user(own.user.pk):
        row.save(force_insert=True)

    assert _refusal(refused) is psycopg.errors.InsufficientPrivilege


@by_model
def test_scope_giving_its_row_away_is_refused(own: Filled, strange: Filled, model: Any) -> None:
    with pytest.raises(Error) as refused, scope.user(own.user.pk):
        model._default_manager.filter(pk=own.rows[model][-1].pk).update(user_id=strange.user.pk)

    assert _refusal(refused) is psycopg.errors.InsufficientPrivilege


@by_model
def test_scope_changes_nothing_of_another(own: Filled, strange: Filled, model: Any) -> None:
    with scope.user(own.user.pk), connection.cursor() as cursor:
        table, foreign = model._meta.db_table, [row.pk for row in strange.rows[model]]
        cursor.execute(f"UPDATE {table} SET user_id = %s WHERE id = ANY(%s)", [own.user.pk, foreign])
        updated = cursor.rowcount
        cursor.execute(f"DELETE FROM {table} WHERE id = ANY(%s)", [foreign])
        deleted = cursor.rowcount
        cursor.execute(f"SELECT FROM {table} WHERE id = ANY(%s) FOR UPDATE", [foreign])
        locked = cursor.rowcount

    assert (updated, deleted, locked) == (0, 0, 0)


@pytest.mark.parametrize("statement", ["UPDATE {} SET user_id = user_id", "DELETE FROM {}"])
@by_model
def test_no_scope_writing_is_refused(own: Filled, model: Any, statement: str) -> None:
    with pytest.raises(Error) as refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement.format(model._meta.db_table))

    assert _refusal(refused) is psycopg.errors.InsufficientPrivilege


def test_scope_changes_no_other_user(own: Filled, strange: Filled) -> None:
    with scope.user(own.user.pk):
        found = User.objects.filter(pk=strange.user.pk).update(display_name="changed")

    assert found == 0


@pytest.mark.parametrize("become", [scope.user, None], ids=["scope", "no scope"])
def test_users_are_deleted_by_staff_alone(own: Filled, strange: Filled, become: Any) -> None:
    with pytest.raises(Error) as refused, become(own.user.pk) if become else transaction.atomic():
        User.objects.filter(pk=own.user.pk)._raw_delete("default")

    assert _refusal(refused) is psycopg.errors.InsufficientPrivilege


def _tie(row: models.Model, field: Any, parent: models.Model) -> None:
    """With what is checked at commit checked at once."""
    type(row)._default_manager.filter(pk=row.pk).update(**{field.attname: parent.pk})
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


@by_relation
def test_scope_hanging_its_row_on_a_strangers_is_refused(own: Filled, strange: Filled, model: Any, field: Any) -> None:
    with pytest.raises(Error) as refused, scope.user(own.user.pk):
        _tie(own.rows[model][-1], field, strange.rows[field.related_model][0])

    assert _refusal(refused) is psycopg.errors.ForeignKeyViolation


@by_relation
def test_scope_hanging_its_row_on_its_own_is_let(own: Filled, model: Any, field: Any) -> None:
    row = own.rows[model][-1]

    with scope.user(own.user.pk):
        _tie(row, field, getattr(row, field.name))


@by_relation
def test_staff_tying_rows_of_two_users_is_refused(own: Filled, strange: Filled, model: Any, field: Any) -> None:
    with pytest.raises(Error) as refused, scope.staff():
        _tie(own.rows[model][-1], field, strange.rows[field.related_model][0])

    assert _refusal(refused) is psycopg.errors.ForeignKeyViolation


@contextmanager
def _tampered(*statements: str) -> Iterator[psycopg.Connection]:
    """A transaction in which a superuser did what the application cannot, before it becomes the application."""
    name = str(settings.DATABASES["default"]["NAME"])
    with databases.administration(embedded.ensure(), name) as admin, admin.transaction(force_rollback=True):
        for statement in statements:
            admin.execute(statement)
        admin.execute("SET LOCAL session_replication_role = origin; SET LOCAL SESSION AUTHORIZATION assay_app")
        yield admin


def _seen(admin: psycopg.Connection, table: str, *, role: str, user: User) -> int:
    admin.execute("SELECT set_config('role', %s, true), set_config('assay.user', %s, true)", [role, str(user.pk)])
    (count,) = admin.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))).fetchone() or (-1,)
    return int(count)


@by_relation
def test_scope_joining_a_row_tied_to_a_strangers_gets_nothing(
    own: Filled, strange: Filled, model: Any, field: Any
) -> None:
    child, parent = model._meta.db_table, field.related_model._meta.db_table
    row, stranger = own.rows[model][-1].pk, strange.rows[field.related_model][0].pk
    tie = (
        f"SET LOCAL session_replication_role = replica; UPDATE {child} SET {field.column} = {stranger} WHERE id = {row}"
    )
    joined = f"SELECT count(*) FROM {child} JOIN {parent} AS parent ON parent.id = {child}.{field.column} WHERE {child}.id = {row}"

    with _tampered(tie) as admin:
        found = []
        for role, context in (("assay_scope", own), ("assay_scope", strange), ("assay_staff", own)):
            admin.execute(
                "SELECT set_config('role', %s, true), set_config('assay.user', %s, true)", [role, str(context.user.pk)]
            )
            found += admin.execute(joined).fetchall()

    assert found == [(0,), (0,), (1,)]


def test_rows_with_any_one_policy_dropped_are_invisible_to_its_role(own: Filled, strange: Filled) -> None:
    with connection.cursor() as cursor:
        found = [
            (table, name, policy.roles)
            for table, named in isolation.policies(cursor).items()
            for name, policy in named.items()
        ]

    seen = []
    for table, name, role in found:
        with _tampered() as admin:
            before = _seen(admin, table, role=role, user=own.user)
        with _tampered(f"DROP POLICY {name} ON {table}") as admin:
            seen.append((before > 0, _seen(admin, table, role=role, user=own.user)))

    assert seen == [(True, 0)] * (2 * len(CONTENT) + 3)


@by_model
def test_rows_with_row_security_off_are_everybodys(own: Filled, strange: Filled, model: Any) -> None:
    table = model._meta.db_table

    with _tampered(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY") as admin:
        seen = _seen(admin, table, role="assay_scope", user=own.user)

    assert seen == len(own.rows[model]) + len(strange.rows[model])


@pytest.mark.django_db(databases=["default", "owner"])
@by_model
def test_owner_sees_no_content(own: Filled, model: Any) -> None:
    assert model._default_manager.using("owner").count() == 0
