"""What makes a table of content one user's rows each, for migrations."""

# A context that is no number hides everything instead of raising, and the comparison stays one an index serves.
NAMED = "current_setting('assay.user', true)"
OWN = f"user_id = CASE WHEN pg_input_is_valid({NAMED}, 'bigint') THEN {NAMED}::bigint END"


def isolate(table: str) -> tuple[str, str]:
    name = f"memory_{table}"
    forward = f"""
        ALTER TABLE {name} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE {name} FORCE ROW LEVEL SECURITY;
        CREATE POLICY {table}_own ON {name} FOR ALL TO assay_scope USING ({OWN}) WITH CHECK ({OWN});
        CREATE POLICY {table}_staff ON {name} FOR ALL TO assay_staff USING (true) WITH CHECK (true);
        GRANT SELECT, INSERT, UPDATE, DELETE ON {name} TO assay_scope, assay_staff;
        REVOKE INSERT, UPDATE, DELETE ON {name} FROM assay_app;
    """
    backward = f"""
        GRANT INSERT, UPDATE, DELETE ON {name} TO assay_app;
        REVOKE ALL ON {name} FROM assay_scope, assay_staff;
        DROP POLICY {table}_staff ON {name};
        DROP POLICY {table}_own ON {name};
        ALTER TABLE {name} NO FORCE ROW LEVEL SECURITY;
        ALTER TABLE {name} DISABLE ROW LEVEL SECURITY;
    """
    return forward, backward


def relate(child: str, column: str, parent: str, action: str, is_indexed: bool) -> tuple[str, str]:
    name = f"{child}_{column}_of_same_user"
    forward = f"""
        ALTER TABLE memory_{child} ADD CONSTRAINT {name} FOREIGN KEY (user_id, {column})
            REFERENCES memory_{parent} (user_id, id) ON DELETE {action} DEFERRABLE INITIALLY DEFERRED;
    """
    backward = f"ALTER TABLE memory_{child} DROP CONSTRAINT {name};"
    if not is_indexed:
        forward += f"CREATE INDEX {child}_{column}_by_user ON memory_{child} (user_id, {column});"
        backward += f"DROP INDEX {child}_{column}_by_user;"
    return forward, backward
