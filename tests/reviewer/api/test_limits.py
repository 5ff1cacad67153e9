"""A key may be used so often a minute, and a cache that is away keeps nobody out."""

from typing import Any

import pytest
from django.core.cache import caches

from reviewer.api import limits
from reviewer.cache import BrokerCache
from tests import factories
from tests.reviewer.api.conftest import Keyed


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """A minute that has just begun, and no rest."""
    now = {"time": 1_800_000_000.0}
    monkeypatch.setattr(limits.time, "time", lambda: now["time"])
    monkeypatch.setitem(limits._resting, "until", 0.0)
    return now


def test_key_used_too_often_is_told_how_long_to_wait(keyed: Keyed, settings: Any, clock: dict[str, float]):
    settings.ASSAY_RATE_LIMIT = 3
    factories.make_user("maya")
    agent = keyed("recall")

    answers = [agent("get", "maya/facts") for _ in range(4)]
    clock["time"] += 15
    waiting = agent("get", "maya/facts")
    clock["time"] += 45
    after = agent("get", "maya/facts")

    assert [answer.status for answer in answers] == [200, 200, 200, 429]
    assert (answers[-1].headers["Retry-After"], waiting.headers["Retry-After"], after.status) == ("60", "45", 200)


def test_keys_are_counted_apart(keyed: Keyed, settings: Any):
    settings.ASSAY_RATE_LIMIT = 1
    factories.make_user("maya")

    answers = [keyed("recall")("get", "maya/facts").status for _ in range(3)]

    assert answers == [200, 200, 200]


def test_refused_calls_count_too(keyed: Keyed, settings: Any):
    settings.ASSAY_RATE_LIMIT = 2
    agent = keyed("ingest")

    assert [agent("get", "maya/facts").status for _ in range(3)] == [403, 403, 429]


def test_no_limit_counts_nothing(keyed: Keyed, settings: Any):
    settings.ASSAY_RATE_LIMIT = 0
    agent = keyed("ingest")

    assert {agent("get", "maya/facts").status for _ in range(5)} == {403}


def test_cache_away_keeps_nobody_out_and_is_left_alone_for_a_while(
    keyed: Keyed, settings: Any, monkeypatch: pytest.MonkeyPatch
):
    settings.ASSAY_RATE_LIMIT = 1
    factories.make_user("maya")
    agent = keyed("recall")
    asked: list[str] = []
    gone = BrokerCache("", {"OPTIONS": {"socket_connect_timeout": 0.1}})
    gone.__dict__["_cache"] = gone._reach("redis://127.0.0.1:1/0")
    monkeypatch.setattr(limits, "cache", gone)
    incr = gone.incr
    monkeypatch.setattr(gone, "incr", lambda name: asked.append(name) or incr(name))

    answers = [agent("get", "maya/facts").status for _ in range(3)]

    assert (answers, len(asked)) == ([200, 200, 200], 1)


def test_counts_are_shared_by_all_processes():
    assert isinstance(caches["default"], BrokerCache)
