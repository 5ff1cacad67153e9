"""Keyset pages: the last of fifty thousand rows is as near as the first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, Q, QuerySet

from memory.errors import NotFound

PAGE = 30


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a page lies: after or before a row, named by its id, or at the very end. Else it is the first."""

    after: int | None = None
    before: int | None = None
    is_last: bool = False

    @property
    def is_backwards(self) -> bool:
        return self.is_last or self.before is not None

    @property
    def boundary(self) -> int | None:
        return self.before if self.after is None else self.after


FIRST = Cursor()


@dataclass(frozen=True, slots=True)
class Page[T]:
    """Rows, and the ids at which the pages beside them begin; None where there is none."""

    rows: Sequence[T]
    before: int | None = None
    after: int | None = None

    @property
    def is_only(self) -> bool:
        return self.before is None and self.after is None

    def of[U](self, make: Callable[[Sequence[T]], Sequence[U]]) -> "Page[U]":
        """The same page with other rows made of these."""
        return Page(make(self.rows), self.before, self.after)


@dataclass(frozen=True, slots=True)
class Order:
    """Fields to sort by, "-" for falling; the last must be unique, none may be null."""

    fields: tuple[str, ...]

    def flipped(self) -> "Order":
        return Order(tuple(field.removeprefix("-") if field.startswith("-") else f"-{field}" for field in self.fields))

    def beyond(self, boundary: dict[str, Any]) -> Q:
        """The rows that come after the one with these values."""
        condition, same = Q(), Q()
        for field in self.fields:
            name = field.removeprefix("-")
            side = "lt" if field.startswith("-") else "gt"
            condition |= same & Q(**{f"{name}__{side}": boundary[name]})
            same &= Q(**{name: boundary[name]})
        return condition

    def values(self, rows: QuerySet[Any], pk: int) -> dict[str, Any]:
        names = [field.removeprefix("-") for field in self.fields]
        found = rows.filter(pk=pk).values(*names).first()
        if found is None:
            raise NotFound("The row that this page begins at is no longer there. Go back to the first page.")
        return found


def turn[M: Model](
    rows: QuerySet[M], order: Order, cursor: Cursor, *, within: QuerySet[M], size: int = PAGE
) -> Page[M]:
    """One page of `rows`. `within` is what a boundary is looked up in: all rows that the reader may see, unfiltered."""
    if cursor.is_backwards:
        order = order.flipped()
    if cursor.boundary is not None:
        rows = rows.filter(order.beyond(order.values(within, cursor.boundary)))
    found = list(rows.order_by(*order.fields)[: size + 1])
    has_more, found = len(found) > size, found[:size]
    if cursor.is_backwards:
        found.reverse()
    return _page(found, cursor, has_more=has_more)


def _page[M: Model](found: list[M], cursor: Cursor, *, has_more: bool) -> Page[M]:
    if not found:
        return Page([])
    has_before = has_more if cursor.is_backwards else cursor.after is not None
    has_after = cursor.before is not None if cursor.is_backwards else has_more
    return Page(found, found[0].pk if has_before else None, found[-1].pk if has_after else None)
