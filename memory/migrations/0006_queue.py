"""What handing out needs to know of an item, and the indexes by which the next one is found."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0005_review_isolation")]
    operations: ClassVar = [
        migrations.AddField(
            model_name="sampleitem",
            name="lacking",
            field=models.PositiveSmallIntegerField(default=1, help_text="how many of these labels it lacks still"),
        ),
        migrations.AddIndex(
            model_name="handout",
            index=models.Index(
                condition=models.Q(("labelled_at", None), ("slot__isnull", False)),
                fields=["reviewer"],
                name="handout_in_hand",
            ),
        ),
        migrations.AddIndex(
            model_name="sampleitem",
            index=models.Index(
                condition=models.Q(("lacking__gt", 0), ("words__isnull", False)),
                fields=["sample", "place"],
                name="sampleitem_to_label",
            ),
        ),
    ]
