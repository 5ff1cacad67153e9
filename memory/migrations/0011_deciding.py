"""How the lists of what was refused and of what was decided find their rows among a million."""

from typing import ClassVar

from django.db import migrations, models

# As "icontains" asks for it; only of what was refused, so that what is believed costs nothing.
WORDS = """
    CREATE INDEX candidate_refused_words ON memory_candidate USING gin (upper(text) gin_trgm_ops)
        WHERE verdict = 'refused';
"""
NO_WORDS = "DROP INDEX candidate_refused_words;"


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0010_visits")]
    operations: ClassVar = [
        migrations.AddIndex(
            "candidate",
            models.Index(fields=["reason", "id"], condition=models.Q(verdict="refused"), name="candidate_refused"),
        ),
        migrations.AddIndex(
            "judgedpair",
            models.Index(fields=["user", "new"], condition=~models.Q(by=""), name="pair_judged_by_people"),
        ),
        migrations.AddIndex(
            "resolution",
            models.Index(
                fields=["relation", "id"],
                condition=models.Q(relation__in=["duplicate", "refinement", "update", "compatible"]),
                name="resolution_automatic",
            ),
        ),
        migrations.RunSQL(WORDS, NO_WORDS),
    ]
