"""Reading loosely typed exports: what is not of the expected type counts as absent."""

from collections.abc import Mapping
from datetime import UTC, datetime

from memory import moments
from memory.types import Role

type Raw = Mapping[str, object]


def mapping(value: object) -> Raw:
    return value if isinstance(value, Mapping) else {}


def items(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def string(value: object) -> str:
    return value if isinstance(value, str) else ""


def first(raw: Raw, *keys: str) -> str:
    """The first of these fields that holds text."""
    return next((value for key in keys if (value := string(raw.get(key)).strip())), "")


def moment(*values: object) -> datetime | None:
    """The first of these that is a time, in UTC."""
    for value in values:
        try:
            return moments.anchored(moments.read(value), UTC)
        except ValueError:
            continue
    return None


def role(value: object) -> Role:
    """A role, with words that we do not know taken as the system's, which is evidence for nothing."""
    return Role(value) if isinstance(value, str) and value in set(Role) else Role.SYSTEM
