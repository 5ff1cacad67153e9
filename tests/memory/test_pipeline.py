"""From due episodes to facts, whatever the model, the worker and the user do meanwhile."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.forms.models import model_to_dict
from django.test.utils import CaptureQueriesContext

from memory import extraction, incoming, ingest, jobs, llm, pipeline, scope
from memory.errors import ModelError
from memory.models import (
    Candidate,
    ConflictSide,
    Entity,
    Episode,
    Evidence,
    Fact,
    JudgedPair,
    ModelCall,
    Resolution,
    Turn,
    User,
)
from tests import working
from tests.factories import WHEN, make_episode, make_fact, make_user
from tests.scripted_model import ScriptedModel, candidate

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    return make_user()


def store(user: User, *contents: str, name: str = "chat", **fields: Any) -> None:
    turns = [{"role": "user", "content": content} for content in contents]
    raw = {"external_id": name, "occurred_at": WHEN.isoformat(), "turns": turns} | fields
    ingest.store(user, incoming.prepare(raw))


def process(user: User, model: llm.Model | None = None) -> bool:
    jobs.request([user.pk])
    return pipeline.process(user.pk, pipeline.Engine(model=model))


def content(user: User) -> dict[str, list[dict[str, Any]]]:
    """Every row that was learnt, but for its own ids and times."""
    models = (Entity, Episode, Turn, Candidate, Evidence, Fact, Resolution, ConflictSide, JudgedPair)
    with scope.user(user.pk):
        return {model.__name__: [_row(row) for row in model._default_manager.order_by("pk")] for model in models}


def _row(row: Any) -> dict[str, Any]:
    return {name: value for name, value in model_to_dict(row).items() if name not in ("id", "due_at", "call")}


def failing(*errors: ModelError | None) -> ScriptedModel:
    """Fails as told, call by call, and then works."""
    left: Iterator[ModelError | None] = iter(errors)

    def reply(call: llm.Call) -> Any:
        return next(left, None) or {"candidates": working.echoed(call.user)}

    return ScriptedModel(reply)


# Learning -----------------------------------------------------------------------------------


def test_episode_read_by_a_model_becomes_facts(user: User) -> None:
    make_episode(user, "I live in Oslo.")

    working.work(user, working.echo())

    assert working.facts(user) == [("I live in Oslo.", "active")]
    assert working.states(user) == [("done", "")]


def test_episode_without_a_model_is_read_by_patterns(user: User) -> None:
    make_episode(user, "I live in Oslo.")

    working.work(user)

    with scope.user(user.pk):
        assert Fact.objects.values_list("object", "status").get() == ("Oslo", "active")


def test_model_sees_the_known_facts(user: User) -> None:
    make_episode(user, "I live in Oslo.")
    model = working.echo()
    working.work(user, model)
    make_episode(user, "Hello.", occurred_at=WHEN + timedelta(days=1))

    working.work(user, model)

    assert "#1 I live in Oslo." in model.calls[-1].user.splitlines()


def test_calls_are_recorded_with_their_cost(user: User) -> None:
    make_episode(user, "I live in Oslo.")

    working.work(user, working.echo())

    with scope.user(user.pk):
        call = ModelCall.objects.get()
    assert (call.name, call.model, call.error) == ("extraction", "scripted", "")
    assert call.tokens_in > 0


def test_failed_calls_are_recorded_too(user: User) -> None:
    make_episode(user, "I live in Oslo.")

    working.work(user, failing(ModelError("HTTP 500")))

    with scope.user(user.pk):
        assert ModelCall.objects.values_list("name", "model", "error").get() == ("extraction", "scripted", "HTTP 500")


# Once, however often ------------------------------------------------------------------------


def test_same_episode_twice_gives_the_same_rows(user: User) -> None:
    model = working.echo()
    store(user, "I live in Oslo.", "I work at Acme.", closed=True)
    working.work(user, model)
    once = content(user)

    store(user, "I live in Oslo.", "I work at Acme.", closed=True)
    working.work(user, model)

    assert content(user) == once


def test_worker_killed_before_it_wrote_leaves_what_one_run_leaves(user: User) -> None:
    other = make_user()
    for one in (user, other):
        store(one, "I live in Oslo.", closed=True)
    working.take(user)
    working.die(user)

    for one in (user, other):
        working.work(one, working.echo())

    assert working.facts(user) == working.facts(other)
    assert working.candidates(user) == working.candidates(other)


def test_late_worker_writes_nothing(user: User) -> None:
    make_episode(user, "I live in Oslo.")

    def slow(call: llm.Call) -> Any:
        working.die(user)
        working.work(user, working.echo())
        return {"candidates": working.echoed(call.user)}

    working.work(user, ScriptedModel(slow))

    assert working.candidates(user) == [("I live in Oslo.", "accepted")]


def test_user_forgotten_while_their_job_runs_is_gone(user: User) -> None:
    make_episode(user, "I live in Oslo.")

    def forget(call: llm.Call) -> Any:
        with scope.staff():
            User.objects.filter(pk=user.pk).delete()
        return {"candidates": working.echoed(call.user)}

    assert process(user, ScriptedModel(forget))

    with scope.staff():
        assert not Candidate.objects.exists()


def test_job_that_runs_already_is_left_alone(user: User) -> None:
    make_episode(user, "I live in Oslo.")
    working.take(user)
    model = working.echo()

    assert not pipeline.process(user.pk, pipeline.Engine(model=model))

    assert model.calls == []


# Windows ------------------------------------------------------------------------------------


@pytest.fixture
def _small_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows of so few characters that a turn of five sentences needs three."""
    real = extraction.window
    monkeypatch.setattr(extraction, "window", lambda due, **_: real(due, max_chars=120))


