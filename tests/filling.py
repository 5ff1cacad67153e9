"""A row of everything for one user, whatever tables there are: what is about to leave no trace must first be there."""

import itertools
from datetime import UTC, date, datetime
from graphlib import TopologicalSorter
from typing import Any

from django.db import models

from memory import scope
from memory.models import Fact, User
from memory.types import Status
from tests import isolation

_numbers = itertools.count(1)

_SAME: dict[str, Any] = {
    "BooleanField": False,
    "FloatField": 0.5,
    "DateField": date(2026, 3, 10),
    "DateTimeField": datetime(2026, 3, 10, 12, tzinfo=UTC),
    "JSONField": {"counted": 1},
    "HalfVectorField": [0.25, 0.5],
    "BinaryField": b"bytes",
}

# Where the first of the choices contradicts another column of a filled row.
_SETTLED: dict[type[models.Model], dict[str, Any]] = {Fact: {"status": Status.SUPERSEDED}}

Rows = dict[type[models.Model], list[Any]]


def fill(user: User) -> Rows:
    """Two rows in each table of content, or one where a user has but one, with every column and relation set."""
    rows: Rows = {User: [user, user]}
    with scope.user(user.pk):
        for model in _parents_first():
            rows[model] = []
            for place in range(1 if _is_single(model) else 2):
                rows[model].append(model._default_manager.create(**_columns(model, rows, place)))
    del rows[User]
    return rows


def _parents_first() -> list[type[models.Model]]:
    parents: dict[type[models.Model], set[Any]] = {model: set() for model in isolation.content_models()}
    for model, field in isolation.relations(parents):
        parents[model] |= {field.related_model} - {model}
    return [*TopologicalSorter(parents).static_order()]


def _is_single(model: type[models.Model]) -> bool:
    keys = [c for c in model._meta.constraints if isinstance(c, models.UniqueConstraint) and c.condition is None]
    return any(tuple(key.fields) == ("user",) for key in keys)


def _columns(model: type[models.Model], rows: Rows, place: int) -> dict[str, Any]:
    """The first relation to a table takes its row at the same place, the next one the other; to oneself, the row before."""
    n, taken, columns = next(_numbers), dict[Any, int](), dict[str, Any]()
    for field in model._meta.concrete_fields:
        if field.primary_key or field.generated:
            continue
        parent = field.related_model
        if parent is model:
            columns[field.name] = rows[model][0] if place else None
        elif parent:
            columns[field.name] = rows[parent][(place + taken.get(parent, 0)) % len(rows[parent])]
            taken[parent] = taken.get(parent, 0) + 1
        elif field.name == "user_id":
            columns[field.name] = rows[User][0].pk
        else:
            columns[field.name] = _value(field, n)
    return columns | _SETTLED.get(model, {})


def _value(field: Any, n: int) -> Any:
    if field.choices:
        return field.choices[0][0]
    match field.get_internal_type():
        case "CharField" | "TextField":
            return f"{n} {field.name}"[: field.max_length]
        case kind if kind.endswith("IntegerField"):
            return n
        case "ArrayField":
            return [_value(field.base_field, n)]
        case kind:
            return _SAME[kind]
