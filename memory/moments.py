"""Points in time as others write them: ISO 8601 or seconds since 1970."""

import math
from datetime import UTC, datetime, tzinfo
from decimal import Decimal

EARLIEST, LATEST = datetime(1900, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
_LONGEST = 64
_MILLISECONDS = 1e11
_RANGE = "must lie between the years 1900 and 2200"


def read(value: object) -> datetime:
    """A moment: in UTC if its zone was said, else naive. Raises ValueError that says what is wrong with it."""
    if isinstance(value, str):
        moment = _from_text(value.strip())
    elif isinstance(value, datetime):
        moment = value
    elif isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        moment = _from_seconds(value)
    else:
        raise ValueError("must be an ISO 8601 time or seconds since 1970")  # noqa: TRY004 - one error for all
    if not EARLIEST.year <= moment.year < LATEST.year:
        raise ValueError(_RANGE)
    return moment.astimezone(UTC) if moment.tzinfo else moment


def anchored(moment: datetime, zone: tzinfo) -> datetime:
    """The moment in UTC; one without a zone is read as local time in `zone`."""
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)


def _from_text(value: str) -> datetime:
    try:
        return datetime.fromisoformat(value[: _LONGEST + 1])
    except ValueError:
        raise ValueError("must be an ISO 8601 time such as 2024-03-10T22:30:00-04:00") from None


def _from_seconds(value: float | Decimal) -> datetime:
    try:
        seconds = float(value)
    except (OverflowError, ValueError):
        seconds = math.inf
    if _MILLISECONDS < seconds < math.inf:
        raise ValueError("looks like milliseconds; send seconds since 1970")
    if not EARLIEST.timestamp() <= seconds < LATEST.timestamp():
        raise ValueError(_RANGE)
    return datetime.fromtimestamp(seconds, UTC)
