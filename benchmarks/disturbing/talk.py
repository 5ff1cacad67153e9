"""What people say, and the scripted model that reads it."""

import contextlib
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import psutil

CITIES = ("Oslo", "Bergen", "Lisbon", "Kyoto", "Quito", "Turku")
FIRMS = ("Acme", "Globex", "Initech", "Hooli")
PREDICATES = {"live": "lives_in", "work": "works_at", "play": "plays", "use": "uses"}
POISON = "I live in Chernobyl."


def episodes(n: int) -> list[list[str]]:
    """What person n says on six days: something new, something again, something that changed."""
    city, later, firm = CITIES[n % 6], CITIES[(n + 1) % 6], FIRMS[n % 4]
    return [
        [f"I live in {city}.", f"I work at {firm}."],
        [f"I live in {city}.", f"I play the cello number {n}."],
        [f"I live in {later} now.", f"I use vim version {n}."],
        [f"I work at {firm}."],
        [f"I live in {later}.", f"I use vim version {n}."],
        [f"I play the harp number {n}."],
    ]


def extraction(prompt: str) -> dict[str, Any]:
    """One claim for every user turn."""
    found = []
    for line in prompt.splitlines():
        head, _, said = line.partition(": ")
        if head.startswith("[") and "] user " in head:
            found.append(_claim(int(head[1 : head.index("]")]), said))
    return {"candidates": found}


def _claim(turn: int, said: str) -> dict[str, Any]:
    words = said.removesuffix(".").removesuffix(" now").split()
    return {
        "text": said,
        "subject": "user",
        "predicate": PREDICATES[words[1]],
        "object": " ".join(words[3:] or words[2:]),
        "kind": "knowledge",
        "speech": "changes" if said.endswith(" now.") else "states",
        "evidence": [{"turn": turn, "quote": said}],
    }


class SlowModel:
    """Takes its time to answer; a prompt with the poison in it kills the worker that asked."""

    def __init__(self, latency: float) -> None:
        self.latency = latency
        self.asker = threading.local()

    def __call__(self, received: Any) -> Any:
        if POISON in received.user:
            self._kill_asker()
        time.sleep(random.uniform(0.2, 1.0) * self.latency)
        return extraction(received.user)

    def _kill_asker(self) -> None:
        """The process at the other end of the connection that the question came by, and no other."""
        asker, own = self.asker.ports
        for connection in psutil.net_connections("tcp4"):
            ends = (connection.laddr and connection.laddr.port, connection.raddr and connection.raddr.port)
            if ends == (asker, own) and connection.pid not in (None, os.getpid()):
                os.kill(connection.pid, signal.SIGKILL)


@contextlib.contextmanager
def serving(model: SlowModel) -> Iterator[Any]:
    from tests.scripted_server import ScriptedServer, _Handler  # noqa: PLC0415 - after Django is set up

    class Knowing(_Handler):
        """Tells the model which ports it is asked from and at."""

        def do_POST(self) -> None:  # noqa: N802 - the name is the standard library's
            model.asker.ports = self.client_address[1], self.server.server_address[1]
            super().do_POST()

    with ScriptedServer(reply=model) as server:
        server._server.RequestHandlerClass = Knowing
        server._server.handle_error = lambda *_: None  # of workers killed while they wait
        yield server
