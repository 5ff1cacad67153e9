"""The task that runs a job: faults of our own are put on record."""

import pytest

from memory import jobs, scope, tasks
from memory.models import Episode, Job
from memory.pipeline import Engine
from tests.factories import make_episode, make_user
from tests.scripted_model import ScriptedModel

pytestmark = pytest.mark.django_db


def broken(_call: object) -> object:
    raise KeyError("I live in Oslo")


def test_attempt_fault_of_our_own_is_put_off_with_its_kind_and_no_content() -> None:
    user = make_user()
    make_episode(user, "I live in Oslo.")
    jobs.request([user.pk])

    taken = tasks.attempt(user.pk, Engine(model=ScriptedModel(broken)))

    with scope.user(user.pk):
        job = Job.objects.get()
    assert taken
    assert (job.state, job.attempts, job.deaths) == ("waiting", 1, 0)
    assert job.error.startswith("a fault of Assay's own: KeyError in broken")
    assert "Oslo" not in job.error


def test_attempt_same_fault_six_times_fails_the_job_and_its_episode() -> None:
    user = make_user()
    make_episode(user, "I live in Oslo.")
    jobs.request([user.pk])
    for _ in range(jobs.MAX_ATTEMPTS):
        with scope.user(user.pk):
            Job.objects.update(run_after="2026-01-01T00:00Z")
        tasks.attempt(user.pk, Engine(model=ScriptedModel(broken)))

    with scope.user(user.pk):
        assert Job.objects.get().state == "failed"
        assert Episode.objects.get().state == "failed"
