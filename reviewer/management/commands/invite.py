"""`manage.py invite`: a link for a login, above all for the first admin."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from memory import inviting
from memory.errors import AssayError
from memory.models import Access


class Command(BaseCommand):
    """Prints the link; it is shown only now."""

    help = "Invite someone: prints a link, good once and for seven days, by which they set their password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the name to sign in with")
        parser.add_argument(
            "--as", dest="access", default=Access.MEMBER.value, choices=[access.value for access in Access]
        )

    def handle(self, *_: Any, name: str, access: str, **__: Any) -> None:
        try:
            link = inviting.issue(name, access=Access(access))
        except AssayError as error:
            raise CommandError(str(error)) from error
        scheme = "https" if settings.SESSION_COOKIE_SECURE else "http"
        self.stdout.write(f"{scheme}://{settings.ALLOWED_HOSTS[0]}{reverse('invited', args=[link.token])}")
        self.stderr.write(f"Good once, until {link.expires_at:%d %B %Y, %H:%M} UTC.")
