"""Erasing and departing at every step of an extraction: nothing is written afterwards."""

import random
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from memory import forgetting, jobs, llm, pipeline, scope
from memory.errors import NotFound
from memory.models import Fact, User
from reviewer import embedded
from tests import databases, isolation
from tests.factories import make_user
from tests.memory.forgetting.living import claim, fact, send, tell
from tests.scripted_model import ScriptedModel

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]

NAME = "zebra-7731"
OTHER = "lion-1234"
TABLES = {model._meta.db_table for model in isolation.content_models()}
ROUNDS = 15
"""Fifteen of each of seven steps and two acts: 210 interleavings."""


class Embedder:
    """Makes vectors of nothing in particular, after a hook."""

    name, dimensions = "hooked", 2

    def __init__(self, hook: Callable[[], None]) -> None:
        self._hook = hook

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> list[list[float]]:  # noqa: ARG002 - the Protocol's
        self._hook()
        return [[1.0, 0.0] for _ in texts]


def _coded(name: str) -> dict[str, Any]:
    return claim(f"My code name is {name}.", predicate="code_name", object=name)


def _user() -> User:
    """Someone with a code name, and an unread conversation that says it again and another one."""
    user = make_user()
    tell(user, f"My code name is {NAME}.", claims=[_coded(NAME)])
    send(user, f"My code name is {NAME}.", f"My code name is {OTHER}.", day=1)
    jobs.request([user.pk])
    return user


def _erase(user: User, pk: int) -> None:
    with scope.user(user.pk):
        forgetting.erase(user.pk, [pk], actor="me")


def _depart(user: User, pk: int) -> None:
    forgetting.depart(user, actor="me")


class Meanwhile:
    """Does an act once, in a thread and with a connection of its own, when the step comes that it waits for."""

    def __init__(self, act: Callable[[], None], step: str) -> None:
        self._act, self._step = act, step
        self.after: dict[str, Any] | None = None
        self._thread: threading.Thread | None = None

    def at(self, step: str, *, wait: bool = True) -> None:
        if step != self._step or self._thread:
            return
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        if wait:
            self._thread.join()

    def _run(self) -> None:
        try:
            self._act()
        finally:
            connection.close()

    def join(self) -> None:
        if self._thread:
            self._thread.join()


def _ask(statement: str) -> list[tuple[Any, ...]]:
    with databases.administration(embedded.ensure(), settings.DATABASES["default"]["NAME"]) as admin:
        return admin.execute(statement).fetchall()


def _rows(user_id: int) -> dict[str, int]:
    """How many rows of the user there are, table by table; what is left of them by right is not counted."""
    counts = " UNION ALL ".join(
        f"SELECT '{table}', count(*) FROM {table} WHERE user_id = {user_id}" for table in TABLES - {"memory_receipt"}
    )
    return {table: count for table, count in _ask(counts) if count}


def _told(user_id: int) -> list[str]:
    """The tables in which the name stands."""
    hits = " UNION ALL ".join(
        f"SELECT '{table}' FROM {table} t WHERE user_id = {user_id} AND t::text LIKE '%{NAME}%'" for table in TABLES
    )
    return sorted(table for (table,) in _ask(hits))


def _process(user: User, meanwhile: Meanwhile, *, pause: float = 0.0) -> None:
    """One run of the user's job, with what happens at each of its steps."""
    first, second = _coded(NAME), _coded(OTHER) | {"evidence": [{"turn": 2, "quote": f"My code name is {OTHER}."}]}

    def reply(call: llm.Call) -> Any:
        meanwhile.at("model" if call.name == "extraction" else "judge")
        meanwhile.at("gate" if call.name == "extraction" else "judged", wait=False)
        if call.name != "extraction":
            return {"relation": "update", "why": f"{NAME} is no longer so"}
        shown = "[1] user" in call.user and NAME in call.user.partition("[1] user")[2]
        return {"candidates": [first, second] if shown else []}

    meanwhile.at("before")
    meanwhile.at("any", wait=False)
    engine = pipeline.Engine(model=ScriptedModel(reply), embedder=Embedder(lambda: meanwhile.at("embedding")))
    pipeline.process(user.pk, engine)
    meanwhile.at("after")
    meanwhile.join()
    pipeline.process(user.pk, engine)


STEPS = ["before", "model", "gate", "judge", "judged", "embedding", "after"]


@pytest.mark.parametrize("act", [_erase, _depart])
@pytest.mark.parametrize("step", STEPS)
def test_nothing_is_written_after_the_act(step: str, act: Callable[[User, int], None]) -> None:
    left: list[Any] = []
    for number in range(ROUNDS):
        user = _user()
        pk = fact(user, NAME).pk
        slow = random.Random(f"{step} {number}").uniform(0, 0.02)

        def do(user: User = user, pk: int = pk, slow: float = slow) -> None:
            threading.Event().wait(slow if step in {"gate", "judged"} else 0)
            act(user, pk)

        _process(user, Meanwhile(do, step))
        left += _told(user.pk) if act is _erase else _rows(user.pk)

    assert left == []


@pytest.mark.parametrize("step", ["model", "judge"])
def test_run_that_was_overtaken_by_an_erasure_writes_not_a_row(step: str) -> None:
    user = _user()
    pk, counts = fact(user, NAME).pk, []

    def act() -> None:
        _erase(user, pk)
        counts.append(_rows(user.pk))

    meanwhile = Meanwhile(act, step)

    def reply(call: llm.Call) -> Any:
        meanwhile.at("model" if call.name == "extraction" else "judge")
        second = _coded(OTHER) | {"evidence": [{"turn": 2, "quote": f"My code name is {OTHER}."}]}
        return {"candidates": [_coded(NAME), second]} if call.name == "extraction" else None

    pipeline.process(user.pk, pipeline.Engine(model=ScriptedModel(reply)))

    assert counts == [_rows(user.pk)]


def test_erasing_waits_for_a_run_that_is_writing() -> None:
    user = _user()
    pk = fact(user, NAME).pk
    with scope.user(user.pk):
        lease = jobs.take(user.pk)
    assert lease is not None
    thread = threading.Thread(target=Meanwhile(lambda: _erase(user, pk), "now")._run)

    with jobs.hold(lease):
        thread.start()
        thread.join(0.3)
        is_waiting = thread.is_alive()
        Fact.objects.update(text=f"Written last: {NAME}")
    thread.join()

    assert (is_waiting, _told(user.pk)) == (True, [])


def test_two_erasures_of_one_fact_at_once_leave_one_receipt() -> None:
    user = _user()
    pk = fact(user, NAME).pk
    outcomes: list[str] = []

    def act() -> None:
        try:
            _erase(user, pk)
            outcomes.append("erased")
        except NotFound:
            outcomes.append("not found")

    threads = [threading.Thread(target=Meanwhile(act, "now")._run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(outcomes) == ["erased", "not found"]
    assert _ask(f"SELECT count(*) FROM memory_receipt WHERE user_id = {user.pk}") == [(1,)]


@pytest.mark.parametrize("number", range(10))
def test_erasing_at_any_moment_leaves_nothing(number: int) -> None:
    user = _user()
    pk = fact(user, NAME).pk
    wait = random.Random(number).uniform(0, 0.1)

    def act() -> None:
        threading.Event().wait(wait)
        _erase(user, pk)

    _process(user, Meanwhile(act, "any"))

    assert _told(user.pk) == []
