"""Sending conversations: once, in batches, again, in pieces, too much of it, and while the broker is away."""

from typing import Any

import pytest
import redis
from django.conf import settings

from memory import scope
from memory.models import Episode, Job, Turn, User
from reviewer.celery import app
from tests import factories
from tests.reviewer.api.conftest import Agent, Keyed

PATH = "maya/episodes"


def turn(content: str = "I live in Oslo.", **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, "at": "2026-03-10T12:00:00Z", **more}


def episode(name: str = "e1", *turns: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"external_id": name, "turns": [*turns] or [turn()], **more}


def jobs() -> list[tuple[str, str]]:
    with scope.staff():
        return list(Job.objects.values_list("user__external_id", "state"))


def messages() -> int:
    with redis.Redis.from_url(settings.CELERY_BROKER_URL) as broker:
        return int(broker.llen("assay"))


@pytest.fixture(autouse=True)
def _empty_queue(db: None) -> None:
    with redis.Redis.from_url(settings.CELERY_BROKER_URL) as broker:
        broker.delete("assay")


def test_single_episode_is_stored_and_its_person_made(agent: Agent):
    answer = agent("post", PATH, episode(closed=True))

    with scope.staff():
        stored = Episode.objects.get()
        assert (stored.user.external_id, stored.turns.get().content) == ("maya", "I live in Oslo.")
    assert (answer.status, answer.body) == (
        202,
        {
            "id": stored.pk,
            "external_id": "e1",
            "state": "pending",
            "arrival": "created",
            "turns_added": 1,
            "removed": 0,
            "status": 202,
        },
    )


def test_same_again_is_the_stored_one_and_starts_nothing(agent: Agent):
    first = agent("post", PATH, episode(closed=True))
    before = messages()

    again = agent("post", PATH, episode(closed=True))

    assert (again.status, again.body["id"], again.body["arrival"]) == (200, first.body["id"], "existing")
    assert Turn.objects.count() == 0  # outside of a scope nothing is seen
    with scope.staff():
        assert Turn.objects.count() == 1
    assert before == 1


def test_other_content_under_the_same_id_is_refused(agent: Agent):
    agent("post", PATH, episode(closed=True))

    answer = agent("post", PATH, episode("e1", turn("I live in Rome."), closed=True))

    assert (answer.status, answer.body["type"]) == (409, "urn:assay:problem:conflict")


def test_open_episode_takes_more_turns(agent: Agent):
    agent("post", PATH, episode())

    answer = agent("post", PATH, episode("e1", turn(), turn("I have a dog.")))

    assert (answer.status, answer.body["arrival"], answer.body["turns_added"]) == (202, "appended", 1)


def test_batch_answers_item_by_item(agent: Agent):
    agent("post", PATH, episode(closed=True))
    batch = [episode(), episode("e2"), episode("e1", turn("Other.")), {"external_id": "e3"}, 7]

    answer = agent("post", PATH, {"episodes": batch[:4]})
    broken = agent("post", PATH, {"episodes": batch})

    assert answer.status == 202
    assert [(item["external_id"], item["status"]) for item in answer.body["episodes"]] == [
        ("e1", 200),
        ("e2", 202),
        ("e1", 409),
        ("e3", 422),
    ]
    assert (broken.status, broken.body["detail"]) == (422, "episodes[4]: must be an object, not a number.")


def test_batch_of_known_ones_is_nothing_new(agent: Agent):
    agent("post", PATH, {"episodes": [episode(), episode("e2")]})

    answer = agent("post", PATH, {"episodes": [episode(), episode("e2")]})

    assert (answer.status, [item["status"] for item in answer.body["episodes"]]) == (200, [200, 200])


@pytest.mark.parametrize(
    ("more", "is_due"), [({}, False), ({"closed": True}, True), ({"remember": True}, True), ({"session": "s"}, False)]
)
def test_only_what_is_due_becomes_a_job(more: dict[str, Any], *, is_due: bool, agent: Agent):
    agent("post", PATH, episode("e1", **more))

    assert (jobs(), messages()) == ([("maya", "waiting")] * is_due, int(is_due))


