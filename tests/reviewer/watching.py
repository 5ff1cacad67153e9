"""Whose rows a page was given to show, so that no page can forget to note them."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.template import Context
from django.test.signals import template_rendered

from memory.models import Access, User

# Who may sign in, who looked at whom, a link's own person: nothing of anybody's memory.
WITHOUT_CONTENT = {"logins", "invite", "login-renew", "reads", "portal"}
_DEPTH = 8


@dataclass(slots=True)
class Look:
    """One template that was rendered for staff, with the ids of the people whose rows it was given."""

    request: HttpRequest
    persons: set[int]
    context: Context  # kept, so that its id stays its own


@contextmanager
def watched() -> Iterator[None]:
    """Fails when, within the block, staff were given rows of people whom the answer did not note."""
    looks: dict[int, Look] = {}

    def look(context: Any, **_: Any) -> None:
        request = context.get("request") if isinstance(context, Context) else None
        if id(context) not in looks and _is_staffs(request):
            persons = set(_persons(_given(context), _DEPTH)) - {request.user.pk}
            looks[id(context)] = Look(request, persons, context)

    template_rendered.connect(look, weak=False)
    try:
        yield
    finally:
        template_rendered.disconnect(look)
    missed = [_told(each) for each in looks.values() if each.persons - each.request.__dict__.get("noted", set())]
    assert missed == [], f"shown to staff, but not said with seen(request, …): {missed}"


def _is_staffs(request: Any) -> bool:
    is_staff = bool(getattr(getattr(request, "user", None), "is_staff", False))
    match = getattr(request, "resolver_match", None)
    return is_staff and match is not None and match.url_name not in WITHOUT_CONTENT


def _given(context: Context) -> dict[str, Any]:
    """What the view gave, without what comes with every page."""
    return {name: value for name, value in context.flatten().items() if name not in {"user", "request", "perms"}}


def _told(look: Look) -> str:
    return f"{look.request.path}: persons {sorted(look.persons)}"


def _persons(value: Any, depth: int) -> Iterator[int]:
    if depth == 0 or value is None or isinstance(value, str | bytes | int | float | type):
        return
    if isinstance(owner := getattr(value, "__dict__", {}).get("user_id") or _slot(value), int):
        yield owner
    if isinstance(value, User) and value.access == Access.MEMBER:
        yield value.pk
    for part in _parts(value):
        yield from _persons(part, depth - 1)


def _slot(value: Any) -> Any:
    return getattr(value, "user_id", None) if is_dataclass(value) else None


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, Model):
        return value._state.fields_cache.values()
    if isinstance(value, Mapping):
        return value.values()
    if isinstance(value, list | tuple | set | frozenset | QuerySet):
        return value
    if is_dataclass(value):
        return [getattr(value, field.name) for field in fields(value)]
    return ()
