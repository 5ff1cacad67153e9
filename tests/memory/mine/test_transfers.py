"""Exports and brought files: made in the background, once, and gone with an erasure."""

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memory import forgetting, incoming, ingest, portability, scope, tasks
from memory.errors import LeaseLost, NotFound, Refused
from memory.mine import bringing, exporting, transfers
from memory.models import Episode, Job, Transfer, TransferChunk, User
from memory.types import TransferKind
from tests.factories import make_believed, make_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def user() -> User:
    return make_user("own")


def state(user: User, row: Transfer) -> tuple[str, str]:
    with scope.user(user.pk):
        found = Transfer.objects.get(pk=row.pk)
        return found.state, found.error


def chunk_count(user: User) -> int:
    with scope.user(user.pk):
        return TransferChunk.objects.count()


def change(user: User, row: Transfer, **fields: Any) -> None:
    with scope.user(user.pk):
        Transfer.objects.filter(pk=row.pk).update(**fields)


def chatgpt(*words: str) -> bytes:
    return json.dumps([_conversation(n, said) for n, said in enumerate(words, start=1)]).encode()


def _conversation(n: int, said: str) -> dict[str, Any]:
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [said]}, "create_time": 1.7e9}
    nodes = {"a": {"id": "a", "parent": None, "children": ["b"], "message": None}}
    nodes["b"] = {"id": "b", "parent": "a", "children": [], "message": message | {"id": "b"}}
    return {"id": f"talk-{n}", "create_time": 1.7e9 + n * 86_400, "current_node": "b", "mapping": nodes}


def brought(user: User, data: bytes) -> Transfer:
    row = bringing.receive(user.pk, [data], name="conversations.json")
    tasks.transfer(user.pk, row.pk)
    with scope.user(user.pk):
        return Transfer.objects.get(pk=row.pk)


def test_export_is_made_whole(user: User):
    make_believed(user)
    row = exporting.ask(user.pk)

    tasks.transfer(user.pk, row.pk)

    data = b"".join(transfers.fetch(user.pk, row.pk))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        facts = json.loads(archive.read("memory.json"))["facts"]
    assert [fact["text"] for fact in facts] == ["Lives in Oslo"]


def test_export_is_cut_into_chunks_that_join_to_the_same_bytes(user: User, monkeypatch: pytest.MonkeyPatch):
    make_believed(user)
    monkeypatch.setattr(exporting, "CHUNK", 64)
    row = exporting.ask(user.pk)

    tasks.transfer(user.pk, row.pk)

    parts = list(transfers.chunks(user.pk, row.pk))
    assert ({len(part) for part in parts[:-1]}, zipfile.is_zipfile(io.BytesIO(b"".join(parts)))) == ({64}, True)


def test_export_asked_for_twice_is_one(user: User):
    assert exporting.ask(user.pk).pk == exporting.ask(user.pk).pk


def test_new_export_takes_the_place_of_the_last(user: User):
    first = exporting.ask(user.pk)
    tasks.transfer(user.pk, first.pk)

    second = exporting.ask(user.pk)

    with scope.user(user.pk):
        assert list(Transfer.objects.values_list("pk", flat=True)) == [second.pk]


def test_export_is_fetched_once_and_gone_then(user: User):
    row = exporting.ask(user.pk)
    tasks.transfer(user.pk, row.pk)
    list(transfers.fetch(user.pk, row.pk))

    with pytest.raises(Refused):
        transfers.fetch(user.pk, row.pk)

    assert chunk_count(user) == 0


def test_export_of_another_cannot_be_fetched(user: User):
    stranger = make_user("strange")
    row = exporting.ask(stranger.pk)
    tasks.transfer(stranger.pk, row.pk)

    with pytest.raises(NotFound):
        transfers.fetch(user.pk, row.pk)


