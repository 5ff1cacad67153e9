import json
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from memory import scope
from memory.models import Episode, Job, Turn, User
from tests.factories import make_episode, make_user
from tests.memory.importing.files import chatgpt, line, node, write

pytestmark = pytest.mark.django_db


def _import(path: Path, **options: Any) -> tuple[int, dict[str, Any]]:
    out, code = StringIO(), 0
    try:
        call_command("import_episodes", str(path), as_json=True, stdout=out, **options)
    except SystemExit as left:
        code = int(str(left.code))
    return code, json.loads(out.getvalue())


def _stored() -> list[tuple[str, str, int, str]]:
    with scope.staff():
        rows = Turn.objects.order_by("user__external_id", "episode__external_id", "n")
        return list(rows.values_list("user__external_id", "episode__external_id", "n", "content"))


def test_import_new_file_stores_it_and_says_so(tmp_path: Path) -> None:
    path = write(tmp_path, line("a", "One\x00") + line("b", "Two"), "a.jsonl")

    code, found = _import(path, user="ada")

    assert (code, found.pop("memory")["turns"]) == (0, 2)
    assert found == {
        "file": str(path),
        "users": ["ada"],
        "episodes": {"created": 2, "existing": 0, "appended": 0, "broken": 0},
        "turns": 2,
        "removed": 1,
        "broken": [],
    }
    assert _stored() == [("ada", "a", 1, "One"), ("ada", "b", 1, "Two")]


def test_import_twice_gives_the_same_rows(tmp_path: Path) -> None:
    path = write(tmp_path, line("a", "One") + line("b", "Two"), "a.jsonl")
    _import(path, user="ada")
    before = _stored()

    code, found = _import(path, user="ada")

    assert (code, found["episodes"]["existing"], found["turns"]) == (0, 2, 0)
    assert _stored() == before


def test_import_is_learnt_at_once(tmp_path: Path) -> None:
    _import(write(tmp_path, [chatgpt(node("m1", "root", "user", "I live in Oslo."))]), user="ada")

    with scope.staff():
        job = Job.objects.get()
        episode = Episode.objects.get()
    assert (job.user_id, job.state, episode.state) == (episode.user_id, "done", "done")


def test_import_again_starts_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, line("a"), "a.jsonl")
    _import(path, user="ada")
    with scope.staff():
        Job.objects.update(state="done")

    _import(path, user="ada")

    with scope.staff():
        assert Job.objects.get().state == "done"


def test_import_of_a_conversation_that_grew_adds_what_is_new(tmp_path: Path) -> None:
    first, second = node("m1", "root", "user", "One"), node("m2", "m1", "assistant", "Two")
    _import(write(tmp_path, [chatgpt(first)]), user="ada")

    _, found = _import(write(tmp_path, [chatgpt(first, second)]), user="ada")

    assert (found["episodes"]["appended"], found["turns"]) == (1, 1)
    assert _stored() == [("ada", "c-1", 1, "One"), ("ada", "c-1", 2, "Two")]


def test_import_broken_record_is_listed_and_exits_with_1(tmp_path: Path) -> None:
    code, found = _import(write(tmp_path, line("a") + "{oops\n" + line("b"), "a.jsonl"), user="ada")

    assert (code, found["episodes"]["created"], found["episodes"]["broken"]) == (1, 2, 1)
    assert [entry["position"] for entry in found["broken"]] == [f"a.jsonl: line 2 (byte {len(line('a'))})"]


def test_import_other_content_under_an_id_is_listed_and_exits_with_1(tmp_path: Path) -> None:
    code, found = _import(write(tmp_path, line("a", "One") + line("a", "Other"), "a.jsonl"), user="ada")

    assert (code, [entry["position"] for entry in found["broken"]]) == (1, ["a"])
    assert _stored() == [("ada", "a", 1, "One")]


def test_import_nothing_went_in_exits_with_2(tmp_path: Path) -> None:
    code, found = _import(write(tmp_path, "{oops\n", "a.jsonl"), user="ada", format="jsonl")

    assert (code, found["episodes"]["broken"]) == (2, 1)


def test_import_unreadable_file_exits_with_2(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as caught:
        call_command("import_episodes", str(tmp_path / "gone.json"))

    assert caught.value.returncode == 2


@pytest.mark.parametrize("name", ["x" * 201, "a\u202eb"])
def test_import_for_a_name_that_cannot_be_one_exits_with_2(tmp_path: Path, name: str) -> None:
    with pytest.raises(CommandError) as caught:
        call_command("import_episodes", str(write(tmp_path, line(), "a.jsonl")), user=name)

    assert (caught.value.returncode, _stored()) == (2, [])


def test_import_watched_by_a_person_shows_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    code, _ = _import(write(tmp_path, line(), "a.jsonl"), user="ada")

    assert (code, "importing" in capsys.readouterr().err) == (0, True)


def test_import_many_broken_records_counts_all_and_lists_a_hundred(tmp_path: Path) -> None:
    _, found = _import(write(tmp_path, line() + "x\n" * 150, "a.jsonl"), user="ada")

    assert (found["episodes"]["broken"], len(found["broken"])) == (150, 100)


def test_import_without_user_makes_the_default_one(tmp_path: Path) -> None:
    _, found = _import(write(tmp_path, line(), "a.jsonl"))

    assert found["users"] == ["default"]


def test_import_without_user_takes_the_only_one(tmp_path: Path) -> None:
    make_episode(make_user("ada"), "Hello")

    _, found = _import(write(tmp_path, line(), "a.jsonl"))

    assert found["users"] == ["ada"]


def test_import_for_users_of_the_file_makes_them(tmp_path: Path) -> None:
    _, found = _import(write(tmp_path, line("a", user="ada") + line("a", user="bo"), "a.jsonl"))

    assert found["users"] == ["ada", "bo"]
    assert [row[:2] for row in _stored()] == [("ada", "a"), ("bo", "a")]


def test_import_for_people_is_a_table(tmp_path: Path) -> None:
    out = StringIO()

    with pytest.raises(SystemExit):
        call_command("import_episodes", str(write(tmp_path, line() + "[red]x\n", "a.jsonl")), stdout=out)

    assert [row.split() for row in out.getvalue().splitlines() if row.startswith("episodes created")] == [
        ["episodes", "created", "1"]
    ]
    assert "a.jsonl: line 2" in out.getvalue()


@pytest.mark.django_db(transaction=True)
def test_import_killed_midway_goes_on_where_it_was(tmp_path: Path, process_env: dict[str, str]) -> None:
    path = write(tmp_path, "".join(line(f"e-{n:05}") for n in range(4_000)), "a.jsonl")
    command = [sys.executable, settings.BASE_DIR / "manage.py", "import_episodes", path, "--user", "ada", "--json"]
    process = subprocess.Popen(command, env=process_env, cwd=settings.BASE_DIR, stdout=subprocess.DEVNULL)
    _wait_until_some_are_stored()
    process.kill()
    process.wait()
    stored = len(_stored())

    code, found = _import(path, user="ada")

    assert 0 < stored < 4_000
    assert (code, found["episodes"]["existing"], found["episodes"]["created"]) == (0, stored, 4_000 - stored)
    assert len(_stored()) == 4_000


def _wait_until_some_are_stored() -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with scope.staff():
            if Episode.objects.exists():
                return
        time.sleep(0.01)
    raise AssertionError("nothing was stored in time")


def test_import_users_are_members(tmp_path: Path) -> None:
    _import(write(tmp_path, line(), "a.jsonl"), user="ada")

    with scope.staff():
        assert User.objects.get(external_id="ada").access == "member"
