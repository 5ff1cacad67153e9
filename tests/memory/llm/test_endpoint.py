"""The real client against a real server that misbehaves in every known way."""

import itertools
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from memory import llm
from memory.errors import ModelError
from tests.memory.llm.conftest import Connect
from tests.scripted_server import Answer, ScriptedServer


class Verdict(BaseModel):
    model_config = ConfigDict(strict=True)

    relation: str
    why: str = ""


GOOD = {"relation": "update", "why": "newer"}
type Failure = Callable[..., ModelError]
CALL = llm.Call(name="judgement", system="be fair", user="two claims", schema=Verdict, prompt_version="judgement-9")


@pytest.fixture
def failure(endpoint: Connect) -> Failure:
    """The error that an answer of the server leads to."""

    def provoke(answer: Any, **settings: Any) -> ModelError:
        with ScriptedServer([answer]) as server, pytest.raises(ModelError) as caught:
            endpoint(server, **settings).complete(CALL)
        return caught.value

    return provoke


def test_complete_good_answer_is_reported_with_tokens_model_and_version(endpoint: Connect) -> None:
    with ScriptedServer([GOOD]) as server:
        reply = endpoint(server).complete(CALL)

    assert reply.data == Verdict(relation="update", why="newer")
    assert (reply.tokens_in, reply.tokens_out, reply.model, reply.prompt_version) == (11, 7, "tiny", "judgement-9")
    assert json.loads(reply.raw_text) == GOOD
    assert reply.latency_ms >= 0


def test_complete_request_follows_the_wire_format(endpoint: Connect) -> None:
    with ScriptedServer([GOOD]) as server:
        endpoint(server).complete(CALL)

    sent = server.requests[0]
    assert sent.path == "/v1/chat/completions"
    assert sent.headers["authorization"] == "Bearer k-1"
    assert sent.body == {
        "model": "tiny",
        "temperature": 0,
        "messages": [{"role": "system", "content": "be fair"}, {"role": "user", "content": "two claims"}],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "judgement", "strict": True, "schema": Verdict.model_json_schema()},
        },
    }


def test_complete_temperature_refused_is_left_out_from_then_on(endpoint: Connect) -> None:
    refusal = Answer(
        status=400, body=b'{"error": {"message": "Unsupported value: temperature", "param": "temperature"}}'
    )
    with ScriptedServer([refusal, GOOD, GOOD]) as server:
        client = endpoint(server)
        first, second = client.complete(CALL), client.complete(CALL)

    assert [("temperature" in r.body) for r in server.requests] == [True, False, False]
    assert first.data == second.data == Verdict(**GOOD)
    assert all("response_format" in r.body for r in server.requests)


def test_complete_request_refused_with_and_without_temperature_is_final_and_changes_nothing(endpoint: Connect) -> None:
    refusal = Answer(status=400, body=b'{"error": {"message": "temperature?"}}')
    with ScriptedServer([refusal, refusal, GOOD]) as server:
        client = endpoint(server)
        with pytest.raises(ModelError) as caught:
            client.complete(CALL)
        client.complete(CALL)

    assert caught.value.is_final
    assert [("temperature" in r.body) for r in server.requests] == [True, False, True]


BOUNDED = {
    "properties": {
        "relation": {"title": "Relation", "type": "string", "maxLength": 300},
        "why": {"default": "", "title": "Why", "type": "string", "maxLength": 300},
    },
    "required": ["relation"],
    "title": "Verdict",
    "type": "object",
}


@pytest.mark.parametrize("status", [400, 422, 500])
def test_complete_named_schema_refused_is_asked_for_as_an_object_from_then_on(endpoint: Connect, status: int) -> None:
    refusal = Answer(status=status, body=b'{"error": {"message": "response_format.type: should be json_object"}}')
    with ScriptedServer([refusal, GOOD, GOOD]) as server:
        client = endpoint(server)
        first, second = client.complete(CALL), client.complete(CALL)

    formats = [request.body["response_format"] for request in server.requests]
    assert [asked["type"] for asked in formats] == ["json_schema", "json_object", "json_object"]
    assert formats[1] == {"type": "json_object", "schema": BOUNDED}
    assert first.data == second.data == Verdict(**GOOD)


