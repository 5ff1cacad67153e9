"""`quickstart`: everything from one command, for a first look and for developing."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from reviewer import embedded, quickstart
from reviewer.quickstart import checkup

LAST_PORT = 65535
"""Taken by nobody, since the tools listen at the port after the site's."""


class Command(BaseCommand):
    help = "Start what is needed, load the demo, process it through a worker, serve the site. Ctrl-C stops it all."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=None, help="where to serve (8000)")
        parser.add_argument("--no-demo", action="store_true", help="start empty, with the three logins alone")
        parser.add_argument("--check", action="store_true", help="bring all up, check it, print one JSON summary, stop")
        parser.add_argument("--json", action="store_true", dest="as_json", help="print address and logins as JSON")

    def handle(self, *, port: int | None, no_demo: bool, check: bool, as_json: bool, **_: Any) -> None:
        if port is not None and not 0 < port < LAST_PORT:
            raise CommandError(f"--port is {port}; it is a number from 1 to {LAST_PORT - 1}.", returncode=2)
        quickstart.stop_on_signals()
        code = 0
        try:
            port = quickstart.free_port(port or 8000, is_strict=not check)
            code = self._run(port, has_demo=not no_demo, is_check=check, as_json=as_json)
        except (quickstart.PortTaken, quickstart.GaveUp, embedded.ServerFailed) as error:
            raise CommandError(str(error)) from error
        except quickstart.Stopped:
            pass  # which is how it ends
        finally:
            self._release()
        if code:
            raise SystemExit(code)

    def _run(self, port: int, *, has_demo: bool, is_check: bool, as_json: bool) -> int:
        address = f"http://127.0.0.1:{port}"
        say = self.stderr.write
        logins = quickstart.load(has_demo=has_demo, say=say)
        mcp_port = quickstart.port_beside(port)
        with quickstart.serve(port, mcp_port=mcp_port, say=say) as children:
            if is_check:
                say("Waiting until the demo is read, then opening the pages …")
                found = checkup.check(address, logins, children=children)
                self.stdout.write(json.dumps(found, ensure_ascii=False, indent=2, default=str))
                return 0 if found["ok"] else 1
            self._introduce(address, logins, tools=f"http://127.0.0.1:{mcp_port}/mcp", as_json=as_json)
            quickstart.wait(children, has_demo=has_demo, say=say)
        return 0

    def _release(self) -> None:
        if embedded.is_held():
            self.stderr.write("Stopping Postgres and Valkey, unless something else uses them …")
            embedded.release()
            self.stderr.write("Stopped.")

    def _introduce(self, address: str, logins: Any, *, tools: str, as_json: bool) -> None:
        people = [{"access": one.access, "name": one.external_id, "password": one.password} for one in logins]
        if as_json:
            self.stdout.write(
                json.dumps({"address": address, "mcp": tools, "logins": people}, ensure_ascii=False, indent=2)
            )
        else:
            self.stdout.write(f"\nAssay is at {address}\n")
            for one in people:
                self.stdout.write(f"  {one['access']:<10} {one['name']:<12} {one['password']}")
            self.stdout.write(f"\nAgents come in at {address}/api/v1/docs and, over MCP, at {tools}")
            self.stdout.write("with a key: uv run manage.py key create NAME")
            self.stdout.write("\nCtrl-C stops everything.")
        self.stdout.flush()
