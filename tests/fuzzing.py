"""Requests made up from our own OpenAPI document, sane and hostile, against the site in this process.

`explore` lets schemathesis make them up and holds every answer to the document; `spoil` puts things that
do not belong there into every field, parameter and body. A test of the suite uses both in short, and
`benchmarks/fuzz_api.py` at length.
"""

import copy
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.test import Client
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import CheckFunction, not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS: list[CheckFunction] = [
    not_a_server_error,
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
]
NO_MODEL = 503
DOCUMENT = "/api/v1/openapi.json"

type Ids = dict[str, Any]
type Setting = Callable[[], Ids]


@dataclass
class Found:
    """How many requests were answered with which status, and what was wrong with answers."""

    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    @property
    def requests(self) -> int:
        return self.statuses.total()

    @property
    def server_errors(self) -> int:
        return sum(n for status, n in self.statuses.items() if status >= 500 and status != NO_MODEL)


def explore(token: str, set_up: Setting, *, cases: int, start: int = 0) -> Found:
    """About as many requests as `cases`, half of them valid, shared by all operations; `set_up` gives ids that exist.

    Before each operation it is called again, since some of them erase.
    """
    document = schemathesis.openapi.from_wsgi(DOCUMENT, WSGIHandler())
    operations = [result.ok() for result in document.get_all_operations()]
    found = Found()
    each = max(1, cases // (len(operations) * 4))
    for number, operation in enumerate(operations):
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            for known in (True, False):
                ids = _named(operation.path, set_up()) if known else None
                strategy = operation.as_strategy(generation_mode=mode, path_parameters=ids)
                _run(strategy, token, found, each=each, start=start + number)
    return found


def _run(strategy: Any, token: str, found: Found, *, each: int, start: int) -> None:
    @seed(start)
    @settings(
        max_examples=each,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(case=strategy)
    def one(case: Any) -> None:
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}
        response = case.call()
        found.statuses[response.status_code] += 1
        try:
            case.validate_response(response, checks=CHECKS[1:] if response.status_code == NO_MODEL else CHECKS)
        except BaseExceptionGroup as group:
            found.faults += [f"{case.method} {case.path} {response.status_code}: {one}" for one in group.exceptions]

    one()


def _named(path: str, ids: Ids) -> Ids:
    return {name: value for name, value in ids.items() if f"{{{name}}}" in path}


DEEP: Any = []
for _ in range(500):
    DEEP = [DEEP]

HOSTILE: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 10**30, -(10**30), 1e308, float("nan"), float("inf"), "", " ", "\x00", "a\x00b",
    "\ud800", "\udfff\ud800", "\u202e\u200b", "x" * 5_000, "9" * 5_000, "2026-02-30", "0000-00-00", "'\"\\;--",
    "{{7*7}}", "%s%n", [], {}, [None], [[]], {"": None}, {"$ne": 1}, DEEP, ["x"] * 2_000,
)  # fmt: skip
PATHS = (
    "%00",
    "%ff%fe",
    "%ed%a0%80",
    ".",
    "%2e%2e",
    "~2F",
    "~2f~",
    "%0a%0d",
    "x" * 3_000,
    "9" * 400,
    "-1",
    "٣",
    "%F0%9F%A6%8A",
)


def spoil(token: str, calls: Mapping[tuple[str, str], Any], set_up: Setting) -> Found:
    """Every field of every body, every parameter and every part of every path, replaced by each thing that is hostile."""
    found, client = Found(), Client(raise_request_exception=False, SERVER_NAME="localhost")
    for (method, path), body in calls.items():
        ids = set_up()
        for address, content in _spoilt(path, body, ids):
            headers = {"Authorization": f"Bearer {token}"}
            response: Any = client.generic(method, f"/api/v1{address}", content, "application/json", headers=headers)
            if response.streaming:
                b"".join(response.streaming_content)
            found.statuses[response.status_code] += 1
            if response.status_code >= 500 and response.status_code != NO_MODEL:
                found.faults.append(f"{method} {address[:100]} {content[:200]!r}")
    return found


def _spoilt(path: str, body: Any, ids: Ids) -> Iterator[tuple[str, bytes]]:
    plain = path.format(**ids)
    for variant in _variants(body) if body is not None else ():
        yield plain, json.dumps(variant).encode()
    for name in _named(path, ids):
        for part in PATHS:
            yield path.format(**ids | {name: part}), json.dumps(body).encode()
    for name in ("status", "subject", "after", "limit", "preview", "wrong", "confirm"):
        for part in PATHS:
            yield f"{plain}?{name}={part}&{name}={part}", json.dumps(body).encode()


def _variants(body: Any) -> Iterator[Any]:
    yield from HOSTILE
    for place in _places(body):
        for value in HOSTILE:
            changed = copy.deepcopy(body)
            holder = changed
            for step in place[:-1]:
                holder = holder[step]
            holder[place[-1]] = value
            yield changed


def _places(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in items:
        yield (*before, step)
        yield from _places(inner, (*before, step))
