"""Taking along and bringing, on the page: how far it is, what was brought, limits in words, and strangers."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from memory import scope, tasks
from memory.mine import exporting, transfers
from memory.models import Episode, Transfer, User
from memory.types import TransferKind
from reviewer import uploads
from tests.factories import make_believed
from tests.memory.mine.test_transfers import chatgpt
from tests.reviewer.reading import As, found, queries, text

pytestmark = pytest.mark.django_db(transaction=True)


def exported(user: User) -> Transfer:
    make_believed(user)
    row = exporting.ask(user.pk)
    tasks.transfer(user.pk, row.pk)
    return row


def bring(client: Client, data: bytes, *, name: str = "conversations.json") -> Any:
    return client.post("/mine/along/bring/", {"file": SimpleUploadedFile(name, data)}, follow=True)


def brought(user: User, client: Client, *words: str) -> int:
    """A file that has come and was looked through."""
    bring(client, chatgpt(*words))
    with scope.user(user.pk):
        row = Transfer.objects.get()
    tasks.transfer(user.pk, row.pk)
    return row.pk


def stored(user: User) -> list[str]:
    with scope.user(user.pk):
        return sorted(Episode.objects.values_list("external_id", flat=True))


def test_export_is_asked_for_once_and_shows_how_far_it_is(as_: As, member: User):
    client = as_("member")

    for _ in range(2):
        response = client.post("/mine/along/export/", follow=True)

    assert len(found(response, r"<progress (.*?)>")) == 1


def test_export_that_was_fetched_says_when_and_offers_a_new_one(as_: As, member: User):
    client, row = as_("member"), exported(member)
    b"".join(client.post(f"/mine/along/{row.pk}/fetch/"))  # type: ignore[arg-type]

    response = client.get("/mine/along/", headers={"HX-Request": "true"})

    said = text(response)
    assert [words in said for words in ("You fetched it on", "Ready:", "Make a new one")] == [True, False, True]
    assert found(response, r"hx-trigger") == []


def test_page_that_waits_for_a_fetch_hears_of_it_once_it_is_so(as_: As, member: User):
    client, row, headers = as_("member"), exported(member), {"HX-Request": "true"}
    (then,) = found(client.get("/mine/along/"), r'data-then="(.*?)"')

    before = client.get(then, headers=headers)
    b"".join(client.post(f"/mine/along/{row.pk}/fetch/"))  # type: ignore[arg-type]
    after = client.get(then, headers=headers)

    assert (before.status_code, after.status_code) == (204, 200)
    assert [each[:18] for each in found(after, r'data-announce="(.*?)"')] == ["You fetched it on "]
    assert found(after, r"autofocus>(.*?)<") == ["Make a new one"]


def test_largest_file_is_told_in_the_readers_language(as_: As, member: User):
    response = as_("member").get("/mine/along/", headers={"Accept-Language": "fr"})

    assert "256,0\xa0Mio" in response.content.decode()


def test_progress_as_a_fragment_asks_again_until_it_is_done(as_: As, member: User):
    client, headers = as_("member"), {"HX-Request": "true"}
    exporting.ask(member.pk)
    busy = client.get("/mine/along/", headers=headers).content.decode().strip()
    with scope.user(member.pk):
        working_on = Transfer.objects.get().pk
    tasks.transfer(member.pk, working_on)

    done = client.get("/mine/along/", headers=headers).content.decode().strip()

    assert [each.startswith('<div id="transfers"') for each in (busy, done)] == [True, True]
    assert ["every 2s" in each for each in (busy, done)] == [True, False]


def test_export_is_handed_out_once(as_: As, member: User):
    row = exported(member)
    client, path = as_("member"), f"/mine/along/{row.pk}/fetch/"

    first = client.post(path)
    data = b"".join(first.streaming_content)  # type: ignore[attr-defined]
    second = client.post(path, follow=True)

    assert (first["Content-Type"], data[:2], first["Cache-Control"]) == ("application/zip", b"PK", "private, no-store")
    assert "This export was fetched already" in text(second)


@pytest.mark.parametrize("act", ["fetch", "drop", "learn"])
def test_transfer_of_another_is_missing_and_stays(act: str, as_: As, member: User):
    row = exported(member)

    response = as_("other_member").post(f"/mine/along/{row.pk}/{act}/")

    with scope.user(member.pk):
        assert (response.status_code, Transfer.objects.get().fetched_at) == (404, None)


def test_look_fetches_nothing(as_: As, member: User):
    row = exported(member)

    assert as_("member").get(f"/mine/along/{row.pk}/fetch/").status_code == 405


def test_brought_file_is_shown_before_anything_is_learnt(as_: As, member: User):
    client = as_("member")
    row = brought(member, client, "I live in Oslo.", "I speak Finnish.")

    response = client.get(f"/mine/along/{row}/")

    assert found(response, r"<bdi>(.*?)</bdi>") == ["I live in Oslo.", "I speak Finnish."]
    assert "2 conversations, 2 messages, from 15 November 2023 to 16 November 2023." in text(response)
    assert stored(member) == []


@pytest.mark.parametrize(
    ("data", "names"), [({"all": "1"}, ["talk-1", "talk-2"]), ({"place": ["1"]}, ["talk-2"]), ({}, [])]
)
def test_only_what_was_said_yes_to_is_learnt(data: dict[str, Any], names: list[str], as_: As, member: User):
    client = as_("member")
    row = brought(member, client, "I live in Oslo.", "I speak Finnish.")

    for _ in range(2):
        client.post(f"/mine/along/{row}/learn/", data)
    tasks.transfer(member.pk, row)

    assert stored(member) == names


def test_nothing_is_learnt_while_paused(as_: As, member: User):
    client = as_("member")
    row = brought(member, client, "I live in Oslo.")
    with scope.user(member.pk):
        User.objects.filter(pk=member.pk).update(is_paused=True)

    response = client.post(f"/mine/along/{row}/learn/", {"all": "1"}, follow=True)

    assert ("Memory is paused, so nothing is learnt." in text(response), stored(member)) == (True, [])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "This file is empty."),
        (b"x" * 2_000, "This file is too large"),
    ],
)
def test_file_that_cannot_be_taken_says_why(data: bytes, words: str, as_: As, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(uploads, "LARGEST", 1_000)

    response = bring(as_("member"), data)

    with scope.staff():
        assert (words in text(response), Transfer.objects.count()) == (True, 0)


def test_no_file_at_all_says_so(as_: As):
    response = as_("member").post("/mine/along/bring/", follow=True)

    assert "Choose a file first." in text(response)


def test_file_of_another_kind_says_so(as_: As, member: User):
    client = as_("member")
    bring(client, json.dumps([{"memory": "likes tea"}]).encode())
    with scope.user(member.pk):
        row = Transfer.objects.get()
    tasks.transfer(member.pk, row.pk)

    assert "This is not an export of ChatGPT or Claude." in text(client.get("/mine/along/"))


def test_file_pressed_from_another_site_is_not_taken(member: User):
    client = Client(enforce_csrf_checks=True)
    client.force_login(member)

    response = client.post("/mine/along/bring/", {"file": SimpleUploadedFile("x", b"[]")})

    with scope.user(member.pk):
        assert (response.status_code, Transfer.objects.count()) == (403, 0)


def test_removing_takes_the_bytes_along(as_: As, member: User):
    row = exported(member)
    client = as_("member")

    first, second = (client.post(f"/mine/along/{row.pk}/drop/").status_code for _ in range(2))

    with scope.user(member.pk):
        assert (first, second, Transfer.objects.count()) == (302, 404, 0)


def test_name_of_a_file_is_shown_as_text(as_: As, member: User):
    client = as_("member")
    bring(client, chatgpt("I live in Oslo."), name="<img src=x>.json")

    (name,) = found(client.get("/mine/along/"), r'<strong dir="auto">(.*?)</strong>')

    assert name == "<img src=x>.json"


def test_list_takes_as_many_statements_for_many_as_for_one(as_: As, member: User):
    client = as_("member")
    exported(member)
    client.get("/mine/along/")
    one = queries(client, "/mine/along/")
    with scope.user(member.pk):
        for _ in range(30):
            transfers.opened(member.pk, TransferKind.IMPORT)

    assert queries(client, "/mine/along/") == one


def test_file_with_many_conversations_shows_the_first_and_counts_the_rest(
    as_: As, member: User, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("reviewer.views.mine.along.SHOWN", 2)
    client = as_("member")
    row = brought(member, client, "One.", "Two.", "Three.")

    response = client.get(f"/mine/along/{row}/")

    assert (len(found(response, r"<bdi>(.*?)</bdi>")), "and 1 more" in text(response)) == (2, True)
