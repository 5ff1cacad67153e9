"""What an export is: one snapshot, whole or not at all, and inert in whatever opens it."""

import csv
import hashlib
import io
import json
import os
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.test import override_settings
from django.utils import timezone

from memory import forgetting, portability, scope, tasks
from memory.models import Fact
from memory.portability import exporting, reviewed
from memory.portability.registry import SECTIONS
from reviewer import embedded
from tests import databases
from tests.factories import make_entity, make_fact, make_user
from tests.memory.forgetting.living import living_in

pytestmark = pytest.mark.django_db(transaction=True)


def _opened(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_export_holds_what_the_interface_promises() -> None:
    user = living_in("Oslo", "Bergen")

    parts = _opened(b"".join(portability.export(user.pk)))
    document = json.loads(parts["memory.json"])

    assert sorted(parts) == ["facts.csv", "facts.md", "manifest.json", "memory.json"]
    assert document["schema"] == "assay.export/1"
    assert document.keys() >= {"user", "episodes", "facts", "aliases", "conflicts", "labels", "rules", "policy_version"}
    assert [(fact["object"], fact["status"]) for fact in document["facts"]] == [
        ("Oslo", "superseded"),
        ("Bergen", "active"),
    ]
    assert document["facts"][0]["evidence"][0]["quote"] == "I live in Oslo."


def test_manifest_is_true() -> None:
    user = living_in("Oslo", "Bergen")

    parts = _opened(b"".join(portability.export(user.pk)))
    manifest, document = json.loads(parts["manifest.json"]), json.loads(parts["memory.json"])

    assert manifest["counts"] == {name: len(document[name]) for name in (*SECTIONS, reviewed.SECTION)}
    assert manifest["files"] == {
        name: {"sha256": hashlib.sha256(parts[name].encode()).hexdigest()} for name in parts if name != "manifest.json"
    }


def test_export_holds_nobody_elses_rows() -> None:
    living_in("Tromsø")
    user = living_in("Oslo")

    parts = _opened(b"".join(portability.export(user.pk)))

    assert [name for name, content in parts.items() if "Tromsø" in content] == []


def test_what_is_written_meanwhile_is_not_in_the_snapshot() -> None:
    user = make_user()
    for number in range(3):
        make_fact(user, f"Fact {number}.", predicate=f"p{number}")
    from_now = portability.export(user.pk)
    chunks = [next(from_now)]

    _elsewhere(f"UPDATE memory_fact SET text = 'Changed.' WHERE user_id = {user.pk}")
    chunks += from_now
    parts = _opened(b"".join(chunks))

    assert [fact["text"] for fact in json.loads(parts["memory.json"])["facts"]] == ["Fact 0.", "Fact 1.", "Fact 2."]
    assert ("Changed." in parts["facts.csv"], "Changed." in parts["facts.md"]) == (False, False)


def _elsewhere(statement: str) -> None:
    """Committed by somebody else while the export's transaction is open."""
    with databases.administration(embedded.ensure(), settings.DATABASES["default"]["NAME"]) as admin:
        admin.execute(statement)


@pytest.mark.parametrize("section", ["facts", "evidence", "conflicts", "turns", "rulings"])
def test_section_that_fails_fails_the_export_and_leaves_no_file(section: str, tmp_path: Path) -> None:
    user = living_in("Oslo")
    table = SECTIONS[section]._meta.db_table
    _elsewhere(f"REVOKE SELECT ON {table} FROM assay_scope")
    target = tmp_path / "memory.zip"

    try:
        with pytest.raises(DatabaseError):
            call_command("export", user=user.external_id, out=target)
    finally:
        _elsewhere(f"GRANT SELECT ON {table} TO assay_scope")

    assert list(tmp_path.iterdir()) == []


def test_export_is_never_written_over_another_file(tmp_path: Path) -> None:
    user = living_in("Oslo")
    target = tmp_path / "memory.zip"
    target.write_bytes(b"earlier")

    with pytest.raises(CommandError, match="is there already and stays as it is: name another file with --out"):
        call_command("export", user=user.external_id, out=target)

    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("memory.zip", b"earlier")]


def test_export_without_a_place_goes_beside_the_data_for_its_owner_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    user = make_user("../may:a")
    (tmp_path / "exports").mkdir(mode=0o755)

    with override_settings(DATA_DIR=tmp_path):
        call_command("export", user=user.external_id)

    (made,) = (tmp_path / "exports").iterdir()
    told = f"{made}: {made.stat().st_size:,} bytes\n"
    told += "It is deleted after a day, and when anything of its user's is erased: move it elsewhere to keep it.\n"
    modes = [oct(path.stat().st_mode)[-3:] for path in (made, made.parent)]
    assert (made.name.startswith("_may_a-2"), modes, capsys.readouterr().err) == (True, ["600", "700"], told)


def test_export_elsewhere_says_that_forgetting_does_not_reach_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "memory.zip"

    call_command("export", user=living_in("Oslo").external_id, out=target)

    told = "Forgetting does not reach this file: delete it when it is not needed any more."
    assert capsys.readouterr().err == f"{target}: {target.stat().st_size:,} bytes\n{told}\n"


