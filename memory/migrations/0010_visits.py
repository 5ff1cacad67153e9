"""What signing in needs of the database: its rows go with their user, and staff may remove them with them.

The tables of allauth hold how someone signs in and nothing of their memory; by themselves their foreign keys
would keep a user from being deleted by Postgres. Also the indexes by which the log of looks is searched.
"""

from typing import ClassVar

from django.db import migrations, models

TABLES = (
    "account_emailaddress",
    "account_emailconfirmation",
    "mfa_authenticator",
    "socialaccount_socialaccount",
    "socialaccount_socialtoken",
)
PARENTS = ("memory_user", "account_emailaddress", "socialaccount_socialaccount")


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"'{name}'::regclass" for name in names)


def relinked(action: str) -> str:
    """Each foreign key of these tables to one of their parents, with another action."""
    return f"""
        DO $$
        DECLARE
            key record;
        BEGIN
            FOR key IN
                SELECT conname, conrelid::regclass AS child, attname, confrelid::regclass AS parent
                FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
                WHERE contype = 'f' AND conrelid IN ({_listed(TABLES)}) AND confrelid IN ({_listed(PARENTS)})
            LOOP
                EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', key.child, key.conname);
                EXECUTE format(
                    'ALTER TABLE %s ADD CONSTRAINT %I FOREIGN KEY (%I) REFERENCES %s (id) ON DELETE {action}'
                    ' DEFERRABLE INITIALLY DEFERRED', key.child, key.conname, key.attname, key.parent);
            END LOOP;
        END $$;
    """


GRANTED = f"GRANT SELECT, INSERT, UPDATE, DELETE ON {', '.join(TABLES)} TO assay_staff;"
REVOKED = f"REVOKE ALL ON {', '.join(TABLES)} FROM assay_staff;"


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("memory", "0009_finding"),
        ("account", "0009_emailaddress_unique_primary_email"),
        ("mfa", "0003_authenticator_type_uniq"),
        ("socialaccount", "0006_alter_socialaccount_extra_data"),
    ]
    operations: ClassVar = [
        migrations.RunSQL(relinked("CASCADE"), relinked("NO ACTION")),
        migrations.RunSQL(GRANTED, REVOKED),
        migrations.AddIndex("staffread", models.Index(fields=("reader", "id"), name="staffread_by_reader")),
        migrations.AddIndex("staffread", models.Index(fields=("page", "id"), name="staffread_by_page")),
    ]
