"""What settling, promoting and auditing write: rulings know their conflict, and people's answers about pairs stand apart."""

from typing import ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from memory.migrations._isolating import relate


def told(length: int, told: str) -> models.CharField:
    return models.CharField(max_length=length, blank=True, default="", db_default="", help_text=told)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0006_queue")]
    operations: ClassVar = [
        migrations.RemoveConstraint(model_name="judgedpair", name="pair_is_judged_once"),
        migrations.AddField("candidate", "refused_for", told(14, "why the gate refused what a reviewer took in")),
        migrations.AddField("candidate", "refused_detail", told(500, "what the gate had said of it then")),
        migrations.AddField("judgedpair", "by", told(8, "member or reviewer; empty for the model")),
        migrations.AddField("judgedpair", "was", told(10, "of a person's answer: what had been decided")),
        migrations.AddField("judgedpair", "at", models.DateTimeField(help_text="when the person said so", null=True)),
        migrations.AddField(
            "judgedpair",
            "actor",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.DB_SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            "judgedpair",
            models.UniqueConstraint(fields=("user", "known", "new", "by"), name="pair_is_judged_once"),
        ),
        migrations.AddField(
            "personsruling",
            "conflict",
            models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="rulings",
                to="memory.conflict",
            ),
        ),
        migrations.AddField(
            "conflict",
            "note",
            models.TextField(
                blank=True, default="", db_default="", help_text="what they wrote to their person with it"
            ),
        ),
        migrations.AddField(
            "predicateoffer",
            "spread_at",
            models.DateTimeField(help_text="of an accepted one: when everybody's facts followed", null=True),
        ),
        migrations.RunSQL(*relate("personsruling", "conflict_id", "conflict", "SET NULL (conflict_id)", False)),
    ]