@pytest.mark.parametrize(
    "content",
    [
        '{"relation": "update", "why": "newer"}',
        '```json\n{"relation": "update", "why": "newer"}\n```',
        '```\n{"relation": "update", "why": "newer"}\n```',
        'Sure! Here it is:\n\n{"relation": "update", "why": "newer"}\n\nHope this {helps}!',
        'In {curly} words: {"relation": "update", "why": "newer"}',
        '<think>{"relation": "conflict"}? No.</think>{"relation": "update", "why": "newer"}',
        '\ufeff {"relation": "update", "why": "newer", "extra": [1, 2]}',
    ],
)
def test_complete_wrapped_json_is_read(endpoint: Connect, content: str) -> None:
    with ScriptedServer([content]) as server:
        reply = endpoint(server).complete(CALL)

    assert reply.data == Verdict(relation="update", why="newer")


@pytest.mark.parametrize(
    "why", [r"lone \ud83d surrogate", r"lone \udc00 other", r"NUL \u0000 inside", "a raw\nline break"]
)
def test_complete_odd_characters_give_a_storable_reply(endpoint: Connect, why: str) -> None:
    with ScriptedServer(['{"relation": "update", "why": "' + why + '"}']) as server:
        reply = endpoint(server).complete(CALL)

    assert reply.data.relation == "update"
    assert reply.raw_text.encode().count(b"\0") == 0


def test_complete_surrogate_in_the_outer_json_gives_a_storable_reply(endpoint: Connect) -> None:
    body = json.dumps({"choices": [{"message": {"content": '{"relation": "update", "why": "\ud83d"}'}}]}).encode()
    with ScriptedServer([Answer(body=body)]) as server:
        reply = endpoint(server).complete(CALL)

    assert json.loads(reply.raw_text) == {"relation": "update", "why": ""}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "  \n",
        "null",
        "42",
        "[]",
        '"update"',
        "{}",
        "I cannot help with that.",
        '{"relation": null}',
        '{"relation": 7}',
        '{"relation": ["update"]}',
        '{"relation": "upd',
        '{"relation": "update", "why": "cut',
        "{" * 100_000,
        '{"a":' * 50_000,
        "[" * 100_000,
        '{"relation": NaN}',
        '{"relation": ' + "9" * 10_000 + "}",
    ],
)
def test_complete_content_that_is_no_answer_is_an_error_worth_another_try(failure: Failure, content: str) -> None:
    error = failure(content)

    assert not error.is_final
    assert error.retry_after is None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"<html>502</html>",
        b'{"choices": []}',
        b'{"choices": null}',
        b'{"choices": [null]}',
        b'{"choices": [{"message": null}]}',
        b'{"choices": [{"message": {"content": null, "refusal": "no"}}]}',
        b'{"choices": [{"message": {"content": 5}}]}',
        b'{"choices": [{"message": {"content": ["a"]}}]}',
        b'{"choices": [{"mess',
        b"\xff\xfe\x00",
        b"[" * 200_000,
    ],
)
def test_complete_body_that_is_no_completion_is_an_error_worth_another_try(failure: Failure, body: bytes) -> None:
    error = failure(Answer(body=body))

    assert not error.is_final


def test_complete_answer_out_of_tokens_is_an_error_even_if_it_parses(failure: Failure) -> None:
    error = failure(Answer(GOOD, finish_reason="length"))

    assert "cut off" in str(error)
    assert not error.is_final


@pytest.mark.parametrize(
    "usage", [None, {}, [], "many", {"prompt_tokens": "x", "completion_tokens": -4}, {"prompt_tokens": 1e99}]
)
def test_complete_usage_missing_or_wrong_counts_as_nothing(endpoint: Connect, usage: Any) -> None:
    with ScriptedServer([Answer(GOOD, usage=usage)]) as server:
        reply = endpoint(server).complete(CALL)

    assert (reply.tokens_in, reply.tokens_out) == (0, 0)


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_complete_passing_failure_is_not_final_and_tried_once(endpoint: Connect, status: int) -> None:
    with ScriptedServer([Answer(status=status)] * 3) as server, pytest.raises(ModelError) as caught:
        endpoint(server).complete(CALL)

    assert not caught.value.is_final
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (400, "ASSAY_MODEL"),
        (401, "OPENAI_API_KEY"),
        (403, "OPENAI_API_KEY"),
        (404, "OPENAI_BASE_URL"),
        (413, "too long"),
        (422, "structured output"),
        (302, "OPENAI_BASE_URL"),
    ],
)
def test_complete_lasting_failure_is_final_and_says_what_to_set(failure: Failure, status: int, advice: str) -> None:
    error = failure(Answer(status=status, headers={"Location": "http://127.0.0.1:1/"}))

    assert error.is_final
    assert advice in str(error)
    assert f"HTTP {status}" in str(error)


