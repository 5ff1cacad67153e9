"""Retry-After in every form that endpoints send it in."""

from collections.abc import Mapping

import pytest

from memory import llm
from memory.errors import ModelError
from memory.llm import failures
from tests.memory.llm.conftest import Connect
from tests.memory.llm.test_endpoint import CALL
from tests.scripted_server import Answer, ScriptedServer

NOW = "Sun, 10 Mar 2024 12:00:00 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 7 "}, 7.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "Sun, 10 Mar 2024 12:00:30 GMT", "date": NOW}, 30.0),
        ({"retry-after": "Sun, 10 Mar 2024 11:00:00 GMT", "date": NOW}, 0.0),
        ({"retry-after": "Sun, 10 Mar 2024 14:00:30 +0200", "date": NOW}, 30.0),
        ({"retry-after": "Fri, 31 Dec 9999 23:59:59 GMT"}, failures.MAX_WAIT),
        ({"retry-after": "99999999999"}, failures.MAX_WAIT),
        ({"retry-after": "1e999"}, failures.MAX_WAIT),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "a while"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Sun, 99 Foo 2024 12:00:30 GMT"}, None),
        ({}, None),
    ],
)
def test_retry_after_header_in_any_form_is_seconds_or_nothing(
    headers: Mapping[str, str], seconds: float | None
) -> None:
    assert failures.retry_after(headers) == seconds


def test_retry_after_date_without_a_date_header_is_measured_by_our_clock() -> None:
    assert failures.retry_after({"retry-after": "Sun, 10 Mar 2024 12:00:30 GMT"}) == 0.0


@pytest.mark.parametrize("status", [429, 503])
def test_complete_asked_to_wait_says_how_long(endpoint: Connect, status: int) -> None:
    answer = Answer(status=status, headers={"Retry-After": "12.5"})

    with ScriptedServer([answer]) as server, pytest.raises(ModelError) as caught:
        endpoint(server).complete(CALL)

    assert caught.value.retry_after == 12.5


def test_complete_limit_without_a_wait_leaves_it_to_the_caller(endpoint: Connect) -> None:
    with ScriptedServer([Answer(status=429)]) as server, pytest.raises(ModelError) as caught:
        endpoint(server).complete(CALL)

    assert caught.value.retry_after is None


def test_complete_wait_then_answer_is_answered_on_the_second_try(endpoint: Connect) -> None:
    with ScriptedServer([Answer(status=429, headers={"Retry-After": "0"}), {"relation": "update"}]) as server:
        client: llm.Model = endpoint(server)
        with pytest.raises(ModelError):
            client.complete(CALL)
        reply = client.complete(CALL)

    assert reply.data.relation == "update"
