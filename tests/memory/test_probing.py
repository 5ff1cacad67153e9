"""Probe suites: the demo's as a gate, and what counts as missed, stale and leaked."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import override_settings
from pytest_django.plugin import DjangoDbBlocker

from memory import demo, engine, probing, scope
from memory.errors import NotFound, Unreadable
from memory.models import Fact, Recalled, User
from memory.pipeline import Engine
from tests.factories import make_conflict, make_user
from tests.memory.recall.finding import Bagged, tell

DEMO = Path(settings.BASE_DIR) / "probes" / "demo.yaml"


@pytest.fixture(scope="module")
def _demo(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The demo processed without a model, as of its own moment; rolled back."""
    with django_db_blocker.unblock(), override_settings(ASSAY_NOW=demo.NOW), transaction.atomic():
        demo.load()
        engine.drain(Engine())
        yield
        transaction.set_rollback(True)


@pytest.mark.usefixtures("_demo")
def test_demo_suite_finds_what_it_must_and_leaks_nothing() -> None:
    report = probing.report(probing.run(probing.read(DEMO), embedder=None))

    assert (report["leak_rate"], report["leaks"], report["staleness"]) == (0.0, [], 0.0)
    assert (report["recall_at_5"], report["missed"]) == (1.0, [])


def test_demo_suite_asks_enough_of_every_kind() -> None:
    suites = probing.read(DEMO)
    probes = [(suite.scope, probe) for suite in suites for probe in suite.probes]
    conflicts = [probe for _, probe in probes if len(probe.expect) > 1]
    leaks = [probe for _, probe in probes if probe.forbid and not probe.expect]

    assert (len(probes) >= 40, len(conflicts) >= 6, len(leaks) >= 4) == (True, True, True)
    assert {person.external_id for person in demo.people()} <= Counter(whose for whose, _ in probes).keys()


# Kinds --------------------------------------------------------------------------------------


def _report(tmp_path: Path, *suites: dict[str, Any], embedder: Bagged | None = None) -> dict[str, Any]:
    file = tmp_path / "suite.yaml"
    file.write_text(yaml.safe_dump_all(suites, allow_unicode=True), encoding="utf-8")
    return probing.report(probing.run(probing.read(file), embedder=embedder))


@pytest.mark.django_db
def test_what_does_not_come_back_is_missed(tmp_path: Path) -> None:
    suite = {"scope": "new", "facts": ["Likes tea"], "probes": [{"query": "tea", "expect": ["tea", "coffee"]}]}

    report = _report(tmp_path, suite)

    assert (report["recall_at_5"], report["missed"]) == (0.5, [{"scope": "new", "query": "tea", "missed": ["coffee"]}])


@pytest.mark.django_db
def test_what_must_not_come_back_is_a_leak(tmp_path: Path) -> None:
    suite = {"scope": "new", "facts": ["Likes tea"], "probes": [{"query": "tea", "forbid": ["TEA"]}, {"query": "x"}]}

    report = _report(tmp_path, suite)

    assert (report["leak_rate"], report["leaks"]) == (0.5, [{"scope": "new", "query": "tea", "leaked": ["TEA"]}])


@pytest.mark.django_db
@pytest.mark.parametrize("status", ["superseded", "retracted", "lapsed"])
def test_what_is_no_longer_live_does_not_come_back(tmp_path: Path, status: str) -> None:
    facts = [{"text": "Lives in Oslo", "status": status}, "Lives in Bergen"]
    suite = {"scope": "new", "facts": facts, "probes": [{"query": "Where does she live?", "forbid": ["Oslo"]}]}

    report = _report(tmp_path, suite)

    assert (report["leak_rate"], report["staleness"]) == (0.0, 0.0)


@pytest.mark.django_db
def test_facts_may_be_told_by_their_ids(tmp_path: Path) -> None:
    tea, chess = tell(make_user("maya"), "Likes tea", "Plays chess")
    suite = {"scope": "maya", "probes": [{"query": "tea", "expect": [tea.pk], "forbid": [chess.pk]}]}

    report = _report(tmp_path, suite)

    assert (report["recall_at_5"], report["leaks"][0]["leaked"]) == (1.0, [chess.pk])


@pytest.mark.django_db
def test_a_conflict_comes_whole_in_a_probe(tmp_path: Path) -> None:
    make_conflict(user := make_user("maya"), *tell(user, *(f"Lives in town {n}" for n in range(7))))
    suite = {"scope": "maya", "probes": [{"query": "town 3", "expect": [f"town {n}" for n in range(7)]}]}

    assert _report(tmp_path, suite)["recall_at_5"] == 1.0


@pytest.mark.django_db
def test_nothing_stays_of_a_suite(tmp_path: Path) -> None:
    make_user("maya")
    suites = [{"scope": name, "facts": ["Likes tea"], "probes": [{"query": "tea"}]} for name in ("maya", "visitor")]

    _report(tmp_path, *suites, embedder=Bagged())

    with scope.staff():
        assert list(User.objects.values_list("external_id", flat=True)) == ["maya"]
        assert (Fact.objects.count(), Recalled.objects.count()) == (0, 0)


@pytest.mark.django_db
def test_shares_of_nothing_are_null(tmp_path: Path) -> None:
    make_user("maya")

    report = _report(tmp_path, {"scope": "maya", "probes": [{"query": "tea"}]})

    assert (report["recall_at_5"], report["staleness"], report["leak_rate"]) == (None, None, 0.0)


@pytest.mark.django_db
def test_probing_someone_unknown_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        _report(tmp_path, {"scope": "nobody", "probes": []})


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "a: [",
        "scope: x",
        "scope: x\nprobes: nothing",
        "- scope: x\n  probes: [{ask: y}]",
        "3",
        "scope: x\nprobes: [{query: 5}]",
    ],
)
def test_a_suite_that_cannot_be_read_says_where(tmp_path: Path, content: str) -> None:
    file = tmp_path / "suite.yaml"
    file.write_text(content, encoding="utf-8")

    with pytest.raises(Unreadable, match=r"suite\.yaml"):
        probing.read(file)


def test_a_suite_may_be_one_a_list_or_several_documents(tmp_path: Path) -> None:
    file = tmp_path / "suite.yaml"
    one = "scope: a\nprobes: []\n"
    file.write_text(f"{one}---\n- {{scope: b, probes: []}}\n- {{scope: c, probes: []}}\n---\n", encoding="utf-8")

    assert [suite.scope for suite in probing.read(file)] == ["a", "b", "c"]


# The command --------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(("forbid", "code"), [("coffee", None), ("tea", 1)])
def test_command_exits_one_on_a_leak(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], forbid: str, code: int | None
) -> None:
    file = tmp_path / "suite.yaml"
    file.write_text(f"scope: new\nfacts: [Likes tea]\nprobes: [{{query: tea, forbid: [{forbid}]}}]\n", encoding="utf-8")

    assert _exit_code("probe", str(file), "--json") == code
    assert set(json.loads(capsys.readouterr().out)) >= {"recall_at_5", "staleness", "leak_rate"}


def test_command_exits_two_on_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as caught:
        call_command("probe", str(tmp_path / "none.yaml"))

    assert caught.value.returncode == 2


def _exit_code(*command: str) -> int | None:
    try:
        call_command(*command)
    except SystemExit as stopped:
        return int(str(stopped.code))
    return None
