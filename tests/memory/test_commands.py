"""What the commands print and how they exit: one document on stdout, whatever is asked."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command, execute_from_command_line
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from memory import engine, llm, scope
from memory.errors import ModelError
from memory.models import User
from memory.pipeline import Engine
from tests import working
from tests.factories import WHEN, make_conflict, make_episode, make_fact, make_refusal, make_user
from tests.scripted_model import ScriptedModel

pytestmark = pytest.mark.django_db

FACT = [
    "id",
    "text",
    "subject",
    "subject_note",
    "predicate",
    "object",
    "kind",
    "polarity",
    "basis",
    "source",
    "confidence",
    "effective_confidence",
    "status",
    "status_reason",
    "valid_from",
    "valid_to",
    "expires_on",
    "created_at",
    "last_supported_at",
    "supersedes",
    "superseded_by",
    "derived_from",
    "evidence",
]


@pytest.fixture
def user(settings: Settings) -> User:
    settings.ASSAY_NOW = WHEN + timedelta(days=30)
    return make_user("mia")


class Console:
    """Runs commands and keeps what they said."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def json(self, *words: str) -> Any:
        """The one document on stdout."""
        return json.loads(self.text(*words, "--json"))

    def text(self, *words: str) -> str:
        self._capsys.readouterr()
        call_command(*words)
        return self._capsys.readouterr().out

    def code(self, *words: str) -> int:
        """The exit code that the command ends with."""
        try:
            call_command(*words)
        except CommandError as error:
            return error.returncode
        except SystemExit as end:
            return int(end.code or 0)
        return 0


@pytest.fixture
def console(capsys: pytest.CaptureFixture[str]) -> Console:
    return Console(capsys)


def use(monkeypatch: pytest.MonkeyPatch, model: llm.Model | None) -> None:
    """Stands for the environment's configuration."""
    monkeypatch.setattr(engine, "configured", lambda: Engine(model=model))


# list ---------------------------------------------------------------------------------------


def test_list_gives_facts_with_their_quotes(user: User, console: Console) -> None:
    fact = make_fact(user)

    [found] = console.json("list", "--user", "mia")["facts"]

    assert sorted(found) == sorted(FACT)
    assert (found["id"], found["text"], found["confidence"]) == (fact.pk, "Lives in Oslo.", 0.9)
    [quote] = found["evidence"]
    assert sorted(quote) == ["at", "episode", "quote", "role", "turn"]
    assert (quote["turn"], quote["role"], quote["quote"]) == (1, "user", "Lives in Oslo.")


def test_list_gives_lineage_both_ways(user: User, console: Console) -> None:
    newer = make_fact(user, "Lives in Bergen.")
    older = make_fact(user, status="superseded", superseded_by=newer)

    found = {fact["id"]: fact for fact in console.json("list", "--user", "mia", "--status", "all")["facts"]}

    assert (found[newer.pk]["supersedes"], found[older.pk]["superseded_by"]) == ([older.pk], newer.pk)


@pytest.mark.parametrize(
    ("words", "texts"),
    [
        ([], ["Likes jam.", "Likes tea."]),
        (["--status", "superseded"], ["Lives in Oslo."]),
        (["--status", "all"], ["Likes jam.", "Likes tea.", "Lives in Oslo."]),
        (["--status", "lapsed"], []),
        (["--subject", "USER"], ["Likes jam.", "Likes tea."]),
        (["--subject", "Anna"], []),
    ],
)
def test_list_shows_live_facts_unless_told(user: User, console: Console, words: list[str], texts: list[str]) -> None:
    make_fact(user, status="superseded")
    make_fact(user, "Likes tea.", predicate="likes")
    make_fact(user, "Likes jam.", predicate="likes", status="conflicted")

    facts = console.json("list", "--user", "mia", *words)["facts"]

    assert sorted(fact["text"] for fact in facts) == texts


def test_list_without_a_user_means_the_only_one(user: User, console: Console) -> None:
    make_fact(user)

    assert len(console.json("list")["facts"]) == 1


def test_list_takes_no_more_queries_for_many(user: User, console: Console) -> None:
    make_fact(user)
    with CaptureQueriesContext(connection) as few:
        console.json("list", "--user", "mia")
    for n in range(12):
        make_fact(user, f"Likes tea {n}.", predicate="likes")

    with CaptureQueriesContext(connection) as many:
        console.json("list", "--user", "mia")

    assert len(many) == len(few)


def test_list_shows_what_was_said_as_it_is(user: User, console: Console) -> None:
    make_fact(user, "Likes [bold]markup[/bold].")

    assert "Likes [bold]markup[/bold]." in console.text("list", "--user", "mia")


# conflicts, rejected ------------------------------------------------------------------------


def test_conflicts_gives_open_ones(user: User, console: Console) -> None:
    sides = make_fact(user), make_fact(user, "Lives in Bergen.")
    conflict = make_conflict(user, *sides)
    make_conflict(user, make_fact(user, "x", predicate="likes"), settled_by="member")

    found = console.json("conflicts", "--user", "mia")

    assert found == {
        "conflicts": [
            {
                "id": conflict.pk,
                "status": "open",
                "subject": "user",
                "predicate": "lives_in",
                "why": "both are newer",
                "facts": sorted(side.pk for side in sides),
            }
        ]
    }