LONG = "I live in Oslo. I work at Acme. I play the cello. I drive a Volvo. I own a boat."


def sentences(call: llm.Call) -> Any:
    """One claim for each sentence that begins here."""
    found = []
    for line in call.user.splitlines():
        head, _, said = line.partition(": ")
        if head.startswith("["):
            turn = int(head[1 : head.index("]")])
            parts = [f"{part.strip(' .')}." for part in said.split(". ") if part.strip(" .")]
            found += [candidate(p, predicate=p.split()[1], evidence=[{"turn": turn, "quote": p[:-1]}]) for p in parts]
    return {"candidates": found}


@pytest.mark.usefixtures("_small_windows")
def test_turn_longer_than_a_window_is_read_once(user: User) -> None:
    make_episode(user, LONG)

    working.work(user, ScriptedModel(sentences))

    assert [text for text, _ in working.candidates(user)] == [f"{s.strip('.')}." for s in LONG.split(". ")]
    assert working.states(user) == [("done", "")]


@pytest.mark.usefixtures("_small_windows")
def test_turn_longer_than_a_window_is_read_once_through_a_crash(user: User) -> None:
    make_episode(user, LONG)
    model = ScriptedModel(lambda call: _die_at(user, call, place=len(model.calls)))

    working.work_through_waits(user, model, runs=2)

    assert [text for text, _ in working.candidates(user)] == [f"{s.strip('.')}." for s in LONG.split(". ")]


def _die_at(user: User, call: llm.Call, *, place: int) -> Any:
    if place == 2:
        working.die(user)
        with scope.user(user.pk):
            jobs.take(user.pk)  # and dies too
        working.die(user)
    return sentences(call)


@pytest.mark.usefixtures("_small_windows")
def test_failure_in_the_middle_keeps_what_was_read(user: User) -> None:
    make_episode(user, LONG)
    model = ScriptedModel(
        lambda call: (
            ModelError("no sense", is_final=True, is_about_reply=True) if len(model.calls) == 2 else sentences(call)
        )
    )

    working.work(user, model)
    assert working.states(user) == [("failed", "no sense")]
    jobs.retry_failed()
    working.work(user, model)

    assert [text for text, _ in working.candidates(user)] == [f"{s.strip('.')}." for s in LONG.split(". ")]


def test_answer_that_is_appended_later_has_its_question_in_view(user: User) -> None:
    question = {"role": "assistant", "content": "Do you live in Oslo?"}
    turns = [{"role": "user", "content": "Hello."}, question]
    raw = {"external_id": "chat", "remember": True, "turns": turns}
    ingest.store(user, incoming.prepare(raw))
    model = ScriptedModel()
    working.work(user, model)

    ingest.store(user, incoming.prepare(raw | {"closed": True, "turns": [*turns, {"role": "user", "content": "Yes."}]}))
    working.work(user, model)

    lines = [line.partition(": ")[2] for line in model.calls[-1].user.splitlines() if line.startswith("[")]
    assert lines == ["Do you live in Oslo?", "Yes."]


def test_claims_from_a_question_read_before_are_not_taken_twice(user: User) -> None:
    turns = [{"role": "assistant", "content": "Do you live in Oslo?"}]
    raw = {"external_id": "chat", "remember": True, "turns": turns}
    ingest.store(user, incoming.prepare(raw))
    claim = candidate("The user lives in Oslo", evidence=[{"turn": 1, "quote": "live in Oslo"}])
    model = ScriptedModel(lambda _: {"candidates": [claim]})
    working.work(user, model)
    once = working.candidates(user)

    ingest.store(user, incoming.prepare(raw | {"closed": True, "turns": [*turns, {"role": "user", "content": "Who?"}]}))
    working.work(user, model)

    assert working.candidates(user) == once


# Failures -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error",
    [
        ModelError("HTTP 429", retry_after=0.1),
        ModelError("HTTP 500"),
        ModelError("did not answer within the deadline"),
        ModelError("no JSON", is_about_reply=True),
    ],
    ids=str,
)
def test_passing_failure_loses_nothing(user: User, error: ModelError) -> None:
    make_episode(user, "I live in Oslo.")
    model = failing(error, error)

    working.work_through_waits(user, model, runs=3)

    assert working.facts(user) == [("I live in Oslo.", "active")]
    assert working.states(user) == [("done", "")]


