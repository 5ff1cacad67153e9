"""What Prometheus collects: numbers by route and state, nothing about anybody, and not for everybody."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from memory import jobs, scope
from memory.models import ModelCall, User
from reviewer.celery import app
from tests import factories
from tests.reviewer.api.conftest import Agent, Keyed


@pytest.fixture
def maya(db: None) -> User:
    return factories.make_login(external_id="maya")


def samples(agent: Agent) -> dict[tuple[Any, ...], float]:
    text = agent("get", "/metrics").body.decode()
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_requests_are_counted_by_route_method_and_status(maya: User, agent: Agent):
    name = ("assay_requests_total", "200", "GET", "api/v1/users/<whom:external_id>/facts")
    before = samples(agent).get(name, 0)

    agent("get", "maya/facts")
    agent("get", "/people/maya/")

    found = samples(agent)
    assert found[name] - before == 1
    assert [key for key in found if "maya" in str(key)] == []


def test_recalls_are_timed(maya: User, agent: Agent):
    before = samples(agent)[("assay_recall_seconds_count",)]

    agent("post", "maya/recall", {"query": "Oslo"})

    assert samples(agent)[("assay_recall_seconds_count",)] - before == 1


def test_jobs_calls_and_tokens_are_told_by_state_and_model(maya: User, agent: Agent):
    jobs.request([maya.pk])
    with scope.staff():
        for error in ("", "", "too slow"):
            ModelCall.objects.create(user=maya, name="extraction", model="m", tokens_in=10, tokens_out=3, error=error)

    found = samples(agent)

    assert (found["assay_jobs", "waiting"], found["assay_jobs", "failed"]) == (1, 0)
    assert found["assay_model_calls_total", "answered", "extraction", "m"] == 2
    assert found["assay_model_calls_total", "extraction", "failed", "m"] == 1
    assert found["assay_model_tokens_total", "extraction", "in", "m"] == 30


def test_queue_is_as_deep_as_it_is(maya: User, agent: Agent):
    before = samples(agent)["assay_queue_depth", "assay"]

    app.send_task("memory.tasks.work", [maya.pk])

    assert samples(agent)["assay_queue_depth", "assay"] - before == 1


def test_broker_away_leaves_the_queue_out(maya: User, agent: Agent, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(settings, "CELERY_BROKER_URL", "redis://127.0.0.1:1/0")

    found = samples(agent)

    assert (("assay_queue_depth", "assay") in found, ("assay_jobs", "waiting") in found) == (False, True)


@pytest.mark.parametrize(
    ("scopes", "is_own", "status"),
    [(["recall", "ingest"], False, 403), (["manage"], True, 403), (["manage"], False, 200)],
)
def test_key_must_manage_everybody(scopes: list[str], status: int, *, is_own: bool, maya: User, keyed: Keyed):
    agent = keyed(*scopes, user=maya if is_own else None)

    assert agent("get", "/metrics").status == status


def test_stranger_is_told_to_bring_a_key(db: None):
    answer = Client().get("/metrics")

    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")


def test_processes_of_one_server_count_together(tmp_path: Path, process_env: dict[str, str]):
    """Two processes that have counted, and a third that tells of both."""
    count = "import django; django.setup(); from reviewer import measuring; measuring.REQUESTS.labels('r', 'GET', 200).inc()"
    tell = count + "; print(measuring.prometheus_client.generate_latest(measuring.counted()).decode())"
    env = {**process_env, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}

    for code in (count, count):
        subprocess.run([sys.executable, "-c", code], env=env, check=True)
    told = subprocess.run([sys.executable, "-c", tell], env=env, check=True, capture_output=True, text=True).stdout

    assert [line for line in told.splitlines() if line.startswith("assay_requests_total")] == [
        'assay_requests_total{method="GET",route="r",status="200"} 3.0'
    ]


def test_folders_of_dead_servers_are_removed(tmp_path: Path):
    dead = tmp_path / "assay-metrics-999999999"
    dead.mkdir()
    (dead / "counter_1.db").write_bytes(b"x")
    code = "import os; from reviewer import sharing; sharing.share(); print(os.environ['PROMETHEUS_MULTIPROC_DIR'])"
    env = {"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path)}

    done = subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True)

    assert done.stdout.strip() == f"{tmp_path}/assay-metrics-{os.getpid()}"
    assert [folder.name for folder in tmp_path.iterdir()] == [f"assay-metrics-{os.getpid()}"]
