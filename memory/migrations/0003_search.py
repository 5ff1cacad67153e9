"""Full text for facts and turns, stemmed in the language of their user, kept by Postgres itself.

The column is unknown to Django: nothing but the recall statement reads it.
"""

from typing import ClassVar

from django.db import migrations

LANGUAGES = {
    "en": "english",
    "de": "german",
    "es": "spanish",
    "fr": "french",
    "fi": "finnish",
    "ru": "russian",
}


# A vector in line is much faster to scan than one moved out of the row.
IN_LINE = "ALTER TABLE memory_turn ALTER COLUMN embedding SET STORAGE MAIN;"
OUT_OF_LINE = "ALTER TABLE memory_turn ALTER COLUMN embedding SET STORAGE EXTERNAL;"


def vector(content: str) -> str:
    cases = " ".join(
        f"WHEN '{code}' THEN to_tsvector('{name}'::regconfig, {content})" for code, name in LANGUAGES.items()
    )
    return f"CASE language {cases} ELSE to_tsvector('simple'::regconfig, {content}) END"


def searchable(table: str, content: str) -> migrations.RunSQL:
    return migrations.RunSQL(
        f"ALTER TABLE {table} ADD COLUMN search tsvector GENERATED ALWAYS AS ({vector(content)}) STORED;",
        f"ALTER TABLE {table} DROP COLUMN search;",
    )


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0002_isolation")]
    operations: ClassVar = [
        searchable("memory_fact", "text || ' ' || subject || ' ' || object"),
        searchable("memory_turn", "name || ' ' || left(content, 65536)"),  # a tsvector holds 1 MB
        migrations.RunSQL(IN_LINE, OUT_OF_LINE),
    ]
