"""The real client: any OpenAI-compatible `/chat/completions`."""

import json
import os
import time
from functools import cache
from typing import Any

import openai

from memory import text
from memory.errors import ModelError
from memory.llm import failures, transport
from memory.llm.doors import Call, Reply
from memory.llm.parsing import parse
from memory.llm.settings import Settings


class Endpoint:
    """A `Model` behind an OpenAI-compatible endpoint. One try a call; may be shared by threads."""

    def __init__(self, settings: Settings, *, max_bytes: int = transport.MAX_BYTES) -> None:
        self.name = settings.chat_model
        self._deadline = settings.deadline
        self._client = connect(settings, max_bytes=max_bytes)
        self._takes_temperature = True

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
        """The body of the answer. A model that takes no temperature is found out once."""
        with failures.explained():
            if self._takes_temperature:
                try:
                    return self._post(call, temperature=0)
                except openai.BadRequestError as error:
                    if "temperature" not in error.response.text.lower():
                        raise
            body = self._post(call, temperature=openai.omit)
            self._takes_temperature = False
            return body

    def _post(self, call: Call, *, temperature: float | openai.Omit) -> bytes:
        response = self._client.chat.completions.with_raw_response.create(
            model=self.name,
            messages=[{"role": "system", "content": call.system}, {"role": "user", "content": call.user}],
            temperature=temperature,
            response_format={
                "type": "json_schema",
                "json_schema": {"name": call.name, "strict": True, "schema": call.schema.model_json_schema()},
            },
        )
        return response.content


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