def test_export_whose_worker_was_lost_is_made_anew(user: User):
    make_believed(user)
    row = exporting.ask(user.pk)
    taken = transfers.take(user.pk, row.pk)
    assert taken
    transfers.write(taken[0], 1, b"half of it")
    change(user, row, lease_until=timezone.now() - timedelta(seconds=1))

    found = transfers.due()
    tasks.transfer(user.pk, row.pk)

    data = b"".join(transfers.fetch(user.pk, row.pk))
    assert (list(found), zipfile.is_zipfile(io.BytesIO(data))) == ([(user.pk, row.pk)], True)


def test_worker_that_was_too_slow_writes_nothing(user: User):
    row = exporting.ask(user.pk)
    taken = transfers.take(user.pk, row.pk)
    assert taken
    change(user, row, lease_until=timezone.now() - timedelta(seconds=1))
    transfers.take(user.pk, row.pk)

    with pytest.raises(LeaseLost):
        transfers.write(taken[0], 1, b"late")

    assert chunk_count(user) == 0


def test_export_that_kills_its_worker_again_and_again_is_given_up(user: User):
    row = exporting.ask(user.pk)
    change(user, row, state="running", fence=transfers.MAX_STARTS, lease_until=timezone.now() - timedelta(seconds=1))

    tasks.transfer(user.pk, row.pk)

    assert state(user, row) == ("failed", "its worker was lost again and again")


def test_export_that_cannot_be_whole_fails(user: User, monkeypatch: pytest.MonkeyPatch):
    def broken(_user_id: int) -> Any:
        yield b"half of it"
        raise ValueError("a section failed")

    monkeypatch.setattr(portability, "export", broken)
    row = exporting.ask(user.pk)

    tasks.transfer(user.pk, row.pk)

    assert (state(user, row), chunk_count(user)) == (("failed", "fault"), 0)


def test_erasing_removes_exports_and_waiting_files(user: User):
    fact = make_believed(user)
    export = exporting.ask(user.pk)
    tasks.transfer(user.pk, export.pk)
    brought(user, chatgpt("I live in Oslo."))

    with scope.user(user.pk):
        receipt = forgetting.erase(user.pk, [fact.pk], actor="own")
        left = Transfer.objects.count()

    assert (left, chunk_count(user), receipt.counts["transfers"]) == (0, 0, 2)


def test_erasing_ends_an_export_under_way(user: User):
    fact = make_believed(user)
    row = exporting.ask(user.pk)
    taken = transfers.take(user.pk, row.pk)
    assert taken
    with scope.user(user.pk):
        forgetting.erase(user.pk, [fact.pk], actor="own")

    with pytest.raises(LeaseLost):
        transfers.write(taken[0], 1, b"of before")


def test_conversations_of_a_file_that_an_erasure_took_are_not_stored_after_it(user: User):
    fact = make_believed(user)
    row = brought(user, chatgpt("I live in Oslo."))
    bringing.choose(user.pk, row.pk, None)
    taken = transfers.take(user.pk, row.pk)
    assert taken
    with scope.user(user.pk):
        forgetting.erase(user.pk, [fact.pk], actor="own")
        before = Episode.objects.count()
    late = incoming.prepare({"external_id": "late", "turns": [{"role": "user", "content": "I live in Oslo."}]})

    with pytest.raises(LeaseLost):
        ingest.store_all(user, [late], is_import=True, confirm=lambda: transfers.note(taken[0]))

    with scope.user(user.pk):
        assert Episode.objects.count() == before


def test_sweep_removes_what_is_over_and_leaves_the_rest(user: User):
    old = exporting.ask(user.pk)
    tasks.transfer(user.pk, old.pk)
    with scope.user(user.pk):
        new = transfers.opened(user.pk, TransferKind.IMPORT)
    change(user, old, expires_at=timezone.now())

    transfers.sweep()

    with scope.user(user.pk):
        assert (list(Transfer.objects.values_list("pk", flat=True)), TransferChunk.objects.count()) == ([new.pk], 0)


