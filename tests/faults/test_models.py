"""B19, B20: what a model's endpoint does wrong, over HTTP, and replies that are more than one word of a closed set."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from django.utils import timezone

from memory import llm, scope
from memory.models import Episode, Job
from memory.types import Role
from tests.faults.telling import Person
from tests.scripted_model import ScriptedModel, candidate
from tests.scripted_server import Answer, Received, ScriptedServer

pytestmark = pytest.mark.django_db

FOUND = {"candidates": [candidate("I live in Oslo")]}
GOOD = json.dumps(FOUND)


@contextmanager
def _person(reply: Any) -> Iterator[tuple[Person, ScriptedServer]]:
    """Someone whose model is behind a server that says this."""
    with ScriptedServer(reply) as server:
        settings = llm.Settings("k", server.url, "tiny", deadline=0.5)
        with closing(llm.Endpoint(settings)) as model:
            yield Person(model=model), server


def _tries_again(person: Person) -> None:
    with scope.user(person.user.pk):
        Job.objects.update(run_after=timezone.now())
    person.works()


# B19: broken output --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Sure! Here is what I found:\n\n```\n{GOOD}\n```\nLet me know if you need more.",
        f"Claro, aquí está: {GOOD} ¡Listo!",
        f"\n\n  {GOOD}  \n",
        f"\ufeff{GOOD}",
        f"<think>The user lives in Oslo {{maybe}}.</think>{GOOD}",
    ],
)
def test_good_reply_in_any_wrapping_is_read(content: str) -> None:
    with _person([content]) as (person, _):
        person.says("I live in Oslo")

        assert person.live == ["lives_in=Oslo"]


def test_lone_surrogate_in_a_reply_is_no_crash() -> None:
    reply = '{"candidates": [{"text": "\\ud83d", "subject": "user", "predicate": "likes", "object": "\\ud83d", "evidence": []}]}'
    with _person([reply]) as (person, _):
        person.says("I live in Oslo")

        assert (person.facts, _episode(person).state) == ([], "done")


@pytest.mark.parametrize(
    "answer",
    [
        GOOD[:40],
        "",
        "null",
        "I could not find anything.",
        '{"candidates": "none"}',
        "[]",
        Answer("{", finish_reason="length"),
        Answer(status=429),
        Answer(status=500),
        Answer(status=503, headers={"Retry-After": "1"}),
        Answer(body=b"<html>502 Bad Gateway</html>", status=502),
        Answer(stream=iter([b"{", b" "]), pause=2.0),
        Answer(body=b""),
    ],
)
def test_broken_reply_is_tried_again_and_then_read(answer: Any) -> None:
    with _person([answer, GOOD]) as (person, _):
        person.says("I live in Oslo")
        state = _episode(person).state

        _tries_again(person)

        assert (state, person.live) == ("pending", ["lives_in=Oslo"])


@pytest.mark.parametrize("answer", ["", "null", GOOD[:40], Answer(status=500), Answer(status=429)])
def test_endless_failure_is_shown_and_never_silently_nothing(answer: Any) -> None:
    with _person(lambda _: answer) as (person, server):
        person.says("I live in Oslo")
        for _ in range(8):
            _tries_again(person)

        episode = _episode(person)
        assert (person.facts, episode.state, bool(episode.error)) == ([], "failed", True)
        assert len(server.chats) <= 6


@pytest.mark.parametrize("empty", [{"candidates": []}, '{"candidates": []}', '```json\n{"candidates": []}\n```'])
def test_empty_extraction_is_an_answer(empty: Any) -> None:
    with _person([empty]) as (person, server):
        person.says("Hello")

        assert (person.facts, _episode(person).state, len(server.chats)) == ([], "done", 1)


@pytest.mark.parametrize(
    "broken",
    [
        {"text": "Lives in Oslo"},
        {"text": None, "subject": "user", "predicate": "lives_in", "object": "Oslo"},
        {"text": 7, "subject": "user", "predicate": "lives_in", "object": "Oslo"},
        {"text": "Lives in Oslo", "subject": "user", "predicate": "lives_in", "object": ["Oslo"]},
        {"text": "Lives in Oslo", "subject": "user", "predicate": "lives_in", "object": "Oslo", "kind": "mood"},
        "Lives in Oslo",
        None,
    ],
)
def test_one_broken_candidate_is_refused_and_the_others_are_read(broken: Any) -> None:
    with _person([{"candidates": [broken, candidate("I live in Oslo")]}]) as (person, _):
        person.says("I live in Oslo")

        assert (person.live, person.refused) == (["lives_in=Oslo"], ["malformed"])


def _episode(person: Person) -> Episode:
    with scope.user(person.user.pk):
        return Episode.objects.get()


# B20: a reply read by its letters ------------------------------------------------------------


@pytest.mark.parametrize("relation", ["Norway", "None", "November", "no", "duplicated", "not a duplicate", "", 7])
def test_answer_outside_the_closed_set_decides_nothing(relation: Any) -> None:
    person = _judged(relation)

    assert person.live == ["visits_often=Norway", "visits_often=Norway in winter"]


@pytest.mark.parametrize(("relation", "live"), [("compatible", 2), ("duplicate", 1), ("conflict", 2), ("update", 1)])
def test_answer_of_the_closed_set_decides(relation: str, live: int) -> None:
    person = _judged(relation)

    assert len(person.live) == live


def _judged(relation: Any) -> Person:
    """Two claims that no rule decides, and a judge who says this."""
    person = Person(model=ScriptedModel(_Judge(relation)))
    person.says("My hideout is Norway")
    person.says("My hideout is Norway in winter", day=30)
    for _ in range(8):
        _tries_again(person)
    return person


class _Judge:
    def __init__(self, relation: Any) -> None:
        self.relation = relation

    def __call__(self, call: llm.Call) -> Any:
        if call.name == "judgement":
            return {"relation": self.relation, "why": "so it is"}
        said = call.user.rpartition(f"{Role.USER} ")[2].partition(": ")[2].strip()
        return {"candidates": [candidate(said, predicate="visits_often", object=said.removeprefix("My hideout is "))]}


def test_reply_that_comes_over_http_names_its_call() -> None:
    names: list[str] = []

    def reply(received: Received) -> Any:
        names.append(received.name)

    with _person(reply) as (person, _):
        person.says("I live in Oslo")

    assert names == ["extraction"]
