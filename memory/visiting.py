"""Who of the staff saw whose memory, and when. No content."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from memory import clock, prepared
from memory.models import StaffRead, User

# A page that is loaded again and again is one look for a while. Whoever is being erased at this moment is waited for,
# and then has nothing that could be noted.
WHILE = timedelta(minutes=5)
_NOTE = f"""
    INSERT INTO {StaffRead._meta.db_table} (user_id, reader_id, page, at)
    SELECT id, %(reader)s, %(page)s::text, %(now)s
    FROM {User._meta.db_table} person WHERE id = ANY(%(persons)s) AND id <> %(reader)s AND NOT EXISTS (
        SELECT FROM {StaffRead._meta.db_table} noted WHERE noted.user_id = person.id
        AND noted.at > %(now)s - %(while)s AND noted.reader_id = %(reader)s AND noted.page = %(page)s::text
    )
    ORDER BY id FOR KEY SHARE OF person
"""  # noqa: S608 - our own tables' names


def note(reader_id: int, persons: Iterable[int], *, page: str) -> None:
    """That a member of staff saw these persons on a page, once in a `WHILE`: one statement. Their own memory
    they may look at unnoted.

    Stands in the staff scope that the page was read in, so that what was seen and what is noted are one transaction.
    """
    told: dict[str, Any] = {"reader": reader_id, "page": page[:60], "persons": sorted(persons)}
    prepared.rows(_NOTE, told | {"now": clock.now(), "while": WHILE})
