import codecs
import io
import json
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.errors import Unreadable
from memory.importing import FORMATS, Broken, read, sources, values
from tests.memory.importing.files import (
    broken,
    chatgpt,
    claude,
    claude_message,
    episodes,
    line,
    node,
    pack,
    said,
    write,
)

_CHATGPT = chatgpt(node("m1", "root", "user", "Hello"))
_CLAUDE = claude(claude_message(1, "human", "Hello"))


def _names(path: Path, **options: Any) -> list[str]:
    return [record.external_id for record in read(path, **options) if not isinstance(record, Broken)]


# Formats ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ([_CHATGPT], "c-1"),
        (_CHATGPT, "c-1"),
        ({"conversations": [_CHATGPT]}, "c-1"),
        ([None, _CHATGPT], "c-1"),
        ([_CLAUDE], "k-1"),
        (line(), "e-1"),
        ("\n{broken\n" + line(), "e-1"),
        (line() + line("e-1"), "e-1"),
        ("[" + line() + "]", "e-1"),
        ('{"episodes": [' + line() + "]}", "e-1"),
        ([{"memory": "User is vegan", "id": "m"}], "m"),
        ('{"memory": "User is vegan", "id": "m"}\n', "m"),
    ],
)
def test_auto_recognises_the_format_by_its_content(tmp_path: Path, content: object, name: str) -> None:
    path = write(tmp_path, content, "some.data")

    assert _names(path)[0] == name


@pytest.mark.parametrize("content", ["[]", "{}", "null", "5", "[[]]", '[{"a": 1}]', "hello", "<html>", "\x7fELF"])
def test_auto_of_no_known_format_is_unreadable(tmp_path: Path, content: str) -> None:
    with pytest.raises(Unreadable):
        list(read(write(tmp_path, content)))


@pytest.mark.parametrize("name", FORMATS[1:])
def test_named_format_that_it_is_not_reports_every_record(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, '[{"a": 1}]')

    assert len(broken(path, format=name)) == 1


# Files ------------------------------------------------------------------------------------


@pytest.mark.parametrize("member", ["conversations.json", "export-2024/data/conversations.json"])
def test_zip_is_read_in_whatever_folder_it_lies(tmp_path: Path, member: str) -> None:
    beside = {"user.json": {"id": "u"}, "chat.html": "<html>", "__MACOSX/._conversations.json": "\x00\x05"}

    path = pack(tmp_path, {**beside, member: [_CHATGPT]})

    assert _names(path) == ["c-1"]


def test_zip_in_parts_is_read_in_their_order(tmp_path: Path) -> None:
    parts = {f"conversations-{n:03}.json": [{**_CHATGPT, "conversation_id": f"c-{n}"}] for n in (1, 0, 2)}

    assert _names(pack(tmp_path, parts)) == ["c-0", "c-1", "c-2"]


def test_folder_of_an_unpacked_export_is_read(tmp_path: Path) -> None:
    write(tmp_path, [_CLAUDE])
    write(tmp_path, [{"uuid": "u"}], "users.json")

    assert _names(tmp_path) == ["k-1"]


def test_zip_with_hostile_names_writes_nothing(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()

    names = _names(pack(inside, {"../../conversations.json": [_CHATGPT]}))

    assert (names, [file.name for file in tmp_path.rglob("*") if file.is_file()]) == (["c-1"], ["export.zip"])


def test_zip_bomb_is_refused(tmp_path: Path) -> None:
    path = pack(tmp_path, {"conversations.json": "[" + " " * (65 << 20) + "]"})

    with pytest.raises(Unreadable, match="would unpack to"):
        list(read(path))


def test_zip_of_more_than_a_disk_holds_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_UNPACKED", 10)

    with pytest.raises(Unreadable, match="would unpack to"):
        list(read(pack(tmp_path, {"conversations.json": [_CHATGPT]})))


def test_zip_without_an_export_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"holds no conversations\.json"):
        list(read(pack(tmp_path, {"a.json": [], "b.json": []})))


def test_zip_cut_off_is_unreadable(tmp_path: Path) -> None:
    path = pack(tmp_path, {"conversations.json": [_CHATGPT] * 50})
    path.write_bytes(path.read_bytes()[:-60])

    with pytest.raises(Unreadable, match="incomplete ZIP"):
        list(read(path))


def test_zip_with_a_damaged_member_is_reported_behind_what_is_sound(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("conversations.json", json.dumps([_CHATGPT] * 1_000))
    path.write_bytes(path.read_bytes().replace(b'"A talk"', b'"A walk"'))

    names = _names(path)

    assert len(names) > 900
    assert [p for p, _ in broken(path)] == [f"export.zip/conversations.json: after record {len(names)}"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is empty"),
        (codecs.BOM_UTF16_LE + "[]".encode("utf-16-le"), "UTF-16"),
        (codecs.BOM_UTF16_BE + "[]".encode("utf-16-be"), "UTF-16"),
        ("[]".encode("utf-16-le"), "no UTF-8 text"),
        (b"\x1f\x8b\x08\x00", "gzip"),
    ],
)
def test_file_that_is_no_text_says_what_it_is(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "conversations.json"
    path.write_bytes(content)

    with pytest.raises(Unreadable, match=why):
        list(read(path))


def test_missing_file_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="cannot be read"):
        list(read(tmp_path / "gone.json"))


