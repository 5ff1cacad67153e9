"""Ways to the facts of a language, of a basis, of an age, and of little confidence, where the way along the newest meets few."""

from typing import ClassVar

from django.db import migrations

INDEXES = {
    "fact_newest_of_language": "(language, id)",
    "fact_newest_of_basis": "(basis, id)",
    "fact_by_age": "(kind, last_supported_at)",
    "fact_by_confidence": "(confidence)",
}


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0015_requests_stand")]
    operations: ClassVar = [
        migrations.RunSQL(f"CREATE INDEX {name} ON memory_fact {on};", f"DROP INDEX {name};")
        for name, on in INDEXES.items()
    ]
