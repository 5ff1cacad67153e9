"""Everything that fails under /api/ says so in one way."""

from typing import Any

import pytest
from django.db import Error

from reviewer.api import asking, problems
from tests import factories
from tests.reviewer.api.conftest import Agent

MEMBERS = {"type", "title", "status", "detail"}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("get", "/api/v1/nowhere", 404),
        ("post", "/api/v1/nowhere", 404),
        ("get", "/api/", 404),
        ("get", "/api/v2/users/maya/facts", 404),
        ("get", "/api/v1/", 404),
        ("get", "/api/v1/users/maya/facts/x", 404),
        ("get", "/api/v1/users/%00/facts", 404),
        ("get", "/api/v1/users/a/b/facts", 404),
        ("post", "/api/v1/users/maya/facts", 405),
        ("trace", "/api/v1/users/maya/recall", 405),
        ("get", "/api/v1/users/nobody/facts", 404),
    ],
)
def test_failure_is_a_problem(method: str, path: str, status: int, agent: Agent):
    answer = agent(method, path)

    assert (answer.status, answer.headers["Content-Type"]) == (status, problems.MEDIA_TYPE)
    assert (answer.body.keys(), answer.body["status"]) == (MEMBERS, status)


def test_method_that_is_not_taken_names_those_that_are(agent: Agent):
    factories.make_user("maya")

    answer = agent("put", "maya/facts")

    assert (answer.status, answer.headers["Allow"]) == (405, "GET")


@pytest.mark.parametrize("debug", [True, False])
def test_bug_is_a_problem_without_details_and_logged_without_words(
    agent: Agent, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, settings: Any, *, debug: bool
):
    settings.DEBUG = debug
    factories.make_user("maya")

    def fail() -> Any:
        raise Error("the secret of maya")

    monkeypatch.setattr(asking, "configured", fail)

    answer = agent("post", "maya/recall", {"query": "x"})

    assert (answer.status, answer.body) == (500, problems.document(500))
    assert caplog.records[0].exc_info
    assert "secret" not in str(answer.body)


@pytest.mark.parametrize("path", ["maya/facts", "/api/v1/nowhere", "maya"])
def test_answers_are_kept_nowhere(path: str, agent: Agent):
    factories.make_user("maya")

    assert agent("get", path).headers["Cache-Control"] == "private, no-store"


def test_too_large_a_body_is_refused_before_it_is_read(agent: Agent, settings: Any):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000

    answer = agent("post", "maya/episodes", {"external_id": "x" * 2_000})

    assert (answer.status, answer.body["type"]) == (413, "urn:assay:problem:too-large")


def test_pages_fail_as_pages(agent: Agent):
    assert agent("get", "/nowhere/").headers["Content-Type"] == "text/html; charset=utf-8"