def test_full_backlog_becomes_due(agent: Agent):
    turns = [turn(f"I say {n}.") for n in range(30)]

    agent("post", PATH, episode("e1", *turns[:29]))
    before = jobs()
    agent("post", PATH, episode("e1", *turns))

    assert (before, jobs()) == ([], [("maya", "waiting")])


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (episode("e1", *[turn("x")] * 1_001), 413, "turns: 1001 are over the limit of 1000."),
        (episode("e1", turn("x" * (1 << 20) + "x")), 413, "turns: 1048577 bytes are over the limit of 1048576."),
        ({"episodes": [episode(str(n)) for n in range(101)]}, 413, "episodes: 101 are over the limit of 100."),
        ({"episodes": []}, 422, "episodes: must be a list with at least one episode."),
        ({}, 422, "turns: must be a list with at least one turn"),
        ({"turns": [turn()]}, 422, "external_id: is missing."),
        (episode("e1", {"role": "robot", "content": "x"}), 422, "turns[0].role: must be one of user, assistant"),
        (episode("e1", turn("\u200b\x00")), 422, "turns: none of them says anything."),
        (episode("e\x00"), 422, "external_id: must be without control and invisible characters."),
        (episode("e1", occurred_at="soon"), 422, "occurred_at: must be an ISO 8601 time"),
        (episode("e1", occurred_at=1e300), 422, "occurred_at: looks like milliseconds"),
        (episode("e1", closed="yes"), 422, "closed: must be true or false, not text."),
        ([episode()], 422, "body: must be an object, not a list."),
        (7, 422, "body: must be an object, not a number."),
    ],
)
def test_episode_that_breaks_a_rule_says_which(body: Any, status: int, words: str, agent: Agent):
    answer = agent("post", PATH, body)

    assert (answer.status, answer.body["detail"][: len(words)]) == (status, words)


def test_hidden_characters_are_taken_out_and_counted(agent: Agent):
    body = episode("e1", turn("I live\u200b in \u202eOslo\ud800."))

    answer = agent("post", PATH, body)

    assert (answer.status, answer.body["removed"]) == (202, 3)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"nul",
        b"\xff\xfe\x00",
        b'{"external_id": NaN}',
        b'{"x": -Infinity}',
        b"[" * 50_000,
        b'{"a":' * 10_000,
        b'{"external_id": ' + b"9" * 5_000 + b"}",
        b'"\xed\xa0\x80"',
    ],
)
def test_body_that_is_no_json_is_told_so(content: bytes, agent: Agent):
    answers = [agent.send("post", path, content) for path in (PATH, "maya/recall")]

    assert {answer.status for answer in answers} <= {400, 404, 422}
    assert answers[0].status == 400


def test_broker_away_stores_and_accepts_all_the_same(agent: Agent, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(settings, "CELERY_BROKER_URL", "redis://127.0.0.1:1/0")
    app._after_fork()  # connections that are open already would still lead to the real one

    answer = agent("post", PATH, episode(closed=True))

    monkeypatch.undo()
    app._after_fork()
    assert (answer.status, jobs(), messages()) == (202, [("maya", "waiting")], 0)


def test_state_tells_how_far_it_is_and_why_it_failed(agent: Agent):
    stored = agent("post", PATH, episode(closed=True)).body["id"]

    before = agent("get", f"{PATH}/{stored}").body
    _set(Job, state="running", lease_until="2999-01-01T00:00:00Z")
    running = agent("get", f"{PATH}/{stored}").body
    _set(Job, state="waiting", lease_until=None, error="the endpoint answers 503")
    put_off = agent("get", f"{PATH}/{stored}").body
    _set(Episode, state="failed", error="the reply makes no sense")
    failed = agent("get", f"{PATH}/{stored}").body

    assert [(one["state"], one["why"]) for one in (before, running, put_off, failed)] == [
        ("pending", ""),
        ("running", ""),
        ("pending", "the endpoint answers 503"),
        ("failed", "the reply makes no sense"),
    ]


def test_done_episode_says_so(agent: Agent, learn: Any):
    learn("maya", "I live in Oslo.")
    with scope.staff():
        stored = Episode.objects.get()

    found = agent("get", f"{PATH}/{stored.pk}").body

    assert (found["state"], found["read"], found["turns"]) == ("done", 1, 1)


def test_paused_person_takes_nothing_in(agent: Agent):
    agent("put", "maya", {"paused": True})

    answer = agent("post", PATH, episode())

    assert (answer.status, answer.body["detail"]) == (403, "Memory is paused for this person: nothing was stored.")


def test_key_for_one_person_makes_nobody(keyed: Keyed):
    own = factories.make_user("jonas")

    answer = keyed("ingest", user=own)("post", PATH, episode())

    assert (answer.status, User.objects.filter(external_id="maya").exists()) == (404, False)


def _set(model: Any, **values: Any) -> None:
    with scope.staff():
        model.objects.update(**values)
