"""New numbers for the old ones of an export's rows."""

from collections import defaultdict

from django.db import connection
from django.db.models import Model

from memory.errors import Unreadable

_AT_ONCE = 500


class Numbers:
    """Taken from each table's sequence as old ones are first met, in a link or as a row of their own."""

    def __init__(self) -> None:
        self._given: dict[type[Model], dict[int, int]] = defaultdict(dict)
        self._rows: dict[type[Model], set[int]] = defaultdict(set)
        self._free: dict[type[Model], list[int]] = defaultdict(list)

    def of_row(self, model: type[Model], old: object) -> int:
        """Raises Unreadable for a number that two rows have."""
        number = _number(old)
        if number in self._rows[model]:
            raise Unreadable(f"two rows of {model._meta.model_name} have one number")
        self._rows[model].add(number)
        return self.of_link(model, number)

    def of_link(self, model: type[Model], old: object) -> int:
        number, given = _number(old), self._given[model]
        if number not in given:
            given[number] = self._take(model)
        return given[number]

    def known(self, model: type[Model], old: object) -> int | None:
        """The new number of a row that the export holds."""
        number = _number(old)
        return self._given[model][number] if number in self._rows[model] else None

    def check(self) -> None:
        """Raises Unreadable when a link pointed at a row that did not come."""
        for model, given in self._given.items():
            if given.keys() - self._rows[model]:
                raise Unreadable(f"a link points at a {model._meta.model_name} that the export does not hold")

    def _take(self, model: type[Model]) -> int:
        free = self._free[model]
        if not free:
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
                    [model._meta.db_table, _AT_ONCE],
                )
                free.extend(row[0] for row in reversed(cursor.fetchall()))
        return free.pop()


def _number(old: object) -> int:
    if not isinstance(old, int) or isinstance(old, bool):
        raise Unreadable("a row's number is no whole number")
    return old