@pytest.mark.parametrize("content", [json.dumps([_CHATGPT]), line()])
def test_byte_order_mark_is_passed_over(tmp_path: Path, content: str) -> None:
    path = tmp_path / "data"
    path.write_bytes(codecs.BOM_UTF8 + content.encode())

    assert len(episodes(path)) == 1


# What is broken ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [
        b"{broken}",
        b'{"external_id": "x", "turns": [{"role": "user", "content": "caf\xe9"}]}',
        b'{"external_id": "x", "turns": NaN}',
        b'{"external_id": "x", "turns": ' + b"[" * 100_000,
        b'{"external_id": "x", "turns": 1' + b"0" * 5_000 + b"}",
        b'{"external_id": "x", "turns": []}',
        b"null",
        b"[]",
        b"\x00",
    ],
    ids=["syntax", "latin-1", "NaN", "depth", "huge number", "invalid", "null", "list", "NUL"],
)
def test_bad_line_is_reported_with_its_place_and_the_rest_goes_in(tmp_path: Path, bad: bytes) -> None:
    path = tmp_path / "episodes.jsonl"
    path.write_bytes(line("e-1").encode() + bad + b"\n\n" + line("e-2").encode().strip())

    assert _names(path) == ["e-1", "e-2"]
    assert [position for position, _ in broken(path)] == [f"episodes.jsonl: line 2 (byte {len(line())})"]


def test_line_over_the_limit_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.importing.lines.MAX_LINE", 1_000)
    path = write(tmp_path, line("e-1") + line("e-2", "x" * 5_000) + line("e-3"), "a.jsonl")

    assert _names(path) == ["e-1", "e-3"]
    assert [position for position, _ in broken(path)] == [f"a.jsonl: line 2 (byte {len(line())})"]


@pytest.mark.parametrize("share", [0.35, 0.6, 0.95])
def test_file_cut_off_gives_what_was_before_the_cut(tmp_path: Path, share: float) -> None:
    whole = json.dumps([{**_CHATGPT, "conversation_id": f"c-{n}"} for n in range(500)])
    path = write(tmp_path, whole[: int(len(whole) * share)])

    names = _names(path)

    assert names == [f"c-{n}" for n in range(int(500 * share))]
    assert [(position, why.partition(",")[0]) for position, why in broken(path)] == [
        (f"conversations.json: after record {len(names)}", "the file is cut off")
    ]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b'{"mapping": NaN}', "the JSON is broken"),
        (b'{"mapping": "caf\xe9, \\", ]"}', "the text is not UTF-8"),
        (b'{"mapping": {"a": tru}, "b": [1, 2]}', "the JSON is broken"),
        (b"", "the JSON is broken"),
        (b'{"mapping": 1' + b"0" * 5_000 + b"}", "the JSON holds a number that is too large"),
        (b'{"mapping": -1' + b"0" * 30 + b"}", "the JSON holds a number that is too large"),
        (b'{"mapping": 1e999}', "the JSON holds a number that is too large"),
    ],
)
@pytest.mark.parametrize("filling", [0, 300])
def test_record_that_breaks_the_grammar_costs_only_itself(tmp_path: Path, bad: bytes, why: str, filling: int) -> None:
    path = tmp_path / "conversations.json"
    sound = [json.dumps({**_CHATGPT, "conversation_id": f"c-{n}"}).encode() for n in range(filling + 4)]
    path.write_bytes(b"[" + b",\n".join([*sound[:-3], bad, sound[-3], bad, *sound[-2:]]) + b"]")

    assert _names(path) == [f"c-{n}" for n in range(filling + 4)]
    assert [(position, reason.partition(",")[0].partition(" (")[0]) for position, reason in broken(path)] == [
        (f"conversations.json: record {filling + 2}", why),
        (f"conversations.json: record {filling + 4}", why),
    ]


def test_file_of_broken_records_comes_to_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "MAX_REPAIRS", 3)
    path = write(tmp_path, f"[{json.dumps(_CHATGPT)}" + ", {]" * 9 + "]")

    reports = broken(path)

    assert (len(reports), reports[-1][1]) == (4, "over 3 records break the grammar.")


def test_record_that_breaks_the_grammar_inside_a_zip_costs_only_itself(tmp_path: Path) -> None:
    path = pack(tmp_path, {"conversations.json": f'[{json.dumps(_CHATGPT)}, {{"a": NaN}}, {json.dumps(_CHATGPT)}]'})

    assert (_names(path), len(broken(path))) == (["c-1", "c-1"], 1)


def test_last_record_that_breaks_the_grammar_is_reported_behind_the_others(tmp_path: Path) -> None:
    path = write(tmp_path, f"[{json.dumps(_CHATGPT)}, {{]")

    assert _names(path) == ["c-1"]
    assert [position for position, _ in broken(path)] == ["conversations.json: after record 1"]


