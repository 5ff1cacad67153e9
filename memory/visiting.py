"""Who of the staff saw whose memory, and when. No content."""

from collections.abc import Iterable

from django.db import connection

from memory.models import StaffRead, User

# Whoever is being erased at this moment is waited for, and then has nothing that could be noted.
_NOTE = f"""
    INSERT INTO {StaffRead._meta.db_table} (user_id, reader_id, page, at)
    SELECT id, %(reader)s, %(page)s, statement_timestamp()
    FROM {User._meta.db_table} WHERE id = ANY(%(persons)s) AND id <> %(reader)s
    ORDER BY id FOR KEY SHARE
"""  # noqa: S608 - our own tables' names


def note(reader_id: int, persons: Iterable[int], *, page: str) -> None:
    """That a member of staff saw these persons on a page: one statement. Their own memory they may look at unnoted.

    Stands in the staff scope that the page was read in, so that what was seen and what is noted are one transaction.
    """
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, {"reader": reader_id, "page": page[:60], "persons": sorted(persons)})
