"""What Assay's commands share: `--json`, tables for people, and exit codes that say what happened."""

import json
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from typing import IO, Any, cast

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.models import Exists, OuterRef
from rich.console import Console
from rich.table import Table
from rich.text import Text

from memory import scope, text
from memory.errors import AssayError
from memory.incoming import user_name
from memory.models import Episode, User

WRONG_USE = 2
DEFAULT_USER = "default"


class SpeakingCommand(BaseCommand):
    """A command that answers with one document: a table for people, JSON on stdout with `--json`.

    `run` does the work, given the options by name, and returns the exit code.
    """

    requires_system_checks = ()
    """They import every page and library of the site, which takes longer than most of these commands; `check` makes them."""

    run: Callable[..., int]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", dest="as_json", help="print one JSON document on stdout")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            _set_up()
            code = self.run(**_cleaned(options))
        except AssayError as error:
            raise CommandError(str(error), returncode=WRONG_USE) from error
        except OSError as error:
            why = f"{error.filename}: {error.strerror}" if error.filename else str(error)
            raise CommandError(why, returncode=WRONG_USE) from error
        if code:
            raise SystemExit(code)

    def say(self, document: Any) -> None:
        self.stdout.write(json.dumps(document, ensure_ascii=False, indent=2, default=str))

    def show(self, columns: Sequence[str], rows: Sequence[Sequence[object]], *, nothing: str) -> None:
        """A table, or `nothing` where there are no rows. Cells are text, never markup."""
        console = Console(
            file=cast("IO[str]", self.stdout), highlight=False, width=None if self.stdout.isatty() else 140
        )
        if not rows:
            console.print(Text(nothing))
            return
        table = Table(*columns, box=None, header_style="bold", pad_edge=False)
        for row in rows:
            table.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
        console.print(table)


def _set_up() -> None:
    """On a fresh checkout nothing is migrated yet: an embedded database is, before its first use."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('memory_policyversion') IS NOT NULL")
        if cursor.fetchone() == (True,):
            return
    if not settings.DATABASES["default"]["ENGINE"].startswith("reviewer.embedded"):
        raise CommandError("the database is empty: run `manage.py migrate` first", returncode=WRONG_USE)
    call_command("migrate", verbosity=0, interactive=False)


def _cleaned(options: dict[str, Any]) -> dict[str, Any]:
    """Names come through the same door as everything else."""
    cleaned = {name: text.clean(options[name]).text for name in ("query", "subject") if options.get(name)}
    if options.get("user") is not None:
        cleaned["user"] = user_name(options["user"])
        if not cleaned["user"]:
            raise CommandError("--user: give a name, or leave it out", returncode=WRONG_USE)
    return options | cleaned


def add_user(parser: ArgumentParser, text: str = "whose memory, by external id") -> None:
    parser.add_argument("--user", metavar="U", help=f"{text} (without it: the only or the default user)")


def find_user(external_id: str | None) -> User:
    """The user meant by `--user`; without it the only one with a memory, or the default one."""
    with scope.staff():
        if external_id:
            user = User.objects.filter(external_id=external_id).first()
        else:
            user = only_user() or User.objects.filter(external_id=DEFAULT_USER).first()
    if user is None:
        name = f"{external_id!r}" if external_id else "given and there is not exactly one"
        raise CommandError(
            f"no user {name}: name one with --user; remember and import_episodes create it", returncode=WRONG_USE
        )
    return user


def only_user() -> User | None:
    """The one user there is; None when there are none or several."""
    users = list(User.objects.filter(Exists(Episode.objects.filter(user=OuterRef("pk"))))[:2])
    return users[0] if len(users) == 1 else None
