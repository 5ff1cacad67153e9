"""What POST recall costs end to end beside its one SQL statement, and how many a second two web processes answer.

    uv run benchmarks/api.py                     100,000 facts over 340 users
    uv run benchmarks/api.py --facts 20000 --seconds 5

The site as it is served, by granian over HTTP with keys and limits, on an embedded Postgres and Valkey of its own
under a temporary directory, removed at the end. Lexical search only: an embedder's own time is not what is measured.
Nor is that of whoever asks, who stands on the same machine: requests are written beforehand, and one thread sends them
over kept connections and counts what comes back. Prints one JSON document: milliseconds, and their ratios to the
statement in the same run, which are what can be compared.
"""

# ruff: noqa: PLC0415 - Django wants its environment first
import argparse
import contextlib
import http.client
import itertools
import json
import os
import re
import secrets
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import recall  # noqa: E402 - found from the checkout
from benchmarks.recall import Bench, Query, ratio, spread  # noqa: E402 - likewise

CLIENTS = 8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=15)
    options = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="assay-api-"))
    configure(home)
    try:
        bench = Bench(options.queries)
        bench.fill(max(1, options.facts // recall.FACTS_A_USER), each=recall.FACTS_A_USER)
        print(json.dumps(measure(bench, seconds=options.seconds), indent=2))
    finally:
        recall.release(home)


def configure(home: Path) -> None:
    """The site as it is installed, but for TLS, and with a limit on requests that is counted and never reached."""
    for name in ("DATABASE_URL", "MIGRATION_DATABASE_URL", "CELERY_BROKER_URL", "ASSAY_NOW", "OPENAI_API_KEY"):
        os.environ.pop(name, None)
    os.environ |= {
        "ASSAY_DATA_DIR": str(home),
        "DJANGO_SETTINGS_MODULE": "reviewer.settings",
        "ASSAY_EMBEDDING_MODEL": "none",
        "ASSAY_RATE_LIMIT": str(10**9),
        "DEBUG": "0",
        "HTTPS": "0",
        "ALLOWED_HOSTS": "127.0.0.1",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "ASSAY_ERASURE_KEY": secrets.token_urlsafe(32),
    }


def measure(bench: Bench, *, seconds: float) -> dict[str, Any]:
    from memory import keys

    _, token = keys.create("benchmark", scopes=keys.Scope)
    queries = bench.draw()
    with served(workers=1) as port:
        alone = one_client(bench, Client(port, token), queries)
    with served(workers=2) as port:
        rate = answered(port, token, queries, seconds=seconds)
    return alone | {
        f"requests a second, two processes, {CLIENTS} connections": round(rate, 1),
        "of what the statement alone would let one connection do": ratio(
            rate, 1000 / alone["its statement alone, ms"]["p50"]
        ),
    }


def one_client(bench: Bench, client: "Client", queries: Sequence[Query]) -> dict[str, Any]:
    """Both in turns on the same questions; the first round only warms."""
    whole, statement = [], []
    for is_counted in (False, True):
        for query in queries:
            times = recall.timed(client.recall, query), recall.timed(lambda query: _statement(bench, query), query)
            if is_counted:
                whole.append(times[0])
                statement.append(times[1])
    return {
        "POST recall, ms": spread(whole),
        "its statement alone, ms": spread(statement),
        "whole / statement": {name: ratio(spread(whole)[name], spread(statement)[name]) for name in ("p50", "p95")},
    }


def answered(port: int, token: str, queries: Sequence[Query], *, seconds: float) -> float:
    """Recalls a second, all connections together, after a moment to warm."""
    requests = [_request(port, token, query) for query in queries]
    begin, end, count = time.monotonic() + 2, time.monotonic() + 2 + seconds, 0
    with selectors.DefaultSelector() as waiting:
        for number in range(CLIENTS):
            line = Line(port, itertools.islice(itertools.cycle(requests), number, None, CLIENTS))
            waiting.register(line.socket, selectors.EVENT_READ, line)
        while (now := time.monotonic()) < end:
            for key, _ in waiting.select(timeout=1):
                count += key.data.read() and now >= begin
        for key in [*waiting.get_map().values()]:
            key.data.socket.close()
    return count / seconds


def _request(port: int, token: str, query: Query) -> bytes:
    body = _body(query)
    head = (
        f"POST {_path(query)} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        f"Authorization: Bearer {token}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    )
    return "\r\n".join([*head, "", ""]).encode() + body


def _path(query: Query) -> str:
    return f"/api/v1/users/bench-{query.user}/recall"


def _body(query: Query) -> bytes:
    return json.dumps({"query": query.text, "k": 10}).encode()


class Line:
    """One kept connection, on which the next request is sent when an answer is whole."""

    def __init__(self, port: int, requests: Iterator[bytes]) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._requests, self._came = requests, b""
        self.socket.sendall(next(requests))

    def read(self) -> bool:
        """Whether that was the rest of an answer."""
        part = self.socket.recv(1 << 16)
        assert part, "the server hung up"
        self._came += part
        head, _, body = self._came.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if length is None or len(body) < int(length[1]):
            return False
        assert head.startswith(b"HTTP/1.1 200"), self._came
        self._came = b""
        self.socket.sendall(next(self._requests))
        return True


_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


class Client:
    """One connection that is kept."""

    def __init__(self, port: int, token: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def recall(self, query: Query) -> None:
        self._connection.request("POST", _path(query), _body(query), self._headers)
        response = self._connection.getresponse()
        content = response.read()
        assert response.status == 200, content


def _statement(bench: Bench, query: Query) -> Any:
    """As the application's own, but with no scope and nothing around it."""
    from memory import recall as recalling
    from memory.recall import Where
    from memory.recall.finding import prepare

    asked = recalling.ask(query.text, embedder=None)
    statement, values = prepare(asked, Where(query.user), k=10, policy=bench.policy)
    return bench.admin.execute(statement, dict(values)).fetchall()


@contextlib.contextmanager
def served(*, workers: int) -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "granian", "--interface=wsgi", f"--port={port}", f"--workers={workers}"]
    command += ["--blocking-threads=8", "--log-level=error", "reviewer.wsgi:application"]
    with subprocess.Popen(command, cwd=ROOT) as server:
        try:
            _await(port)
            yield port
        finally:
            server.terminate()


def _await(port: int) -> None:
    for _ in range(300):
        with contextlib.suppress(OSError):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return
        time.sleep(0.2)
    raise TimeoutError("the site does not answer")


if __name__ == "__main__":
    main()