def test_record_nested_too_deeply_costs_only_itself(tmp_path: Path) -> None:
    deep = '{"mapping": ' + "[" * 5_000 + "]" * 5_000 + "}"
    path = write(tmp_path, f"[{json.dumps(_CHATGPT)}, {deep}, {json.dumps(_CHATGPT)}]")

    assert _names(path) == ["c-1", "c-1"]
    assert broken(path) == [("conversations.json: record 2", "is nested over 200 levels deep.")]


def test_bottomless_nesting_takes_no_memory(tmp_path: Path) -> None:
    path = write(tmp_path, f"[{json.dumps(_CHATGPT)}," + '{"a":[' * 300_000)

    tracemalloc.start()
    records = list(read(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert [type(record).__name__ for record in records] == ["IncomingEpisode", "Broken"]
    assert peak < 64 << 20


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.sampled_from(FORMATS))
def test_any_bytes_are_read_or_unreadable(tmp_path: Path, content: bytes, name: str) -> None:
    path = tmp_path / "any"
    path.write_bytes(content)

    try:
        records = list(read(path, format=name))
    except Unreadable:
        return

    assert {type(record) for record in records} <= {Broken}


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["text", "parts", "content", "role", "author", "at", "x"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_value_in_any_place_of_an_export_never_crashes(tmp_path: Path, data: st.DataObject) -> None:
    value = data.draw(st.sampled_from([_CHATGPT, _CLAUDE, json.loads(line())]))
    junk = _with_junk(json.loads(json.dumps(value)), data)

    records = list(read(write(tmp_path, [value, junk]), format=_format(value)))

    assert len(records) in {1, 2}


def _with_junk(value: Any, data: st.DataObject) -> Any:
    """The value with something else in one place, however deep."""
    places = [*(range(len(value)) if isinstance(value, list) else value)] if isinstance(value, list | dict) else []
    if not places or data.draw(st.booleans()):
        return data.draw(_JSON)
    place = data.draw(st.sampled_from(places))
    value[place] = _with_junk(value[place], data)
    return value


def _format(value: dict[str, Any]) -> str:
    return "chatgpt" if "mapping" in value else "claude" if "chat_messages" in value else "jsonl"


# Whose it is ------------------------------------------------------------------------------


def test_user_of_each_line_is_kept(tmp_path: Path) -> None:
    path = write(tmp_path, line("a", user="ada") + line("b", user="bo") + line("c"), "a.jsonl")

    assert [episode.user for episode in episodes(path)] == ["ada", "bo", ""]


def test_named_user_gets_what_one_other_name_is_on(tmp_path: Path) -> None:
    path = write(tmp_path, line("a", user="x-17") + line("b") + line("c", user="x-17"), "a.jsonl")

    assert [episode.user for episode in episodes(path, user="ada")] == ["ada", "ada", "ada"]


def test_named_user_never_gets_a_second_persons_records(tmp_path: Path) -> None:
    path = write(tmp_path, line("a", user="ada") + line("b", user="bo") + line("c", user="ada"), "a.jsonl")

    assert _names(path, user="eve") == ["a", "c"]
    assert [position for position, _ in broken(path, user="eve")] == ["b"]


# Size -------------------------------------------------------------------------------------


def test_conversation_over_the_limits_comes_in_parts(tmp_path: Path) -> None:
    messages = [claude_message(0, "human", f"turn {n}", uuid=f"u{n}") for n in range(1_200)]

    first, second = episodes(write(tmp_path, [claude(*messages)]))

    assert (first.external_id, second.external_id, second.session) == ("k-1", "k-1#2", "k-1")
    assert [content for _, content in said(first) + said(second)] == [f"turn {n}" for n in range(1_200)]


def test_ten_thousand_records_take_the_memory_of_a_few(tmp_path: Path) -> None:
    memories = ({"id": f"m-{n}", "memory": "User is vegan. " * 50} for n in range(10_000))
    path = write(tmp_path, "[" + ",".join(map(json.dumps, memories)) + "]", "mem0.json")

    tracemalloc.start()
    count = sum(1 for _ in read(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert (count, peak < 2 << 20, path.stat().st_size > 7 << 20) == (10_000, True, True)


@pytest.mark.parametrize("is_packed", [False, True])
def test_progress_is_told_up_to_the_end(tmp_path: Path, is_packed: bool) -> None:  # noqa: FBT001
    path = pack(tmp_path, {"conversations.json": [_CHATGPT]}) if is_packed else write(tmp_path, [_CHATGPT])
    heard: list[int] = []

    list(read(path, on_bytes=heard.append))

    assert max(heard) == path.stat().st_size


def test_stream_that_fails_midway_reports_the_cut() -> None:
    class Failing(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def seek(self, offset: int, _whence: int = 0) -> int:
            return offset

        def tell(self) -> int:
            return 0

        def readinto(self, _buffer: Any) -> int:
            raise OSError("the disk is gone")

    found = list(values.at(io.BufferedReader(Failing()), ("item",)))

    assert [type(value).__name__ for value in found] == ["Cut"]
