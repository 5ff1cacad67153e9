"""Requests made in a chat stand as of when they were said; forgetting is a ruling of its own."""

from typing import ClassVar

from django.db import migrations, models

VERBS = ("confirm", "retract", "forget", "close", "settle", "both")
STANDING = models.Q(said_at__isnull=False)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0014_reports_apart")]

    operations: ClassVar = [
        migrations.AddField("erasurerequest", "topic", models.TextField(blank=True, db_default="", default="")),
        migrations.AddField(
            "erasurerequest", "language", models.CharField(blank=True, db_default="", default="", max_length=10)
        ),
        migrations.AddField("erasurerequest", "said_at", models.DateTimeField(null=True)),
        migrations.AddIndex(
            "erasurerequest", models.Index(condition=STANDING, fields=["user"], name="erasurerequest_standing")
        ),
        migrations.RemoveConstraint("personsruling", "ruling_verb_is_known"),
        migrations.AlterField(
            "personsruling", "verb", models.CharField(choices=[(verb, verb) for verb in VERBS], max_length=8)
        ),
        migrations.AddConstraint(
            "personsruling",
            models.CheckConstraint(condition=models.Q(verb__in=[*VERBS]), name="ruling_verb_is_known"),
        ),
    ]
