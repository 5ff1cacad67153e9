"""What a person says of themselves: name, language, time zone. Inside their scope."""

import zoneinfo
from functools import cache

from memory import people, text
from memory.forgetting.outdating import lock
from memory.models import User

LONGEST_NAME = 200


def change(user_id: int, *, name: str, language: str, zone: str) -> User:
    """Saves them. Raises ValueError naming "zone" for a time zone that there is none of."""
    if zone not in zones():
        raise ValueError("zone")
    lock(user_id)
    cleaned = " ".join(text.clean(name).text.split())[:LONGEST_NAME]
    return people.change(user_id, display_name=cleaned, language=language, time_zone=zone)


@cache
def zones() -> tuple[str, ...]:
    """Names of time zones that people live in."""
    return tuple(sorted(name for name in zoneinfo.available_timezones() if "/" in name or name == "UTC"))
