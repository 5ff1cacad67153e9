"""What may be said of a person: checked values, and how they are shown."""

import zoneinfo
from functools import cache
from typing import Any

from django.conf.locale import LANG_INFO

from memory.models import User

COLUMNS = {"display_name": "display_name", "language": "language", "time_zone": "time_zone", "paused": "is_paused"}


def language(value: str) -> str:
    """A language's code in lower case. Raises ValueError for what is none."""
    code = value.strip().lower()
    if not {code, code.partition("-")[0]} & LANG_INFO.keys():
        raise ValueError("must be the code of a language, such as en or pt-br")
    return code


def zone(value: str) -> str:
    """The name of a time zone. Raises ValueError for what is none."""
    if value not in _zones():
        raise ValueError("must be the name of a time zone, such as Europe/Berlin")
    return value


@cache
def _zones() -> set[str]:
    return zoneinfo.available_timezones()


def shown(user: User) -> dict[str, Any]:
    return {
        "external_id": user.external_id,
        "display_name": user.display_name,
        "language": user.language,
        "time_zone": user.time_zone,
        "paused": user.is_paused,
        "created_at": user.created_at.isoformat(),
    }
