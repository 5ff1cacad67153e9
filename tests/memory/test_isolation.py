"""Every table of content is isolated by user, in the catalogue of the database that the migrations make."""

import pytest
from django.db import connection, connections, models, transaction
from django.test.utils import isolate_apps

from memory.models import Fact, User
from tests import isolation

pytestmark = pytest.mark.django_db(databases=["default", "owner"])


def _gaps_after(*statements: str) -> list[str]:
    """What the owner's own statements, rolled back when the test ends, tear open."""
    with connections["owner"].cursor() as cursor:
        before = isolation.gaps(cursor)
        for statement in statements:
            cursor.execute(statement)
        return [gap for gap in isolation.gaps(cursor) if gap not in before]


def test_gaps_are_none() -> None:
    with connection.cursor() as cursor:
        found = isolation.gaps(cursor)

    assert found == []


def test_tables_of_content_are_those_of_the_models() -> None:
    with connection.cursor() as cursor:
        found = isolation.content_tables(cursor)

    assert found == sorted([model._meta.db_table for model in isolation.content_models()] + [isolation.USERS])


def test_gaps_after_any_one_policy_is_dropped_name_it() -> None:
    with connections["owner"].cursor() as cursor:
        found = [(table, name) for table, named in isolation.policies(cursor).items() for name in named]
        roles = [policy.roles for named in isolation.policies(cursor).values() for policy in named.values()]

    reported = []
    for table, name in found:
        with transaction.atomic("owner"):
            reported.append(_gaps_after(f"DROP POLICY {name} ON {table}"))
            transaction.set_rollback(True, "owner")

    assert reported == [[f"{table}: no policy for {role}"] for (table, _), role in zip(found, roles, strict=True)]
    assert len(found) == 2 * len(isolation.content_models()) + 3


@pytest.mark.parametrize(
    ("statement", "gap"),
    [
        ("ALTER TABLE memory_fact NO FORCE ROW LEVEL SECURITY", ["memory_fact: row security is not forced"]),
        ("ALTER TABLE memory_fact DISABLE ROW LEVEL SECURITY", ["memory_fact: row security is not enabled"]),
        (
            "CREATE POLICY more ON memory_fact FOR SELECT USING (is_pinned)",
            ["memory_fact: a policy too many for public"],
        ),
        (
            "ALTER POLICY fact_own ON memory_fact WITH CHECK (true)",
            ["memory_fact: a policy too many for assay_scope", "memory_fact: no policy for assay_scope"],
        ),
        (
            "ALTER POLICY fact_own ON memory_fact USING (true)",
            ["memory_fact: a policy too many for assay_scope", "memory_fact: no policy for assay_scope"],
        ),
        (
            "ALTER POLICY fact_own ON memory_fact TO assay_scope, assay_app",
            ["memory_fact: a policy too many for assay_app,assay_scope", "memory_fact: no policy for assay_scope"],
        ),
        ("GRANT INSERT ON memory_fact TO assay_app", ["memory_fact: assay_app may INSERT"]),
        ("GRANT TRUNCATE ON memory_fact TO assay_scope", ["memory_fact: assay_scope may TRUNCATE"]),
        ("GRANT SELECT ON memory_fact TO PUBLIC", ["memory_fact: PUBLIC may SELECT"]),
        ("GRANT SELECT ON memory_apikey TO assay_scope", ["memory_apikey: assay_scope may SELECT"]),
        ("REVOKE DELETE ON memory_fact FROM assay_staff", ["memory_fact: assay_staff may not do its work"]),
        ("ALTER TABLE memory_alias ALTER user_id DROP NOT NULL", ["memory_alias: not every row names its user"]),
        ("CREATE VIEW peek AS SELECT * FROM memory_fact", ["peek: a view with its owner's rights"]),
        (
            "CREATE FUNCTION peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER RETURN 1",
            ["peek: a function with its owner's rights"],
        ),
        (
            "CREATE UNIQUE INDEX ON memory_entity (name_key)",
            ["memory_entity(name_key): unique across users"],
        ),
        (
            "ALTER TABLE memory_turn DROP CONSTRAINT turn_episode_id_of_same_user",
            ["memory_turn.episode_id: may point at another user's row"],
        ),
        (
            "ALTER TABLE memory_turn ADD FOREIGN KEY (episode_id) REFERENCES memory_episode",
            ["memory_turn.episode_id: a foreign key without the user"],
        ),
        (
            (
                "ALTER TABLE memory_turn DROP CONSTRAINT turn_episode_id_of_same_user,"
                " ADD FOREIGN KEY (user_id, episode_id) REFERENCES memory_episode (user_id, id)"
            ),
            ["memory_turn.episode_id: may point at another user's row"],
        ),
        (
            (
                "CREATE TABLE memory_stray (id bigint PRIMARY KEY, user_id bigint NOT NULL"
                " REFERENCES memory_user ON DELETE CASCADE)"
            ),
            [
                "memory_stray: assay_app may DELETE",
                "memory_stray: assay_app may INSERT",
                "memory_stray: assay_app may UPDATE",
                "memory_stray: assay_scope may not do its work",
                "memory_stray: assay_staff may not do its work",
                "memory_stray: no policy for assay_scope",
                "memory_stray: no policy for assay_staff",
                "memory_stray: row security is not enabled",
                "memory_stray: row security is not forced",
            ],
        ),
        (
            "ALTER TABLE memory_receipt ADD FOREIGN KEY (user_id) REFERENCES memory_user",
            ["memory_receipt.user_id: keeps a user from being deleted"],
        ),
    ],
)
def test_gaps_after_a_change_name_it(statement: str, gap: list[str]) -> None:
    assert _gaps_after(statement) == gap


def test_gaps_after_the_key_to_the_user_is_gone_name_its_table() -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT conname FROM pg_constraint WHERE conrelid = 'memory_alias'::regclass"
            " AND confrelid = 'memory_user'::regclass"
        )
        (name,) = cursor.fetchone()

    assert _gaps_after(f"ALTER TABLE memory_alias DROP CONSTRAINT {name}") == [
        "memory_alias: rows do not go with their user"
    ]


@isolate_apps("memory")
def test_gaps_of_a_new_relation_without_its_composite_key_name_it() -> None:
    class Notice(models.Model):
        user = models.ForeignKey(User, on_delete=models.DB_CASCADE, related_name="+")
        fact = models.ForeignKey(Fact, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+")

        class Meta:
            app_label = "memory"

        def __str__(self) -> str:
            return "notice"

    with connection.cursor() as cursor:
        found = isolation.gaps(cursor, [Notice])

    assert found == ["memory_notice.fact_id: may point at another user's row"]
