"""`migrate`, run as the owner of the database."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import connections

_FRAMEWORK = """
    SELECT coalesce(string_agg(format('%I', tablename), ', '), '') FROM pg_tables
    WHERE schemaname = 'public' AND tableowner = current_user AND tablename NOT LIKE 'memory\\_%'
"""


class Command(migrate.Command):
    """Django's, as the owner; afterwards the application's login may use the tables of Django and other packages.

    Our own migrations say for themselves who may do what.
    """

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(database="owner")

    def execute(self, *args: Any, **options: Any) -> Any:
        if options["database"] not in connections:
            raise CommandError("Set MIGRATION_DATABASE_URL: the application's login may not migrate.")
        return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        super().handle(*args, **options)
        with connections[options["database"]].cursor() as cursor:
            cursor.execute(_FRAMEWORK)
            tables = cursor.fetchone()[0]
            if tables:
                cursor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {tables} TO assay_app")
                cursor.execute("GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO assay_app")
