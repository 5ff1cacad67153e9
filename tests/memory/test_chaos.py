"""The short form of `benchmarks/chaos.py`: real workers, killed; a broker, emptied; messages, repeated."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.disturbing import work
from benchmarks.disturbing.fleet import Fleet
from benchmarks.disturbing.talk import SlowModel, episodes, serving
from benchmarks.disturbing.trial import RECOVERY_BAR, RETURN_BAR, Trial

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(180)]


@pytest.fixture
def fleet(process_env: dict[str, str], tmp_path: Path) -> Iterator[Fleet]:
    """Two workers whose model takes its time."""
    random.seed(7)
    with serving(SlowModel(latency=1.0)) as server:
        model = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "none", "ASSAY_MODEL": "scripted"}
        with Fleet(env=process_env | model, folder=tmp_path, size=2) as fleet:
            yield fleet


def test_work_survives_killed_workers_an_emptied_broker_and_repeated_messages(fleet: Fleet) -> None:
    trial = Trial("short-", 10)
    work.publish([work.store(name, episodes(n)) for n, name in enumerate(trial.names)], times=3)
    _await_work()

    work.empty_broker()
    fleet.kill_one()
    trial.watch_recovery()

    assert trial.recoveries[0] <= RECOVERY_BAR
    assert trial.wait(seconds=RETURN_BAR) <= RETURN_BAR
    assert trial.differences() == []


def _await_work() -> None:
    deadline = time.monotonic() + 60
    while not work.running() and time.monotonic() < deadline:
        time.sleep(0.05)
