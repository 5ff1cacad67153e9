"""Two more ways along the newest facts, for kinds and sources that are rare."""

from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0011_deciding")]
    operations: ClassVar = [
        migrations.RunSQL(
            "CREATE INDEX fact_newest_of_kind ON memory_fact (kind, id);", "DROP INDEX fact_newest_of_kind;"
        ),
        migrations.RunSQL(
            "CREATE INDEX fact_newest_of_source ON memory_fact (split_part(source, ':', 1), id);",
            "DROP INDEX fact_newest_of_source;",
        ),
    ]