def test_brought_file_is_listed_before_anything_is_stored(user: User):
    row = brought(user, chatgpt("I live in Oslo.", "I speak Finnish."))

    with scope.user(user.pk):
        listed = bringing.listing(user.pk, row.pk)
        stored = Episode.objects.count()
    assert [(one.begins, one.turns, one.first) for one in listed] == [
        ("I live in Oslo.", 1, "2023-11-15"),
        ("I speak Finnish.", 1, "2023-11-16"),
    ]
    assert (row.state, row.format, row.summary["conversations"], stored) == ("previewed", "chatgpt", 2, 0)


def test_only_what_was_chosen_is_stored(user: User):
    row = brought(user, chatgpt("I live in Oslo.", "I speak Finnish."))

    bringing.choose(user.pk, row.pk, [1])
    tasks.transfer(user.pk, row.pk)

    with scope.user(user.pk):
        assert list(Episode.objects.values_list("external_id", flat=True)) == ["talk-2"]
        assert Job.objects.count() == 1
    assert (state(user, row)[0], chunk_count(user)) == ("done", 0)


def test_all_can_be_chosen_and_what_is_here_is_passed_over(user: User):
    data = chatgpt("I live in Oslo.", "I speak Finnish.")
    for _ in range(2):
        row = brought(user, data)
        bringing.choose(user.pk, row.pk, None)
        tasks.transfer(user.pk, row.pk)

    with scope.user(user.pk):
        summary = Transfer.objects.get(pk=row.pk).summary
    assert summary == {"learnt": 0, "known": 2, "failed": 0, "total": 2}


def test_learning_that_broke_off_goes_on_where_it_can(user: User):
    row = brought(user, chatgpt("I live in Oslo.", "I speak Finnish."))
    bringing.choose(user.pk, row.pk, None)
    transfers.take(user.pk, row.pk)
    change(user, row, lease_until=timezone.now() - timedelta(seconds=1))

    tasks.transfer(user.pk, row.pk)

    assert state(user, row) == ("done", "")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"not json at all", "unreadable"),
        (b'[{"turns": [{"role": "user", "content": "I live in Oslo."}], "external_id": "x"}]', "unknown"),
        (b"[]", "unreadable"),
        (b"PK\x03\x04cut off", "unreadable"),
    ],
)
def test_file_that_is_no_such_export_says_so(data: bytes, code: str, user: User):
    row = brought(user, data)

    assert (state(user, row), chunk_count(user)) == (("failed", code), 0)


def test_upload_that_broke_off_says_so(user: User):
    row = bringing.receive(user.pk, [chatgpt("I live in Oslo.")], name="x")
    change(user, row, summary={})

    tasks.transfer(user.pk, row.pk)

    assert state(user, row) == ("failed", "incomplete")


@pytest.mark.parametrize(("parts", "reason"), [([], "empty"), ([b""], "empty"), ([b"12345"], "too_large")])
def test_file_that_is_empty_or_too_large_is_not_kept(
    parts: list[bytes], reason: str, user: User, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bringing, "LARGEST", 4)

    with pytest.raises(Refused) as refused:
        bringing.receive(user.pk, parts, name="x")

    with scope.user(user.pk):
        assert (refused.value.reason, Transfer.objects.count()) == (reason, 0)


def test_new_file_takes_the_place_of_one_that_waits(user: User):
    brought(user, chatgpt("I live in Oslo."))
    second = brought(user, chatgpt("I speak Finnish."))

    with scope.user(user.pk):
        assert list(Transfer.objects.values_list("pk", flat=True)) == [second.pk]


def test_choosing_nothing_is_refused(user: User):
    row = brought(user, chatgpt("I live in Oslo."))

    with pytest.raises(Refused):
        bringing.choose(user.pk, row.pk, [])

    assert state(user, row)[0] == "previewed"
