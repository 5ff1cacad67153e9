"""Row-level security, composite constraints and grants of what `0004_review` made.

What is a person's own is isolated like all content. Samples, handouts, reports and the like hold nobody's
words: staff alone read and write them.
"""

from typing import ClassVar

from django.db import migrations

from memory.migrations._isolating import isolate, relate

CONTENT = (
    "sampletext",
    "remark",
    "correction",
    "staffread",
    "dismissal",
    "transfer",
    "transferchunk",
)

RELATIONS = (
    ("sampleitem", "fact_id", "fact", "SET NULL (fact_id)", True),
    ("sampleitem", "candidate_id", "candidate", "SET NULL (candidate_id)", True),
    ("sampleitem", "words_id", "sampletext", "SET NULL (words_id)", False),
    ("sampletext", "fact_id", "fact", "CASCADE", True),
    ("sampletext", "candidate_id", "candidate", "CASCADE", True),
    ("label", "ruling_id", "personsruling", "SET NULL (ruling_id)", False),
    ("label", "remark_id", "remark", "SET NULL (remark_id)", False),
    ("correction", "fact_id", "fact", "SET NULL (fact_id)", False),
    ("correction", "ruling_id", "personsruling", "SET NULL (ruling_id)", False),
    ("remark", "fact_id", "fact", "CASCADE", True),
    ("remark", "candidate_id", "candidate", "CASCADE", True),
    ("dismissal", "entity_id", "entity", "CASCADE", True),
    ("dismissal", "other_id", "entity", "CASCADE", False),
    ("transferchunk", "transfer_id", "transfer", "CASCADE", True),
)

STAFF_ONLY = ("sample", "sampleitem", "handout", "label", "predicateoffer", "report", "savedview", "invitation")


def to_staff(table: str) -> tuple[str, str]:
    name = f"memory_{table}"
    forward = f"""
        REVOKE ALL ON {name} FROM assay_app;
        GRANT SELECT, INSERT, UPDATE, DELETE ON {name} TO assay_staff;
    """
    return forward, f"REVOKE ALL ON {name} FROM assay_staff;"


# Whoever follows an invitation has no login yet.
INVITED = "GRANT SELECT, UPDATE (used_at) ON memory_invitation TO assay_app;"
UNINVITED = "REVOKE ALL ON memory_invitation FROM assay_app;"

SEQUENCES = "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO assay_scope, assay_staff, assay_app;"


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0004_review")]
    operations: ClassVar = [
        *(migrations.RunSQL(*isolate(table)) for table in CONTENT),
        *(migrations.RunSQL(*relate(*relation)) for relation in RELATIONS),
        *(migrations.RunSQL(*to_staff(table)) for table in STAFF_ONLY),
        migrations.RunSQL(INVITED, UNINVITED),
        migrations.RunSQL(SEQUENCES, migrations.RunSQL.noop),
    ]
