"""Dates at their precision: "2026", "2026-03", "2026-03-04", "2024-02-26/2024-03-03".

The last form is a span of days in which something happened on one day that was not
said more exactly (ISO 8601 interval, as in EDTF).
"""

import re
from calendar import monthrange
from datetime import date

_FORM = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")


def first_day(when: str) -> date:
    """The first day that `when` covers. Raises ValueError if it is not such a date."""
    year, month, day = _parts(when.partition("/")[0])
    return date(year, month or 1, day or 1)


def last_day(when: str) -> date:
    """The last day that `when` covers. Raises ValueError if it is not such a date."""
    year, month, day = _parts(when.rpartition("/")[2])
    month = month or 12
    return date(year, month, day or monthrange(year, month)[1])


def is_date(when: str) -> bool:
    """Whether `when` is one of the forms above and runs forward."""
    try:
        return first_day(when) <= last_day(when)
    except ValueError:
        return False


def _parts(when: str) -> tuple[int, int, int]:
    match = _FORM.fullmatch(when.strip())
    if not match:
        raise ValueError(f"not a date at a known precision: {when!r}")
    year, month, day = (int(part or 0) for part in match.groups())
    date(year, month or 1, day or 1)
    return year, month, day
