"""A real HTTP server that speaks as much of the OpenAI API as is used here, and says what a test tells it to.

with ScriptedServer(reply=lambda received: {"candidates": []}) as server:
    ...  # point OPENAI_BASE_URL to server.url
    assert server.requests[0].name == "extraction"
"""

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self, cast

from tests.scripted_model import as_content, next_reply

DIMENSIONS = 8


@dataclass(frozen=True)
class Received:
    """One request as it came in. Names of headers are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def name(self) -> str:
        """Which call it is: extraction, judgement, retrieval_plan, answer, or embeddings; "" for somebody else's chat."""
        if "input" in self.body:
            return "embeddings"
        return str(self.body.get("response_format", {}).get("json_schema", {}).get("name", ""))

    @property
    def system(self) -> str:
        return self._message("system")

    @property
    def user(self) -> str:
        return self._message("user")

    def _message(self, role: str) -> str:
        return "\n".join(m["content"] for m in self.body.get("messages", ()) if m["role"] == role)


@dataclass(frozen=True)
class Answer:
    """An answer with more to it than its content.

    `body` replaces the whole completion. `stream` is sent piece by piece with `pause` seconds
    between, as the body, or from the status line on if `is_raw`. Pieces may go on for ever.
    """

    content: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    finish_reason: str = "stop"
    usage: Any = field(default_factory=lambda: {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18})
    stream: Iterable[bytes] | None = None
    pause: float = 0.0
    is_raw: bool = False


def vector(text: str, dimensions: int = DIMENSIONS) -> list[float]:
    """The same text always gets the same numbers; they mean nothing."""
    digest = hashlib.shake_128(text.encode()).digest(dimensions)
    return [byte / 255 for byte in digest]


class ScriptedServer:
    """Answers `/v1/chat/completions` by `reply` and `/v1/embeddings` by `embed`.

    `reply` is a function of `Received`, or a list of replies that is used up and then says nothing. A reply
    is a JSON value or a string (the message's content), None for the uneventful one, or an `Answer`.
    `embed` gives the vector of one text. `requests` keeps all that came in; `chats` and `embeddings` part of it.
    """

    def __init__(
        self,
        reply: Callable[[Received], Any] | list[Any] | None = None,
        *,
        embed: Callable[[str], list[float]] = vector,
    ) -> None:
        self.requests: list[Received] = []
        self.reply = reply or []
        self.embed = embed
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.script = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        """For OPENAI_BASE_URL."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def chats(self) -> list[Received]:
        return [r for r in self.requests if r.path.endswith("/chat/completions")]

    @property
    def embeddings(self) -> list[Received]:
        return [r for r in self.requests if r.path.endswith("/embeddings")]

    @property
    def prompts(self) -> list[str]:
        """All that was ever given to read, for looking whether something leaked into it."""
        return [f"{r.system}\n{r.user}" for r in self.chats]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, received: Received) -> Answer:
        """What to send back. Called from the threads of the server."""
        with self._lock:
            place = len(self.chats)
            self.requests.append(received)
        if received.path.endswith("/embeddings"):
            return self._embeddings(received)
        if not received.path.endswith("/chat/completions"):
            return Answer(status=404, body=b'{"error": {"message": "no such path", "code": "not_found"}}')
        reply = next_reply(self.reply, received, place)
        return reply if isinstance(reply, Answer) else Answer(reply)

    def _embeddings(self, received: Received) -> Answer:
        data = [
            {"object": "embedding", "index": index, "embedding": self.embed(text)}
            for index, text in enumerate(received.body["input"])
        ]
        return Answer(body=json.dumps({"object": "list", "model": received.body["model"], "data": data}).encode())


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    script: ScriptedServer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        received = Received(self.path, {name.lower(): value for name, value in self.headers.items()}, json.loads(raw))
        answer = self._script.answer(received)
        try:
            self._send(answer, received)
        except OSError:
            self.close_connection = True  # the client gave up, as some tests want it to

    @property
    def _script(self) -> ScriptedServer:
        return cast("_Server", self.server).script

    def _send(self, answer: Answer, received: Received) -> None:
        if answer.stream is not None:
            self._drip(answer)
            return
        body = _completion(answer, received) if answer.body is None else answer.body
        self._head(answer, {"Content-Length": str(len(body))})
        self.wfile.write(body)

    def _head(self, answer: Answer, more: Mapping[str, str]) -> None:
        self.send_response(answer.status)
        for name, value in ({"Content-Type": "application/json"} | dict(more) | dict(answer.headers)).items():
            self.send_header(name, value)
        self.end_headers()

    def _drip(self, answer: Answer) -> None:
        self.close_connection = True
        if not answer.is_raw:
            self._head(answer, {"Connection": "close"})
        for piece in answer.stream or ():
            self.wfile.write(piece)
            self.wfile.flush()
            if self._script.stopping.wait(answer.pause) if answer.pause else self._script.stopping.is_set():
                return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the standard library's
        """Keeps the output of the tests clean."""


def _completion(answer: Answer, received: Received) -> bytes:
    if answer.status != 200:
        return json.dumps({"error": {"message": "scripted failure", "code": "scripted"}}).encode()
    content = as_content(answer.content, received.name)
    choice = {
        "index": 0,
        "finish_reason": answer.finish_reason,
        "message": {"role": "assistant", "content": content},
    }
    completion = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 0,
        "model": received.body.get("model", ""),
        "choices": [choice],
        "usage": answer.usage,
    }
    return json.dumps(completion).encode()
