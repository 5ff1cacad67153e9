"""The init step for a Postgres of one's own: `manage.py init_database --admin-url postgresql://postgres:…@host/postgres`."""

import os
from typing import Any

import dj_database_url
from django.core.management.base import BaseCommand, CommandError, CommandParser

from reviewer import provision


class Command(BaseCommand):
    """Makes database, extensions and roles; may be repeated. The embedded server needs no such step."""

    help = __doc__ or ""
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--admin-url",
            default=os.environ.get("ADMIN_DATABASE_URL"),
            help="A superuser's connection; by default ADMIN_DATABASE_URL. Used for this step alone.",
        )

    def handle(self, *, admin_url: str | None, **_: Any) -> None:
        if not admin_url:
            raise CommandError("Give --admin-url or set ADMIN_DATABASE_URL.")
        app = _login("DATABASE_URL", provision.APP)
        owner = _login("MIGRATION_DATABASE_URL", provision.OWNER)
        if app["NAME"] != owner["NAME"]:
            raise CommandError("DATABASE_URL and MIGRATION_DATABASE_URL name different databases.")
        passwords = {provision.APP: app["PASSWORD"], provision.OWNER: owner["PASSWORD"]}
        provision.provision(admin_url, database=app["NAME"], passwords=passwords)
        self.stdout.write(f"The database {app['NAME']} and its roles are there; next: manage.py migrate")


def _login(variable: str, role: str) -> dict[str, Any]:
    """The connection in that variable, which must be this role's."""
    config = dict(dj_database_url.parse(os.environ.get(variable, "postgresql:///")))
    if config["USER"] != role or not config["PASSWORD"]:
        raise CommandError(f"{variable} must log in as {role} with a password.")
    return config
