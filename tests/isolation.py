"""What keeps one user's rows from another, read back from Postgres' own catalogues."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.apps import apps
from django.db import models
from django.db.backends.utils import CursorWrapper

from memory.models import (
    ApiKey,
    Departure,
    Handout,
    Invitation,
    Label,
    PolicyVersion,
    PredicateOffer,
    Receipt,
    Report,
    Sample,
    SampleItem,
    SavedView,
    User,
)

OWNER, APP, SCOPE, STAFF = "assay_owner", "assay_app", "assay_scope", "assay_staff"

SYSTEM = {
    "account_emailaddress",
    "account_emailconfirmation",
    "auth_group",
    "auth_group_permissions",
    "auth_permission",
    "axes_accessattempt",
    "axes_accessattemptexpiration",
    "axes_accessfailurelog",
    "axes_accesslog",
    "django_content_type",
    "django_migrations",
    "django_session",
    "mfa_authenticator",
    "socialaccount_socialaccount",
    "socialaccount_socialapp",
    "socialaccount_socialtoken",
    *(
        model._meta.db_table
        for model in (PolicyVersion, ApiKey, Departure, Invitation, SavedView, PredicateOffer, Report)
    ),
    *(model._meta.db_table for model in (Sample, SampleItem, Handout, Label)),
}
"""Tables that hold nobody's memory. A new table is content until it is named here."""

USERS = User._meta.db_table
OUTLIVING = {Receipt._meta.db_table}
"""Content rows that stay when their user goes."""

GLOBAL = {"memory_portallink(digest)"}
"""What must be unique across users: random, so that a clash tells nobody anything."""

_NAMED = "current_setting('assay.user'::text, true)"
_OWN = f"= CASE WHEN pg_input_is_valid({_NAMED}, 'bigint'::text) THEN ({_NAMED})::bigint ELSE NULL::bigint END"


class Policy(NamedTuple):
    """A row of pg_policies; a policy without WITH CHECK checks what it uses."""

    roles: str
    permissive: str
    command: str
    using: str
    check: str


def content_models() -> list[type[models.Model]]:
    """Every model of the memory app, join tables included, that has rows of users."""
    found = apps.get_app_config("memory").get_models(include_auto_created=True)
    return [model for model in found if model._meta.db_table not in SYSTEM | {USERS}]


def gaps(cursor: CursorWrapper, of: Iterable[type[models.Model]] | None = None) -> list[str]:
    """All that is missing, in words; empty when rows are isolated."""
    checked = list(content_models() if of is None else of)
    return sorted(
        [
            *_unprotected(cursor),
            *_wrong_policies(cursor),
            *_wrong_privileges(cursor),
            *_wrong_roles(cursor),
            *_ownerless(cursor),
            *_unrelated(cursor, checked),
            *_plain_keys(cursor),
            *_shared_keys(cursor),
            *_ways_around(cursor),
        ]
    )


def content_tables(cursor: CursorWrapper) -> list[str]:
    """From the catalogue, so that a table no model knows counts too."""
    rows = _rows(
        cursor,
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'f')"
        " AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e') ORDER BY 1",
    )
    return [name for (name,) in rows if name not in SYSTEM]


def policies(cursor: CursorWrapper) -> dict[str, dict[str, Policy]]:
    """By table and name."""
    found: dict[str, dict[str, Policy]] = {}
    for table, name, *policy in _rows(
        cursor,
        "SELECT tablename, policyname, array_to_string(roles, ','), permissive, cmd,"
        r" regexp_replace(coalesce(qual, ''), '\s+', ' ', 'g'),"
        r" regexp_replace(coalesce(with_check, qual, ''), '\s+', ' ', 'g')"
        " FROM pg_policies WHERE schemaname = 'public' ORDER BY 1, 2",
    ):
        found.setdefault(table, {})[name] = Policy(*policy)
    return found


def _unprotected(cursor: CursorWrapper) -> Iterator[str]:
    tables = content_tables(cursor)
    for name, is_enabled, is_forced, owner in _rows(
        cursor,
        "SELECT relname, relrowsecurity, relforcerowsecurity, relowner::regrole::text FROM pg_class"
        " WHERE relnamespace = 'public'::regnamespace AND relname = ANY(%s)",
        [tables],
    ):
        if not is_enabled:
            yield f"{name}: row security is not enabled"
        if not is_forced:
            yield f"{name}: row security is not forced"
        if owner != OWNER:
            yield f"{name}: belongs to {owner}"


