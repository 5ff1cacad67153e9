"""`mcp`: the memory as tools, for agents that speak the Model Context Protocol."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory import keys, people
from memory.errors import AssayError
from memory.incoming import user_name
from reviewer.api import tools
from reviewer.api.tools import Caller

WRONG_USE = 2


class Command(BaseCommand):
    help = "Serve one person's memory over stdio, or, with --http, everybody's to those who have a key."

    def add_arguments(self, parser: ArgumentParser) -> None:
        how = parser.add_mutually_exclusive_group(required=True)
        how.add_argument("--user", metavar="U", help="over stdio: whose memory, by external id; made when missing")
        how.add_argument("--http", action="store_true", help="over streamable HTTP, at /mcp")
        parser.add_argument("--host", default="127.0.0.1", help="with --http (%(default)s)")
        parser.add_argument("--port", type=int, default=8001, help="with --http (%(default)s)")

    def handle(self, *, user: str | None, http: bool, host: str, port: int, **_: Any) -> None:
        if http:
            _serve(host, port)
        try:
            whose = people.named(user_name(user))
        except AssayError as error:
            raise CommandError(str(error), returncode=WRONG_USE) from error
        tools.CALLER.set(Caller(whose, "mcp over stdio", frozenset(keys.Scope)))
        tools.server().run("stdio")


def _serve(host: str, port: int) -> None:
    """Becomes the server: its processes read their settings anew, with connections shared by threads."""
    command = [sys.executable, "-m", "granian", "--interface=asgi", f"--host={host}", f"--port={port}"]
    os.execv(sys.executable, [*command, "reviewer.asgi:application"])  # noqa: S606 - no shell is wanted
