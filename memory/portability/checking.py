"""Whether values of an export are such as their columns hold. What the database itself refuses is left to it."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import cache
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import ForeignKey, Model

from memory import text
from memory.portability.registry import travelling

type Check = Callable[[Any], Any]


@cache
def column(model: type[Model], name: str) -> str:
    field = model._meta.get_field(name)
    return field.column if isinstance(field, ForeignKey) else name


@cache
def defaults(model: type[Model]) -> Mapping[str, Any]:
    """What columns hold that Postgres has no default for."""
    fields = [field for field in model._meta.concrete_fields if not field.primary_key and not field.has_db_default()]
    return {str(field.column): field.get_default() for field in fields}


@cache
def checks(model: type[Model]) -> Mapping[str, Check]:
    """By field: gives the value as it is stored, or raises TypeError, ValueError or ValidationError."""
    return {name: _check(model._meta.get_field(name)) for name in travelling(model)}


@cache
def of_field(model: type[Model], name: str) -> Check:
    """As `checks`, for one field of a table that does not travel itself."""
    return _check(model._meta.get_field(name))


def _check(field: Any) -> Check:
    kind = field.get_internal_type()
    if isinstance(field, ArrayField):
        return _array(_check(field.base_field))
    if kind in {"CharField", "TextField"}:
        return _text({name for name, _ in field.flatchoices})
    if kind not in _KINDS:
        raise FieldDoesNotExist(f"{field}: nothing is known of {kind}")
    return _KINDS[kind]


def _text(choices: set[Any]) -> Check:
    def check(value: Any) -> Any:
        if value is None:
            return None
        if not isinstance(value, str):
            raise TypeError("no text")
        cleaned = value if value.isascii() and value.isprintable() else text.clean(value).text
        if choices and cleaned and cleaned not in choices:
            raise ValidationError("no such choice")
        return cleaned

    return check


def _array(check: Check) -> Check:
    def check_all(value: Any) -> Any:
        if value is None:
            return None
        if not isinstance(value, list):
            raise TypeError("no list")
        return [check(one) for one in value]

    return check_all


def _of(*kinds: type) -> Check:
    """For values that JSON writes as they are."""

    def check(value: Any) -> Any:
        if value is not None and type(value) not in kinds:
            raise TypeError("of another kind")
        return value

    return check


def _moment(value: Any) -> Any:
    """Postgres would also take `infinity` and `yesterday`."""
    if value is not None and datetime.fromisoformat(value).tzinfo is None:
        raise ValueError("a moment in no time zone")
    return value


def _day(value: Any) -> Any:
    if value is not None:
        date.fromisoformat(value)
    return value


_KINDS: Mapping[str, Check] = {
    "BooleanField": _of(bool),
    "FloatField": _of(int, float),
    "DateTimeField": _moment,
    "DateField": _day,
    **dict.fromkeys(
        ("IntegerField", "PositiveIntegerField", "BigIntegerField", "PositiveSmallIntegerField", "BigAutoField"),
        _of(int),
    ),
    **dict.fromkeys(("ForeignKey", "AutoField"), _of(int)),
}