def _wrong_policies(cursor: CursorWrapper) -> Iterator[str]:
    found = policies(cursor)
    for table in content_tables(cursor):
        actual = set(found.get(table, {}).values())
        expected = _expected(table)
        yield from (f"{table}: no policy for {policy.roles}" for policy in expected - actual)
        yield from (f"{table}: a policy too many for {policy.roles}" for policy in actual - expected)


def _expected(table: str) -> set[Policy]:
    own = f"({'id' if table == USERS else 'user_id'} {_OWN})"
    expected = {_policy(SCOPE, own), _policy(STAFF, "true")}
    return expected | {_policy(APP, "true")} if table == USERS else expected


def _policy(role: str, expression: str) -> Policy:
    return Policy(role, "PERMISSIVE", "ALL", expression, expression)


def _wrong_privileges(cursor: CursorWrapper) -> Iterator[str]:
    found: dict[tuple[str, str], set[str]] = {}
    for table, grantee, privilege in _rows(
        cursor,
        "SELECT relname, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END, privilege_type"
        " FROM pg_class, aclexplode(relacl) WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
        " AND grantee <> relowner AND relname <> ALL(%s)",
        [["auth_group", "auth_group_permissions", "auth_permission"]],
    ):
        found.setdefault((table, grantee), set()).add(privilege)
    content = {*content_tables(cursor)}
    for (table, grantee), privileges in sorted(found.items()):
        for extra in sorted(privileges - _allowed(table, grantee, is_content=table in content)):
            yield f"{table}: {grantee} may {extra}"
    for table in sorted(content - {USERS}):
        for role in (SCOPE, STAFF):
            if _WRITING - found.get((table, role), set()):
                yield f"{table}: {role} may not do its work"


_WRITING = {"SELECT", "INSERT", "UPDATE", "DELETE"}


def _allowed(table: str, grantee: str, *, is_content: bool) -> set[str]:
    if table == USERS:
        return {SCOPE: {"SELECT", "UPDATE"}, STAFF: _WRITING, APP: _WRITING - {"DELETE"}}.get(grantee, set())
    if is_content:
        return {SCOPE: _WRITING, STAFF: _WRITING, APP: {"SELECT"}}.get(grantee, set())
    if table == PolicyVersion._meta.db_table:
        return {SCOPE: {"SELECT"}, STAFF: {"SELECT", "INSERT"}, APP: {"SELECT"}}.get(grantee, set())
    return {STAFF: _WRITING, APP: _WRITING}.get(grantee, set())


def _wrong_roles(cursor: CursorWrapper) -> Iterator[str]:
    powers = "rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolreplication"
    for name, *flags in _rows(cursor, f"SELECT rolname, {powers} FROM pg_roles WHERE rolname LIKE 'assay\\_%%'"):
        yield from (f"{name}: has {power}" for power, has in zip(powers.split(", "), flags, strict=True) if has)
    memberships = _rows(
        cursor,
        "SELECT member::regrole::text, roleid::regrole::text, inherit_option, set_option, admin_option"
        " FROM pg_auth_members WHERE member::regrole::text LIKE 'assay\\_%%' ORDER BY 2",
    )
    if memberships != [(APP, SCOPE, False, True, False), (APP, STAFF, False, True, False)]:
        yield f"memberships are {memberships}"
    if _rows(cursor, "SELECT FROM pg_roles WHERE rolname = %s AND rolinherit", [APP]):
        yield f"{APP}: inherits"
    if _rows(cursor, "SELECT FROM pg_shdepend WHERE refobjid = %s::regrole AND deptype = 'o'", [APP]):
        yield f"{APP}: owns something"


