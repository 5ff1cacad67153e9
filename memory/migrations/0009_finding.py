"""Indexes for finding facts across people, which only staff do: by words, by letters, and by what is rare.

Pages go by primary key; these are for what the way along it would meet too seldom.
"""

from typing import ClassVar

from django.db import migrations

INDEXES = {
    "fact_by_words": "USING gin (search)",
    "fact_by_letters": "USING gin (text gin_trgm_ops)",
    "fact_newest_of_status": "(status, id)",
    "fact_newest_of_predicate": "(predicate, id)",
    "fact_newest_unjudged": "(id) WHERE is_unjudged",
    "fact_newest_pinned": "(id) WHERE is_pinned",
    "fact_newest_confirmed": "(id) WHERE is_confirmed",
}


def made(name: str, on: str) -> migrations.RunSQL:
    return migrations.RunSQL(f"CREATE INDEX {name} ON memory_fact {on};", f"DROP INDEX {name};")


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0008_mine")]
    operations: ClassVar = [made(name, on) for name, on in INDEXES.items()]
