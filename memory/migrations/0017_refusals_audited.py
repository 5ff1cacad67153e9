"""What reviewers say of refusals in passing."""

from typing import ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Now

from memory import clock
from memory.migrations._isolating import isolate, relate


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0016_finding_faded")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="GateAudit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("is_right", models.BooleanField(help_text="false: it should have been kept")),
                ("at", models.DateTimeField(db_default=Now(), default=clock.now)),
                (
                    "actor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.DB_SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memory.candidate",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DB_CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("user", "candidate"), name="gateaudit_is_one_per_refusal")
                ],
            },
        ),
        migrations.RunSQL(*isolate("gateaudit")),
        migrations.RunSQL(*relate("gateaudit", "candidate_id", "candidate", "CASCADE", True)),
    ]
