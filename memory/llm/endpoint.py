"""The real client: any OpenAI-compatible `/chat/completions`."""

import json
import os
import re
import time
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import openai

from memory import text
from memory.errors import ModelError
from memory.llm import failures, transport
from memory.llm.doors import Call, Reply
from memory.llm.parsing import parse
from memory.llm.settings import Settings

_REFUSALS = (400, 422, 500)
"""llama-cpp-python's server answers with 500 where others say 400."""
MAX_ITEMS, MAX_CHARS = 12, 300
"""What an answer may hold where a grammar made from our schema is all that ends it."""
_SCHEMA = re.compile(r"response_format|json_schema")


@dataclass(frozen=True, slots=True)
class _Manner:
    """How an endpoint is asked: what some do not take is left out for them."""

    has_temperature: bool = True
    has_named_schema: bool = True

    def without(self, error: openai.APIStatusError) -> "_Manner":
        """The manner without what `error` complains of; the same when it complains of nothing here."""
        complaint = error.response.text.lower()
        if self.has_temperature and error.status_code in _REFUSALS and "temperature" in complaint:
            return replace(self, has_temperature=False)
        if self.has_named_schema and error.status_code in _REFUSALS and _SCHEMA.search(complaint):
            return replace(self, has_named_schema=False)
        return self


class Endpoint:
    """A `Model` behind an OpenAI-compatible endpoint. One try a call; may be shared by threads."""

    def __init__(self, settings: Settings, *, max_bytes: int = transport.MAX_BYTES) -> None:
        self.name = settings.chat_model
        self._deadline = settings.deadline
        self._client = connect(settings, max_bytes=max_bytes)
        self._manner = _Manner()

    def complete(self, call: Call) -> Reply:
        """Asks once, within the deadline. Raises ModelError."""
        started = time.monotonic()
        with transport.deadline(self._deadline):
            body = self._ask(call)
        content, usage = _read(body)
        return Reply(
            data=parse(content, call.schema),
            tokens_in=_count(usage, "prompt_tokens"),
            tokens_out=_count(usage, "completion_tokens"),
            latency_ms=round((time.monotonic() - started) * 1000),
            model=self.name,
            prompt_version=call.prompt_version,
            raw_text=text.clean(content).text,
        )

    def close(self) -> None:
        """Closes idle connections. A client that lives as long as its process need not."""
        self._client.close()

    def _ask(self, call: Call) -> bytes:
        """The body of the answer. What an endpoint does not take is found out once, and left out from then on."""
        manner = self._manner
        with failures.explained():
            while True:
                try:
                    body = self._post(call, manner)
                except openai.APIStatusError as error:
                    leaner = manner.without(error)
                    if leaner == manner:
                        raise
                    manner = leaner
                else:
                    self._manner = manner
                    return body

    def _post(self, call: Call, manner: _Manner) -> bytes:
        response = self._client.chat.completions.with_raw_response.create(
            model=self.name,
            messages=[{"role": "system", "content": call.system}, {"role": "user", "content": call.user}],
            temperature=0 if manner.has_temperature else openai.omit,
            response_format=_format(call, is_named=manner.has_named_schema),
        )
        return response.content


def _format(call: Call, *, is_named: bool) -> Any:
    """The shape that the answer must have: by name as the API has it, or as llama.cpp's server takes it."""
    schema = call.schema.model_json_schema()
    if is_named:
        return {"type": "json_schema", "json_schema": {"name": call.name, "strict": True, "schema": schema}}
    return {"type": "json_object", "schema": _bounded(schema)}


def _bounded(schema: Any) -> Any:
    """The schema with an end to every list and text: a small model that cannot stop is made to."""
    if not isinstance(schema, dict):
        return [_bounded(part) for part in schema] if isinstance(schema, list) else schema
    bounds = {"array": {"maxItems": MAX_ITEMS}, "string": {"maxLength": MAX_CHARS}}
    bound = {} if "enum" in schema or "const" in schema else bounds.get(str(schema.get("type")), {})
    return {name: _bounded(part) for name, part in schema.items()} | bound


@cache
def _client(settings: Settings, _process: int) -> Endpoint:
    return Endpoint(settings)


def client(settings: Settings) -> Endpoint | None:
    """The process's one client for these settings; None when no endpoint is configured.

    Kept by process id, since a connection must not be shared with a forked worker.
    """
    return _client(settings, os.getpid()) if settings.chat_model else None


def connect(settings: Settings, *, max_bytes: int = transport.MAX_BYTES) -> openai.OpenAI:
    """The `openai` client over our own transport. Local servers need no key, but the client insists on one."""
    return openai.OpenAI(
        api_key=settings.api_key or "none",
        base_url=settings.base_url,
        max_retries=0,
        timeout=settings.deadline,
        http_client=transport.http_client(max_bytes=max_bytes),
    )


def load(body: bytes) -> dict[str, Any]:
    """The body of an answer as a JSON object. Raises ModelError."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ModelError("The model's endpoint answered with something that is not its API's JSON.")
    return value


def _read(body: bytes) -> tuple[str, object]:
    """Content and usage of a completion. Raises ModelError when it is cut off, refused or not there."""
    answer = load(body)
    try:
        choice = answer["choices"][0]
        content, reason = choice["message"].get("content"), choice.get("finish_reason")
    except (LookupError, TypeError, AttributeError):
        raise ModelError("The model's endpoint answered without a message.") from None
    if reason == "length":
        raise ModelError("The model's answer is cut off: it ran out of tokens.", is_about_reply=True)
    if not isinstance(content, str):
        raise ModelError("The model's answer is empty: it refused or said nothing.", is_about_reply=True)
    return content, answer.get("usage")


def _count(usage: object, name: str) -> int:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and 0 <= value < 2**31 else 0