def test_lasting_failure_is_visible_after_six_tries_and_can_be_run_again(user: User) -> None:
    make_episode(user, "I live in Oslo.")
    model = failing(*[ModelError("HTTP 500")] * 6)

    working.work_through_waits(user, model, runs=9)

    assert (working.states(user), len(model.calls)) == ([("failed", "HTTP 500")], 6)

    jobs.retry_failed()
    working.work(user, model)
    assert working.facts(user) == [("I live in Oslo.", "active")]


def test_senseless_reply_fails_only_its_episodes(user: User) -> None:
    make_episode(user, "I live in Oslo.", session="a")
    make_episode(user, "I work at Acme.", session="b", occurred_at=WHEN + timedelta(days=1))
    senseless = ModelError("no JSON", is_about_reply=True, is_final=True)
    model = ScriptedModel(
        lambda call: (
            senseless if "Oslo" in call.user else {"candidates": working.echoed(call.user, predicate="works_at")}
        )
    )

    working.work(user, model)

    assert working.states(user) == [("failed", "no JSON"), ("done", "")]
    assert working.facts(user) == [("I work at Acme.", "active")]


@pytest.mark.parametrize("reply", ["", "null", "[]", "{", '{"candidates": [{"text": "\\ud83d"', "I cannot do that."])
def test_garbled_reply_is_never_taken_for_nothing_to_learn(user: User, reply: str) -> None:
    make_episode(user, "I live in Oslo.")

    process(user, ScriptedModel([reply]))

    assert working.states(user) == [("pending", "")]
    assert working.job(user).error != ""


# Judging ------------------------------------------------------------------------------------


def unlike(judgement: Any) -> ScriptedModel:
    """A model that proposes claims of which only a judge can say what they are to each other."""
    return working.answering(lambda call: {"candidates": working.echoed(call.user, predicate="gadget")}, judgement)


def say_two(user: User) -> None:
    make_episode(user, "My gadget is a Fairphone.")
    make_episode(user, "My gadget is a Pixel.", occurred_at=WHEN + timedelta(days=9))


def test_judge_is_asked_about_what_the_rules_leave_open(user: User) -> None:
    say_two(user)

    working.work(user, unlike({"relation": "update", "why": "a newer one"}))

    with scope.user(user.pk):
        assert list(JudgedPair.objects.values_list("answer", "why")) == [("update", "a newer one")]
    assert [status for _, status in working.facts(user)] == ["superseded", "active"]


def test_judge_that_makes_no_sense_blocks_neither_episodes_nor_the_job(user: User) -> None:
    say_two(user)
    working.work_through_waits(user, unlike("Norway"), runs=7)
    make_episode(user, "My gadget is a Nokia.", occurred_at=WHEN + timedelta(days=19))

    working.work(user, working.echo(predicate="gadget"))

    assert working.states(user) == [("done", "")] * 3
    with scope.user(user.pk):
        assert JudgedPair.objects.given_up().count() >= 1


# Many at once -------------------------------------------------------------------------------


def test_episodes_without_a_model_are_believed_together(user: User) -> None:
    for n in range(12):
        make_episode(user, "I live in Oslo.", occurred_at=WHEN + timedelta(days=n))
    jobs.request([user.pk])

    with CaptureQueriesContext(connection) as queries:
        pipeline.process(user.pk, pipeline.Engine())

    folds = [query for query in queries.captured_queries if "INSERT INTO memory_resolution" in query["sql"]]
    assert (len(folds), working.states(user)) == (1, [("done", "")] * 12)


def test_episodes_that_cost_a_worker_are_read_one_by_one(user: User) -> None:
    for n in range(3):
        make_episode(user, "I live in Oslo.", occurred_at=WHEN + timedelta(days=n))
    working.take(user)
    working.die(user)

    with CaptureQueriesContext(connection) as queries:
        working.work(user)

    folds = [query for query in queries.captured_queries if "INSERT INTO memory_resolution" in query["sql"]]
    assert (len(folds), working.states(user)) == (3, [("done", "")] * 3)


def test_long_run_makes_way_and_goes_on_in_its_turn(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "RUN_SECONDS", 0.0)
    for n in range(2):
        make_episode(user, "I live in Oslo.", session=str(n), occurred_at=WHEN + timedelta(days=n))
    model = working.echo()

    process(user, model)
    assert (working.states(user), jobs.due()) == ([("done", ""), ("pending", "")], [user.pk])
    process(user, model)

    assert (working.states(user), len(model.calls)) == ([("done", "")] * 2, 2)


@pytest.mark.parametrize("model", [None, working.echo(predicate="owns")], ids=["patterns", "model"])
def test_episode_costs_the_same_statements_however_much_is_known(user: User, model: llm.Model | None) -> None:
    def cost(n: int) -> int:
        make_episode(user, f"I own boat number {n}.", occurred_at=WHEN + timedelta(minutes=n))
        jobs.request([user.pk])
        with CaptureQueriesContext(connection) as queries:
            pipeline.process(user.pk, pipeline.Engine(model=model))
        return len(queries)

    cost(0)
    few = cost(1)
    told = make_episode(user, "All of it.", state="done")
    for n in range(2, 40):
        make_fact(user, f"Knows thing {n}.", episode=told, predicate="knows", object_key=f"thing {n}")

    assert cost(40) == few
    assert few <= 25