def test_complete_redirect_is_not_followed(endpoint: Connect) -> None:
    with (
        ScriptedServer([GOOD]) as other,
        ScriptedServer([Answer(status=307, headers={"Location": other.url})]) as server,
        pytest.raises(ModelError),
    ):
        endpoint(server).complete(CALL)

    assert other.requests == []


def test_complete_proxy_of_the_environment_is_not_asked(endpoint: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with ScriptedServer([GOOD]) as server:
        reply = endpoint(server).complete(CALL)

    assert reply.data.relation == "update"


def test_complete_error_text_of_the_endpoint_is_not_repeated(failure: Failure) -> None:
    body = b'{"error": {"message": "bad key k-1 for prompt zebra-7731", "code": "Zebra 7731", "type": "x"}}'

    error = failure(Answer(status=401, body=body))

    assert "zebra" not in str(error).lower()
    assert "k-1" not in str(error)
    assert error.__cause__ is None
    assert error.__suppress_context__


def test_complete_nobody_listening_is_an_error_worth_another_try(endpoint: Connect) -> None:
    with pytest.raises(ModelError) as caught:
        endpoint("http://127.0.0.1:1/v1").complete(CALL)

    assert not caught.value.is_final


def test_complete_connection_dropped_in_the_body_is_an_error_worth_another_try(failure: Failure) -> None:
    error = failure(Answer(stream=[b'{"choices"'], headers={"Content-Length": "500"}))

    assert not error.is_final


ENDLESS = [
    Answer(stream=itertools.repeat(b" "), pause=0.02),
    Answer(stream=itertools.repeat(b"x: 1\r\n"), pause=0.02, is_raw=True),
    Answer(stream=itertools.chain([b"HTTP/1.1 200 OK\r\n"], itertools.repeat(b"a")), pause=0.02, is_raw=True),
    Answer(stream=itertools.repeat(b"HTTP/1.1 102 Processing\r\n\r\n"), pause=0.02, is_raw=True),
    Answer(stream=itertools.chain([b"{"], itertools.repeat(b"")), pause=0.02),
    Answer(status=500, stream=itertools.repeat(b"e"), pause=0.02),
]


@pytest.mark.parametrize(
    "answer", ENDLESS, ids=["body", "no-status", "header", "informational", "silence", "error-body"]
)
def test_complete_answer_without_an_end_stops_at_the_deadline(failure: Failure, answer: Answer) -> None:
    started = time.monotonic()

    error = failure(answer, deadline=0.4)

    assert time.monotonic() - started < 10
    assert not error.is_final


def test_complete_endless_flood_stops_at_the_limit_of_bytes(endpoint: Connect) -> None:
    flood = Answer(stream=itertools.repeat(b" " * 65_536))
    started = time.monotonic()

    with ScriptedServer([flood]) as server, pytest.raises(ModelError) as caught:
        endpoint(server, max_bytes=1_000_000, deadline=60).complete(CALL)

    assert not caught.value.is_final
    assert time.monotonic() - started < 30


def test_complete_compressed_answer_is_refused(failure: Failure) -> None:
    error = failure(Answer(GOOD, headers={"Content-Encoding": "gzip"}))

    assert not error.is_final


def test_complete_after_a_failure_the_client_still_works(endpoint: Connect) -> None:
    with ScriptedServer([Answer(stream=itertools.repeat(b" "), pause=0.02), GOOD]) as server:
        client = endpoint(server, deadline=0.4)
        with pytest.raises(ModelError):
            client.complete(CALL)
        reply = client.complete(CALL)

    assert reply.data.relation == "update"


def test_client_is_one_for_the_same_settings() -> None:
    settings = llm.Settings(chat_model="tiny")

    first, second = llm.client(settings), llm.client(settings)

    assert first is second
    assert llm.client(llm.Settings()) is None