def _ownerless(cursor: CursorWrapper) -> Iterator[str]:
    """Every row names its user, and goes with them."""
    named = _rows(
        cursor,
        "SELECT relname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid"
        " WHERE relnamespace = 'public'::regnamespace AND attname = 'user_id' AND attnotnull",
    )
    owned = [(key.child,) for key in _keys(cursor) if (key.columns, key.parent, key.action) == ("user_id", USERS, "c")]
    for table in content_tables(cursor):
        if table == USERS:
            continue
        if (table,) not in named:
            yield f"{table}: not every row names its user"
        if (table,) not in owned and table not in OUTLIVING:
            yield f"{table}: rows do not go with their user"


class _Key(NamedTuple):
    child: str
    columns: str
    parent: str
    targets: str
    action: str
    emptied: str


def _keys(cursor: CursorWrapper) -> list[_Key]:
    """The foreign keys of the schema that hold for rows there already."""
    columns = (
        "(SELECT string_agg(attname, ',' ORDER BY place) FROM unnest({}) WITH ORDINALITY AS keys (number, place)"
        " JOIN pg_attribute ON attrelid = {} AND attnum = number)"
    )
    found = _rows(
        cursor,
        f"SELECT conrelid::regclass::text, {columns.format('conkey', 'conrelid')}, confrelid::regclass::text,"
        f" {columns.format('confkey', 'confrelid')}, confdeltype, {columns.format('confdelsetcols', 'conrelid')}"
        " FROM pg_constraint WHERE contype = 'f' AND convalidated AND connamespace = 'public'::regnamespace",
    )
    return [_Key(*row) for row in found]


def relations(of: Iterable[type[models.Model]]) -> list[tuple[type[models.Model], Any]]:
    """Each foreign key of a model to a row of content, with its model."""
    return [
        (model, field)
        for model in of
        for field in model._meta.concrete_fields
        if field.is_relation and field.related_model._meta.db_table not in SYSTEM | {USERS}
    ]


def _unrelated(cursor: CursorWrapper, checked: list[type[models.Model]]) -> Iterator[str]:
    keys = _keys(cursor)
    for model, field in relations(checked):
        table, parent = model._meta.db_table, field.related_model._meta.db_table
        composite = _Key(table, f"user_id,{field.column}", parent, "user_id,id", "c", "")
        emptying = composite._replace(action="n", emptied=field.column)
        allowed = (composite, emptying) if field.null else (composite,)
        if not {key._replace(emptied=key.emptied or "") for key in keys} & {*allowed}:
            yield f"{table}.{field.column}: may point at another user's row"


def _plain_keys(cursor: CursorWrapper) -> Iterator[str]:
    content = {*content_tables(cursor)} - {USERS}
    for key in _keys(cursor):
        if key.parent in content and not key.columns.startswith("user_id,"):
            yield f"{key.child}.{key.columns}: a foreign key without the user"
        if key.parent == USERS and key.action not in ("c", "n"):
            yield f"{key.child}.{key.columns}: keeps a user from being deleted"


def _shared_keys(cursor: CursorWrapper) -> Iterator[str]:
    """A value unique across users would tell one of them that another has it."""
    for table, columns in _rows(
        cursor,
        "SELECT relname, (SELECT string_agg(coalesce(attname, '?'), ',' ORDER BY place)"
        " FROM unnest(indkey::int2[]) WITH ORDINALITY AS keys (number, place)"
        " LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = number AND number > 0)"
        " FROM pg_index JOIN pg_class ON pg_class.oid = indrelid"
        " WHERE relnamespace = 'public'::regnamespace AND indisunique AND NOT indisprimary AND relname = ANY(%s)",
        [[*{*content_tables(cursor)} - {USERS}]],
    ):
        if "user_id" not in columns.split(",") and f"{table}({columns})" not in GLOBAL:
            yield f"{table}({columns}): unique across users"


def _ways_around(cursor: CursorWrapper) -> Iterator[str]:
    """Views and functions that run with their owner's rights."""
    for (name,) in _rows(
        cursor,
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')"
        " AND NOT coalesce(reloptions, '{}') && ARRAY['security_invoker=true', 'security_invoker=on']",
    ):
        yield f"{name}: a view with its owner's rights"
    for (name,) in _rows(
        cursor, "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef"
    ):
        yield f"{name}: a function with its owner's rights"


def _rows(cursor: CursorWrapper, statement: str, values: list[Any] | None = None) -> list[tuple[Any, ...]]:
    cursor.execute(statement, values)
    return cursor.fetchall()
