"""What a member's edit became, so that it can be undone, and the right to work on a transfer for a while."""

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from memory.migrations._isolating import relate


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0007_settling")]
    operations: ClassVar = [
        migrations.AddField(
            "correction",
            "claim",
            models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="memory.candidate",
            ),
        ),
        migrations.AddField("transfer", "lease_until", models.DateTimeField(null=True)),
        migrations.AddField(
            "transfer",
            "fence",
            models.PositiveIntegerField(db_default=0, default=0, help_text="grows with every start"),
        ),
        migrations.RunSQL(*relate("correction", "claim_id", "candidate", "SET NULL (claim_id)", False)),
    ]
