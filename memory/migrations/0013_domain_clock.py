"""Times that people see go by the domain's clock; the database's own is left for what is written by hand. No SQL."""

from django.db import migrations, models
from django.db.models.functions import Now

from memory import clock

_TIMES = {
    "created_at": ("alias", "candidate", "entity", "episode", "fact", "resolution", "rule"),
    "at": ("decided", "departure", "history", "modelcall", "recalled", "receipt", "staffread"),
    "opened_at": ("conflict",),
    "erased_at": ("erasure",),
    "asked_at": ("erasurerequest",),
}


class Migration(migrations.Migration):
    dependencies = [("memory", "0012_finding_rare")]

    operations = [
        migrations.AlterField(
            model_name=model, name=name, field=models.DateTimeField(default=clock.now, db_default=Now())
        )
        for name, tables in _TIMES.items()
        for model in tables
    ]
