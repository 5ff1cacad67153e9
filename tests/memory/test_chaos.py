"""The short form of `benchmarks/chaos.py`: real workers, killed; a broker, emptied; messages, repeated."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import chaos

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(180)]


@pytest.fixture
def fleet(process_env: dict[str, str], tmp_path: Path) -> Iterator[chaos.Fleet]:
    """Two workers whose model takes its time."""
    random.seed(7)
    with chaos.serving(chaos.SlowModel(latency=1.0)) as server:
        model = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "none", "ASSAY_MODEL": "scripted"}
        with chaos.Fleet(env=process_env | model, folder=tmp_path, size=2) as fleet:
            yield fleet


def test_work_survives_killed_workers_an_emptied_broker_and_repeated_messages(fleet: chaos.Fleet) -> None:
    trial = chaos.Trial("short-", 10)
    chaos.publish([chaos.store(name, chaos.episodes(n)) for n, name in enumerate(trial.names)], times=3)
    _await_work()

    chaos.empty_broker()
    fleet.kill_one()
    trial.watch_recovery()

    assert trial.recoveries[0] <= chaos.RECOVERY_BAR
    assert trial.wait(seconds=chaos.RETURN_BAR) <= chaos.RETURN_BAR
    assert trial.differences() == []


def _await_work() -> None:
    deadline = time.monotonic() + 60
    while not chaos.running() and time.monotonic() < deadline:
        time.sleep(0.05)
