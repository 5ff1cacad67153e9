"""`key`: make, list and revoke the keys by which agents come in."""

from argparse import SUPPRESS, ArgumentParser
from typing import Any

from memory import keys, people
from memory.errors import InvalidEpisode
from memory.incoming import user_name
from memory.management.speaking import SpeakingCommand
from memory.models import ApiKey

LONGEST = 100
"""Characters of a key's name."""


class Command(SpeakingCommand):
    help = "Make, list and revoke the keys by which agents come in. A new key is shown once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        acts = parser.add_subparsers(dest="act", required=True)
        create = acts.add_parser("create", help="make a key and show it, this once")
        create.add_argument("name", help="what tells it apart in the list")
        create.add_argument(
            "--scope",
            action="append",
            choices=[scope.value for scope in keys.Scope],
            help="may be given several times (all)",
        )
        create.add_argument("--user", metavar="U", help="good for this person's memory alone, who is made when missing")
        acts.add_parser("list", help="all keys, without their secrets")
        revoke = acts.add_parser("revoke", help="end a key at once")
        revoke.add_argument("prefix", help="what stands after assay_ in it")
        for act in acts.choices.values():
            act.add_argument("--json", action="store_true", dest="as_json", default=SUPPRESS, help="likewise")

    def run(self, *, act: str, as_json: bool, **options: Any) -> int:
        document = _ACTS[act](options)
        if as_json:
            self.say(document)
        elif "key" in document:
            self.stdout.write(document["key"])
            self.stderr.write("Keep it now: it is not shown again.")
        else:
            self.show(_COLUMNS, [[key[name] for name in _COLUMNS] for key in document["keys"]], nothing="No keys yet.")
        return 0


_COLUMNS = ("prefix", "name", "scopes", "user", "created_at", "last_used_at", "revoked_at")


def _create(options: dict[str, Any]) -> dict[str, Any]:
    if len(options["name"]) > LONGEST:
        raise InvalidEpisode(f"the name is over {LONGEST} characters long")
    name = user_name(options["user"])
    user = people.named(name) if name else None
    key, token = keys.create(options["name"], scopes=options["scope"] or [*keys.Scope], user=user)
    key.refresh_from_db()
    return {**_shown(key), "key": token}


def _list(_: dict[str, Any]) -> dict[str, Any]:
    return {"keys": [_shown(key) for key in keys.listed()]}


def _revoke(options: dict[str, Any]) -> dict[str, Any]:
    return {"keys": [_shown(keys.revoke(options["prefix"]))]}


_ACTS = {"create": _create, "list": _list, "revoke": _revoke}


def _shown(key: ApiKey) -> dict[str, Any]:
    return {
        "prefix": key.prefix,
        "name": key.name,
        "scopes": key.scopes,
        "user": key.user and key.user.external_id,
        "created_at": key.created_at,
        "last_used_at": key.last_used_at,
        "revoked_at": key.revoked_at,
    }
