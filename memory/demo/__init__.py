"""A demo to look around in: eight made-up people and two years of their conversations with an agent."""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent

NOW = datetime(2026, 6, 30, 12, tzinfo=UTC)
"""The moment at which the demo is to be looked at; its conversations end a few days before."""


@dataclass(frozen=True, slots=True)
class Person:
    """Someone in the demo."""

    external_id: str
    name: str
    language: str
    time_zone: str


def people() -> tuple[Person, ...]:
    """Everyone in the demo."""
    return tuple(Person(**fields) for fields in _cast()["people"])


def member() -> str:
    """The external id of the person whom the member login is."""
    return str(_cast()["member"])


def episodes() -> Iterator[dict[str, Any]]:
    """Their conversations, each as `POST …/episodes` takes it, with its "user"."""
    with (_HERE / "episodes.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


@cache
def _cast() -> dict[str, Any]:
    return tomllib.loads((_HERE / "people.toml").read_text(encoding="utf-8"))