def test_forgotten_users_files_go_and_others_stay(tmp_path: Path) -> None:
    user, alike = make_user("may/a"), make_user("may:a")

    with override_settings(DATA_DIR=tmp_path):
        call_command("export", user=alike.external_id)
        others = [*(tmp_path / "exports").iterdir()]
        call_command("export", user=user.external_id)
        forgetting.depart(user, actor="me")

    assert [*(tmp_path / "exports").iterdir()] == others


def test_file_that_holds_what_was_erased_goes(tmp_path: Path) -> None:
    user = living_in("Oslo")

    with override_settings(DATA_DIR=tmp_path):
        call_command("export", user=user.external_id)
        with scope.user(user.pk):
            forgetting.erase(user.pk, [Fact.objects.get().pk], actor="me")

    assert [*(tmp_path / "exports").iterdir()] == []


def test_files_older_than_a_day_are_swept(tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    for name, hours in (("old.zip", 25), ("half.zip.part", 25), ("new.zip", 23)):
        (folder / name).touch()
        at = (timezone.now() - timedelta(hours=hours)).timestamp()
        os.utime(folder / name, (at, at))

    with override_settings(DATA_DIR=tmp_path):
        tasks.tidy()

    assert [path.name for path in folder.iterdir()] == ["new.zip"]


def test_reader_that_stops_in_the_middle_leaves_no_transaction_open() -> None:
    user = living_in("Oslo")
    parts = portability.export(user.pk)
    next(parts)

    parts.close()  # type: ignore[attr-defined]

    assert connection.in_atomic_block is False
    with scope.user(user.pk):
        assert Fact.objects.count() == 1


@pytest.mark.parametrize(
    "text",
    [
        '=HYPERLINK("http://x","y")',
        "+1+1",
        "-2+3",
        "@SUM(A1)",
        "\t=1+1",
        "\r=1+1",
        '"=1+1"',
        "'=1+1",
        " =1+1",
        "tea;=1+1",
        "tea\n=1+1",
        "＝1+1",
        "“=1+1”",
    ],
)
def test_cell_that_a_spreadsheet_would_compute_is_inert(text: str) -> None:
    cell = exporting.inert(text)

    assert "'" in cell
    assert [part for part in _cells(cell) if part.lstrip('"“ \t\r')[:1] in {*"=+-@＝＋－＠"}] == []
    assert cell.replace("'", "") == text.replace("'", "")


def _cells(cell: str) -> list[str]:
    """What a spreadsheet that splits at other signs might take for cells."""
    for sign in ";\n\r\t":
        cell = cell.replace(sign, "\0")
    return cell.split("\0")


@pytest.mark.parametrize(
    "text", ["Lives in Oslo.", "likes C++ and -ish things", "a=b", "naïve 😀", "", "5 - 3", "东京"]
)
def test_cell_of_ordinary_text_stays_as_it_is(text: str) -> None:
    assert exporting.inert(text) == text


def test_table_reads_back_cell_by_cell() -> None:
    user = make_user()
    for number, text in enumerate(('Says "hi", and\nwaves.', "Semi;colon", "=1+1", "Комма, да")):
        make_fact(user, text, predicate=f"p{number}")

    table = _opened(b"".join(portability.export(user.pk)))["facts.csv"]
    rows = list(csv.DictReader(io.StringIO(table.removeprefix("\ufeff"), newline="")))

    assert sorted(row["text"] for row in rows) == sorted(['Says "hi", and\nwaves.', "Semi;colon", "'=1+1", "Комма, да"])


def test_table_tells_namesakes_apart() -> None:
    user = make_user()
    for note in ("sister", "colleague"):
        make_fact(user, "Anna sails", subject="Anna", entity=make_entity(user, "Anna", note))

    table = _opened(b"".join(portability.export(user.pk)))["facts.csv"]
    rows = list(csv.DictReader(io.StringIO(table.removeprefix("\ufeff"), newline="")))

    assert [(row["subject"], row["subject_note"]) for row in rows] == [("Anna", "sister"), ("Anna", "colleague")]


@pytest.mark.parametrize(
    "text",
    ["<img src=x onerror=alert(1)>", "![x](http://evil.example/p)", "[click](javascript:x)", "a\n# Title", "`code`"],
)
def test_page_shows_markup_as_text(text: str) -> None:
    user = make_user()
    make_fact(user, text)

    page = _opened(b"".join(portability.export(user.pk)))["facts.md"]
    lines: list[Any] = [line for line in page.splitlines() if line.startswith("- ")]

    assert len(lines) == 1
    assert [sign for sign in "<>[]()`#!" for place in _bare(lines[0], sign)] == []


def _bare(line: str, sign: str) -> list[int]:
    """Where a sign stands that no backslash takes the meaning from."""
    return [place for place, char in enumerate(line) if char == sign and line[place - 1] != "\\"]
