"""Of the topic of an answered request to forget only keyed marks of its stems are kept."""

from typing import Any, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models

from memory.forgetting.matching import Asked, marked
from memory.types import ERASED

OPEN = "ALTER TABLE memory_erasurerequest NO FORCE ROW LEVEL SECURITY"
CLOSED = "ALTER TABLE memory_erasurerequest FORCE ROW LEVEL SECURITY"


def mark(apps: Any, editor: Any) -> None:
    """All that stand get their marks. By the owner of the table, who is let see its rows meanwhile."""
    requests = apps.get_model("memory", "ErasureRequest").objects.using(editor.connection.alias)
    for row in requests.exclude(topic=ERASED).exclude(said_at=None).order_by("pk"):
        (asked,) = marked(row.user_id, [Asked(row.topic, row.language, row.said_at)])
        requests.filter(pk=row.pk).update(marks=[*asked.marks])
    requests.exclude(answered_at=None).exclude(topic="").update(topic=ERASED)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0017_refusals_audited")]
    operations: ClassVar = [
        migrations.AddField(
            "erasurerequest",
            "marks",
            ArrayField(
                models.CharField(max_length=64),
                default=list,
                help_text="of the topic's stems; none: no topic",
                size=None,
            ),
        ),
        migrations.RunSQL(OPEN, CLOSED),
        migrations.RunPython(mark, migrations.RunPython.noop),
        migrations.RunSQL(["SET CONSTRAINTS ALL IMMEDIATE", CLOSED], OPEN),
    ]
