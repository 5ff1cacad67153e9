"""Reports keep their pictures apart, what they rest on and how far they are; versions of the policy go by the domain's clock."""

from django.db import migrations, models
from django.db.models.functions import Now

from memory import clock

PICTURES = "apart from the numbers, which every page reads"
SO_FAR = "of work that takes long: where it stands, until it is done"
GROUND = "what it rests on and people change; see grounds"

APART = "UPDATE memory_report SET pictures = data -> 'pictures', data = data - 'pictures' WHERE data ? 'pictures'"
TOGETHER = "UPDATE memory_report SET data = data || jsonb_build_object('pictures', pictures) WHERE pictures IS NOT NULL"


class Migration(migrations.Migration):
    dependencies = [("memory", "0013_domain_clock")]

    operations = [
        migrations.AddField("report", "pictures", models.JSONField(null=True, help_text=PICTURES)),
        migrations.AddField("report", "so_far", models.JSONField(null=True, help_text=SO_FAR)),
        migrations.AddField(
            "report", "ground", models.CharField(blank=True, default="", max_length=200, help_text=GROUND), False
        ),
        migrations.RunSQL(APART, TOGETHER),
        migrations.AlterField("policyversion", "created_at", models.DateTimeField(default=clock.now, db_default=Now())),
    ]
