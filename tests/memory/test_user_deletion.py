"""What goes when a user goes: everything of theirs, by the database itself, and nothing of anybody else's."""

from typing import Any

import pytest
from django.conf import settings
from django.db import models

from memory import scope
from memory.models import ApiKey, PersonsRuling, User
from reviewer import embedded
from tests import databases, filling, isolation
from tests.factories import make_user

pytestmark = pytest.mark.django_db(transaction=True)

LEAVING = [model for model in isolation.content_models() if model._meta.db_table not in isolation.OUTLIVING]


def _ask(statement: str, values: list[Any]) -> list[tuple[Any, ...]]:
    """Past row-level security, whose hiding a row is not its being gone."""
    with databases.administration(embedded.ensure(), settings.DATABASES["default"]["NAME"]) as admin:
        return admin.execute(statement, values).fetchall()


def _hashes(user: User) -> dict[str, list[tuple[Any, ...]]]:
    """Of each table's rows that are this user's, every column."""
    return {
        table: _ask(
            f"SELECT count(*), md5(string_agg(t::text, '|' ORDER BY id)) FROM {table} t WHERE {column} = %s", [user.pk]
        )
        for table, column in [
            *((model._meta.db_table, "user_id") for model in isolation.content_models()),
            (isolation.USERS, "id"),
        ]
    }


def _counts(user: User, of: list[type[models.Model]]) -> dict[str, int]:
    return {
        model.__name__: _ask(f"SELECT count(*) FROM {model._meta.db_table} WHERE user_id = %s", [user.pk])[0][0]
        for model in of
    }


def _delete(user: User) -> None:
    """By the row alone: no code has a say in what follows."""
    with scope.staff():
        User.objects.filter(pk=user.pk)._raw_delete("default")


def test_deleting_a_user_leaves_nothing_of_them() -> None:
    leaving = make_user()
    rows = filling.fill(leaving)
    before = _counts(leaving, isolation.content_models())

    _delete(leaving)

    assert before == {model.__name__: len(made) for model, made in rows.items()}
    assert min(before.values()) > 0
    assert _counts(leaving, LEAVING) == {model.__name__: 0 for model in LEAVING}
    assert _ask("SELECT FROM memory_user WHERE id = %s", [leaving.pk]) == []


def test_deleting_a_user_through_the_model_leaves_nothing_of_them() -> None:
    leaving = make_user()
    filling.fill(leaving)

    with scope.staff():
        leaving.delete()

    assert sum(_counts(User(pk=1), LEAVING).values()) == 0
    assert _ask("SELECT FROM memory_user", []) == []


def test_deleting_a_user_leaves_every_other_row_as_it_was() -> None:
    leaving, *staying = make_user(), make_user(), make_user()
    for user in (leaving, *staying):
        filling.fill(user)
    before = [_hashes(user) for user in staying]

    _delete(leaving)

    assert [_hashes(user) for user in staying] == before
    assert all(found[0][0] > 0 for hashes in before for found in hashes.values())


def test_deleting_a_user_takes_their_keys_and_leaves_the_others() -> None:
    leaving, staying = make_user(), make_user()
    for prefix, user in (("a", leaving), ("b", staying), ("c", None)):
        ApiKey.objects.create(name=prefix, prefix=prefix, digest=prefix, scopes=["read"], user=user)

    _delete(leaving)

    assert [*ApiKey.objects.order_by("prefix").values_list("prefix", flat=True)] == ["b", "c"]


def test_deleting_a_reviewer_leaves_what_they_decided_for_others() -> None:
    reviewer, member = make_user(access="reviewer"), make_user()
    ruling = filling.fill(member)[PersonsRuling][0]
    with scope.user(member.pk):
        PersonsRuling.objects.filter(pk=ruling.pk).update(actor=reviewer)

    _delete(reviewer)

    with scope.user(member.pk):
        assert PersonsRuling.objects.values_list("actor", "verb").get(pk=ruling.pk) == (None, ruling.verb)


@pytest.mark.parametrize(
    "model",
    sorted({field.related_model for _, field in isolation.relations(LEAVING)}, key=lambda model: model.__name__),
    ids=lambda model: model.__name__,
)
def test_deleting_a_row_leaves_none_that_points_at_it(model: type[models.Model]) -> None:
    user = make_user()
    gone = filling.fill(user)[model][0].pk

    with scope.user(user.pk):
        model._default_manager.filter(pk=gone)._raw_delete("default")  # type: ignore[attr-defined]

    pointing = {
        f"{child.__name__}.{field.name}": _ask(
            f"SELECT count(*) FROM {child._meta.db_table} WHERE {field.column} = %s", [gone]
        )[0][0]
        for child, field in isolation.relations(LEAVING)
        if field.related_model is model
    }
    assert pointing == dict.fromkeys(pointing, 0)


def test_filling_leaves_no_column_empty() -> None:
    user = make_user()
    filling.fill(user)

    empty = []
    for model in isolation.content_models():
        columns = [field.column for field in model._meta.concrete_fields]
        counts = ", ".join(f'count("{column}")' for column in columns)
        (found,) = _ask(f"SELECT {counts} FROM {model._meta.db_table}", [])
        empty += [(model.__name__, column) for column, count in zip(columns, found, strict=True) if not count]
    assert empty == []
