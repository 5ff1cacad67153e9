"""The jobs, and running one again."""

import pytest
from django.utils import timezone

from memory import scope
from memory.models import Episode, Job, User
from tests import factories
from tests.reviewer import reading
from tests.reviewer.reading import As


def make_job(user: User, state: str = "failed", **fields: object) -> Job:
    lease = {"lease_until": timezone.now()} if state == "running" else {}
    with scope.user(user.pk):
        return Job.objects.create(user=user, state=state, run_after=timezone.now(), **lease, **fields)


def states(response) -> list[str]:  # noqa: ANN001 - a test client's
    return reading.found(response, r'<li><span class="badge \w+">(\w+)</span></li>')


def test_jobs_stand_by_urgency_with_why_they_failed(as_: As):
    for state in ("done", "waiting", "failed", "running"):
        make_job(factories.make_user(), state, error="HTTP 401 <x>" if state == "failed" else "")

    response = as_("reviewer").get("/jobs/")

    assert states(response) == ["Failed", "Running", "Waiting", "Done"]
    assert reading.found(response, r'<p class="detail wrong"[^>]*>(.*?)</p>') == ["HTTP 401 <x>"]


@pytest.mark.parametrize(("state", "name"), [("failed", "Failed"), ("running", "Running"), ("done", "Done")])
def test_state_filter_shows_jobs_of_that_state(state: str, name: str, as_: As):
    for each in ("done", "waiting", "failed", "running"):
        make_job(factories.make_user(), each)

    response = as_("reviewer").get("/jobs/", {"state": state})

    assert states(response) == [name]


def test_job_that_left_failed_episodes_behind_counts_as_failed(as_: As, member: User):
    factories.make_episode(member, "Hello.", state="failed", error="the reply made no sense")
    make_job(member, "done")

    response = as_("reviewer").get("/jobs/")

    assert states(response) == ["Failed"]
    assert reading.found(response, r'<p class="detail wrong"[^>]*>(.*?)</p>') == ["the reply made no sense"]


@pytest.mark.parametrize("role", ["reviewer", "admin"])
def test_running_again_puts_job_and_episodes_back_to_work(role: str, as_: As, member: User):
    episode = factories.make_episode(member, "Hello.", state="failed", error="HTTP 500")
    job = make_job(member)

    response = as_(role).post(f"/jobs/{job.pk}/rerun/", follow=True)

    with scope.staff():
        assert (Job.objects.get().state, Episode.objects.get(pk=episode.pk).state) == ("waiting", "pending")
    assert reading.found(response, r'<p class="notice success"[^>]*>(.*?)</p>') == [
        "Put back to work. Reload the page to see how far it is."
    ]


def test_running_again_twice_is_as_once(as_: As, member: User):
    job = make_job(member)
    client = as_("reviewer")

    statuses = [client.post(f"/jobs/{job.pk}/rerun/").status_code for _ in range(2)]

    with scope.staff():
        assert (statuses, Job.objects.get().state) == ([302, 302], "waiting")


def test_running_again_leaves_other_peoples_jobs_alone(as_: As, member: User, other_member: User):
    job, other = make_job(member), make_job(other_member)

    as_("reviewer").post(f"/jobs/{job.pk}/rerun/")

    with scope.staff():
        assert Job.objects.get(pk=other.pk).state == "failed"


def test_running_a_job_again_that_does_not_exist_is_missing(as_: As):
    assert as_("reviewer").post("/jobs/99999999/rerun/").status_code == 404


def test_no_job_is_told(as_: As):
    response = as_("reviewer").get("/jobs/")

    assert reading.found(response, "<h2>(.*?)</h2>") == ["No work yet"]


def test_thirty_jobs_take_as_many_queries_as_one(as_: As):
    client = as_("reviewer")
    make_job(factories.make_user())
    few = reading.queries(client, "/jobs/")
    for _ in range(29):
        make_job(factories.make_user())

    many = reading.queries(client, "/jobs/")

    assert many == few
