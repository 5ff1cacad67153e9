"""Agents' keys: shown once, kept as a hash, and over when revoked."""

import hashlib
import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from memory import forgetting, keys
from memory.keys import Scope
from memory.models import ApiKey, User
from tests import factories

pytestmark = pytest.mark.django_db


def command(*arguments: str) -> Any:
    out = StringIO()
    call_command("key", *arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


def _found(token: str) -> ApiKey | None:
    held = keys.find(token)
    return held and held.key


def test_created_key_keeps_only_prefix_and_hash():
    key, token = keys.create("agent", scopes=[Scope.RECALL, Scope.INGEST])

    mark, prefix, secret = token.split("_", 2)
    assert (mark, prefix, len(secret)) == ("assay", key.prefix, 43)
    assert ApiKey.objects.get().digest == hashlib.sha256(secret.encode()).hexdigest()
    assert key.scopes == ["ingest", "recall"]


def test_key_is_found_by_its_token_alone():
    key, token = keys.create("agent", scopes=Scope)
    _, other = keys.create("other", scopes=Scope)

    mixed = f"assay_{key.prefix}_{other.split('_', 2)[2]}"

    assert _found(token) == key
    assert [keys.find(one) for one in (mixed, token + "x", token[:-1], token.upper(), "", "_", "__")] == [None] * 7


@pytest.mark.parametrize(
    ("named", "is_bound", "found"),
    [
        ("maya", False, "maya"),
        ("maya", True, "maya"),
        ("jonas", True, None),
        ("nobody", False, None),
        ("nobody", True, None),
        ("", True, None),
        (None, True, "maya"),
        (None, False, None),
    ],
)
def test_key_brings_the_person_asked_for_if_it_is_for_them(named: str | None, found: str | None, *, is_bound: bool):
    maya, _ = factories.make_user("maya"), factories.make_user("jonas")
    key, token = keys.create("agent", scopes=Scope, user=maya if is_bound else None)

    held = keys.find(token, person=named)

    assert held == keys.Held(key, User.objects.get(external_id=found) if found else None)


@pytest.mark.parametrize("prefix", ["\x00", "ü", "\udcff", "a" * 10_000, "' OR 1=1 --"])
def test_token_that_is_none_is_not_found(prefix: str):
    assert keys.find(f"assay_{prefix}_{'x' * 43}") is None


def test_revoked_key_is_found_no_more():
    key, token = keys.create("agent", scopes=Scope)

    first = keys.revoke(key.prefix).revoked_at
    again = keys.revoke(key.prefix).revoked_at

    assert (keys.find(token), first == again) == (None, True)


@pytest.mark.parametrize(("ago", "is_noted"), [(None, True), (30, False), (90, True)])
def test_use_is_noted_once_a_minute_at_most(ago: int | None, *, is_noted: bool):
    key, token = keys.create("agent", scopes=Scope)
    before = ago and timezone.now() - timedelta(seconds=ago)
    ApiKey.objects.update(last_used_at=before)

    keys.find(token)

    key.refresh_from_db()
    assert (key.last_used_at != before) == is_noted


def test_key_ends_with_its_person():
    user = factories.make_user("maya")
    _, token = keys.create("agent", scopes=Scope, user=user)

    forgetting.depart(user, actor="test")

    assert keys.find(token) is None


def test_command_makes_lists_and_revokes():
    made = command("create", "my agent", "--scope", "recall", "--user", "maya")
    listed = command("list")
    revoked = command("revoke", made["prefix"])

    assert (made["scopes"], made["user"], made["key"].split("_")[1]) == (["recall"], "maya", made["prefix"])
    assert [(key["name"], key["revoked_at"], "key" in key) for key in listed["keys"]] == [("my agent", None, False)]
    assert (revoked["keys"][0]["revoked_at"] is None, keys.find(made["key"])) == (False, None)


def test_command_without_scopes_makes_a_key_for_all():
    assert command("create", "my agent")["scopes"] == ["ingest", "manage", "recall"]


def test_command_shows_the_key_on_stdout_alone_and_once():
    out, err = StringIO(), StringIO()

    call_command("key", "create", "agent", stdout=out, stderr=err)

    token = out.getvalue().strip()
    listed = StringIO()
    call_command("key", "list", stdout=listed)
    assert _found(token) == ApiKey.objects.get()
    assert token not in listed.getvalue() + err.getvalue()


@pytest.mark.parametrize("arguments", [["revoke", "nothing"], ["create", "x" * 101]])
def test_command_used_wrongly_says_so(arguments: list[str]):
    with pytest.raises(CommandError) as raised:
        command(*arguments)

    assert raised.value.returncode == 2