def test_conflicts_without_a_user_are_everybodys(user: User, console: Console) -> None:
    for one in (user, make_user()):
        make_conflict(one, make_fact(one), make_fact(one, "Lives in Bergen."))

    assert len(console.json("conflicts")["conflicts"]) == 2


def test_rejected_gives_refusals_and_counts(user: User, console: Console) -> None:
    row = make_refusal(user)
    make_refusal(user, reason="secret")

    found = console.json("rejected", "--user", "mia")

    shown = next(candidate for candidate in found["candidates"] if candidate["id"] == row.pk)
    assert shown == {
        "id": row.pk,
        "text": "Maybe I like tea.",
        "reason": "hedged",
        "detail": "maybe",
        "episode": shown["episode"],
    }
    assert found["counts"] == {"hedged": 1, "secret": 1}


# consolidate --------------------------------------------------------------------------------


def test_consolidate_works_and_adds_up(user: User, console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, working.echo())
    make_episode(user, "I live in Oslo.", "Maybe I live in Rome.")

    found = console.json("consolidate", "--user", "mia")

    names = [
        "turns",
        "candidates",
        "accepted",
        "refused",
        "held",
        "relations",
        "open_conflicts",
        "model_calls",
        "tokens_in",
        "tokens_out",
    ]
    assert {name: found[name] for name in names if not name.startswith("tokens")} == {
        "turns": 2,
        "candidates": 2,
        "accepted": 1,
        "refused": {"hedged": 1},
        "held": 0,
        "relations": {"new": 1},
        "open_conflicts": 0,
        "model_calls": 1,
    }
    assert min(found["tokens_in"], found["tokens_out"]) > 0


def test_consolidate_twice_gives_the_same(user: User, console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, working.echo())
    make_episode(user, "I live in Oslo.")

    assert console.json("consolidate") == console.json("consolidate")


def test_consolidate_with_a_failing_model_exits_1(
    user: User, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, ScriptedModel(lambda _: ModelError("The key is refused.", is_final=True)))
    make_episode(user, "I live in Oslo.")

    assert console.code("consolidate") == 1


def test_consolidate_leaves_what_failed_until_told(
    user: User, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, ScriptedModel([ModelError("The key is refused.", is_final=True)]))
    make_episode(user, "I live in Oslo.")
    console.code("consolidate")

    codes = [console.code("consolidate"), console.code("consolidate", "--retry-failed")]

    assert (codes, working.states(user)) == ([1, 0], [("done", "")])


def test_consolidate_does_not_sit_out_an_hour(user: User, console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, ScriptedModel([ModelError("busy", retry_after=3600.0)]))
    make_episode(user, "I live in Oslo.")

    assert console.json("consolidate")["pending_episodes"] == 1


def test_consolidate_of_one_leaves_others_waiting(user: User, console: Console) -> None:
    other = make_user()
    for one in (user, other):
        make_episode(one, "I live in Oslo.")

    console.code("consolidate", "--user", "mia")

    assert (working.states(user), working.states(other)) == ([("done", "")], [("pending", "")])


# remember -----------------------------------------------------------------------------------


def test_remember_makes_the_user_and_says_what_became_of_it(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, None)

    found = console.json("remember", "--user", "new", "I live in Oslo.")

    assert (found["user"], found["state"], [fact["object"] for fact in found["facts"]]) == ("new", "done", ["Oslo"])
    assert sorted(found["facts"][0]) == sorted(FACT)
    with scope.staff():
        assert User.objects.filter(external_id="new").exists()


def test_remember_keeps_what_no_pattern_matches(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, None)

    found = console.json("remember", "The boat is moored at pier nine.")

    assert [(fact["text"], fact["predicate"]) for fact in found["facts"]] == [("The boat is moored at pier nine.", "")]


def test_remember_says_why_it_refused(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, None)

    found = console.json("remember", "My card is 4111 1111 1111 1111.")

    assert found["facts"] == []
    assert {row["reason"] for row in found["refused"]} == {"secret"}


def test_remember_with_a_failing_model_exits_1(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, ScriptedModel(lambda _: ModelError("The key is refused.", is_final=True)))

    assert console.code("remember", "I live in Oslo.") == 1


# all ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["list", "conflicts", "rejected", "consolidate"])
def test_command_for_nobody_known_exits_2(command: str, console: Console) -> None:
    assert console.code(command, "--user", "nobody") == 2


@pytest.mark.parametrize("words", [["list", "--status", "asleep"], ["remember"], ["list", "--who", "mia"]])
def test_command_used_wrongly_exits_2(words: list[str]) -> None:
    with pytest.raises(SystemExit) as end:
        execute_from_command_line(["manage.py", *words])

    assert end.value.code == 2


@pytest.mark.parametrize("command", ["list", "conflicts", "rejected", "consolidate"])
def test_command_about_nothing_says_so_and_exits_0(command: str, user: User, console: Console) -> None:
    assert (console.code(command, "--user", "mia"), console.text(command, "--user", "mia").strip() != "") == (0, True)


def test_everybodys_conflicts_say_whose_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("maya", "jonas"):
        user = make_user(name)
        make_conflict(user, make_fact(user, "Lives in Oslo."), make_fact(user, "Lives in Rome."))

    call_command("conflicts")
    table = capsys.readouterr().out
    call_command("conflicts", "--json")
    found = json.loads(capsys.readouterr().out)["conflicts"]

    assert [row.split()[0] for row in table.splitlines()] == ["whose", "maya", "jonas"]
    assert [row["user"] for row in found] == ["maya", "jonas"]
