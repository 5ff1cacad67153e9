"""Row-level security, constraints between rows that are composite with the user, and grants.

The roles are made by the init step (a plain owner may not). `assay_scope` sees the rows of the
user named in `assay.user`, and nothing when none is named; `assay_staff` sees all;
the login `assay_app` by itself sees no content.
"""

from typing import ClassVar

from django.db import migrations

from memory.migrations._isolating import OWN, isolate, relate

CONTENT = (
    "episode",
    "turn",
    "entity",
    "alias",
    "candidate",
    "evidence",
    "resolution",
    "judgedpair",
    "fact",
    "derivation",
    "conflict",
    "conflictside",
    "personsruling",
    "job",
    "modelcall",
    "history",
    "rule",
    "erasure",
    "erasurerequest",
    "receipt",
    "recalled",
    "decided",
    "portallink",
)

# child, column, parent, what follows the parent's end, whether an index led by the user already serves it
RELATIONS = (
    ("turn", "episode_id", "episode", "CASCADE", True),
    ("alias", "entity_id", "entity", "CASCADE", False),
    ("candidate", "episode_id", "episode", "CASCADE", True),
    ("candidate", "call_id", "modelcall", "SET NULL (call_id)", False),
    ("candidate", "entity_id", "entity", "SET NULL (entity_id)", True),
    ("candidate", "about_id", "candidate", "SET NULL (about_id)", False),
    ("candidate", "fact_id", "fact", "SET NULL (fact_id)", True),
    ("evidence", "candidate_id", "candidate", "CASCADE", True),
    ("evidence", "episode_id", "episode", "CASCADE", False),
    ("resolution", "candidate_id", "candidate", "CASCADE", True),
    ("resolution", "fact_id", "fact", "SET NULL (fact_id)", False),
    ("resolution", "against_id", "fact", "SET NULL (against_id)", False),
    ("judgedpair", "known_id", "candidate", "CASCADE", True),
    ("judgedpair", "new_id", "candidate", "CASCADE", False),
    ("judgedpair", "call_id", "modelcall", "SET NULL (call_id)", False),
    ("fact", "entity_id", "entity", "CASCADE", True),
    ("fact", "superseded_by_id", "fact", "SET NULL (superseded_by_id)", True),
    ("derivation", "fact_id", "fact", "CASCADE", True),
    ("derivation", "base_id", "fact", "CASCADE", False),
    ("conflict", "entity_id", "entity", "CASCADE", True),
    ("conflict", "winner_id", "fact", "SET NULL (winner_id)", False),
    ("conflictside", "conflict_id", "conflict", "CASCADE", True),
    ("conflictside", "fact_id", "fact", "CASCADE", False),
    ("personsruling", "entity_id", "entity", "CASCADE", True),
)

USERS = f"""
    ALTER TABLE memory_user ENABLE ROW LEVEL SECURITY;
    ALTER TABLE memory_user FORCE ROW LEVEL SECURITY;
    CREATE POLICY user_own ON memory_user FOR ALL TO assay_scope USING ({OWN}) WITH CHECK ({OWN});
    CREATE POLICY user_staff ON memory_user FOR ALL TO assay_staff USING (true) WITH CHECK (true);
    CREATE POLICY user_login ON memory_user FOR ALL TO assay_app USING (true) WITH CHECK (true);
    GRANT SELECT ON memory_user TO assay_scope;
    GRANT UPDATE (display_name, language, time_zone, is_paused, epoch, password, last_login) ON memory_user TO assay_scope;
    GRANT SELECT, INSERT, UPDATE, DELETE ON memory_user TO assay_staff;
    GRANT SELECT, INSERT, UPDATE ON memory_user TO assay_app;
    REVOKE DELETE ON memory_user FROM assay_app;
    GRANT SELECT, INSERT, UPDATE, DELETE ON memory_apikey, memory_departure TO assay_staff, assay_app;
    GRANT SELECT ON memory_policyversion TO assay_scope, assay_app;
    REVOKE INSERT, UPDATE, DELETE ON memory_policyversion FROM assay_app;
    GRANT SELECT, INSERT ON memory_policyversion TO assay_staff;
    GRANT USAGE ON SCHEMA public TO assay_scope, assay_staff, assay_app;
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO assay_scope, assay_staff, assay_app;
""".replace("user_id =", "id =")

NO_USERS = """
    REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM assay_scope, assay_staff, assay_app;
    REVOKE ALL ON memory_apikey, memory_departure FROM assay_staff, assay_app;
    REVOKE ALL ON memory_policyversion FROM assay_scope, assay_staff, assay_app;
    REVOKE ALL ON memory_user FROM assay_scope, assay_staff, assay_app;
    DROP POLICY user_login ON memory_user;
    DROP POLICY user_staff ON memory_user;
    DROP POLICY user_own ON memory_user;
    ALTER TABLE memory_user NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE memory_user DISABLE ROW LEVEL SECURITY;
"""

# A vector in line is six times faster to scan than one moved out of the row.
IN_LINE = "ALTER TABLE memory_fact ALTER COLUMN embedding SET STORAGE PLAIN;"
OUT_OF_LINE = "ALTER TABLE memory_fact ALTER COLUMN embedding SET STORAGE EXTERNAL;"


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0001_tables")]
    operations: ClassVar = [
        *(migrations.RunSQL(*isolate(table)) for table in CONTENT),
        *(migrations.RunSQL(*relate(*relation)) for relation in RELATIONS),
        migrations.RunSQL(USERS, NO_USERS),
        migrations.RunSQL(IN_LINE, OUT_OF_LINE),
    ]
