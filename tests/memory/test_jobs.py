"""Leases, fences, waits and deaths: who may write for a user, and what becomes of a job that cannot be done."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.utils import timezone

from memory import jobs, scope
from memory.errors import LeaseLost, ModelError
from memory.keeping import Keeper
from memory.models import Episode, Job, JobState, User
from tests import working
from tests.factories import make_episode, make_user

pytestmark = pytest.mark.django_db

NOW = timezone.now
OUTAGE = ModelError("The endpoint is away.")


@pytest.fixture
def user() -> User:
    return make_user()


def seconds_until(moment: datetime | None) -> float:
    assert moment is not None
    return (moment - timezone.now()).total_seconds()


def give_in(user: User, error: ModelError, **options: object) -> bool:
    """One failed call of a freshly taken job; whether it was put off."""
    lease = working.take(user)
    with jobs.hold(lease):
        is_put_off = jobs.put_off(lease, error)
        if not is_put_off:
            jobs.fail(lease, error, **options)  # type: ignore[arg-type]
    return is_put_off


# Requesting ---------------------------------------------------------------------------------


def test_request_makes_a_job_that_can_be_taken(user: User) -> None:
    jobs.request([user.pk])

    assert jobs.due([user.pk]) == [user.pk]


def test_request_again_changes_nothing(user: User) -> None:
    jobs.request([user.pk])
    before = working.job(user)

    jobs.request([user.pk, user.pk])

    after = working.job(user)
    assert (after.pk, after.run_after, after.fence) == (before.pk, before.run_after, before.fence)


def test_request_of_someone_gone_is_none() -> None:
    jobs.request([987_654])

    with scope.staff():
        assert not Job.objects.exists()


@pytest.mark.parametrize("state", [JobState.DONE, JobState.FAILED])
def test_request_of_an_ended_job_starts_it_afresh(user: User, state: JobState) -> None:
    working.take(user)
    working.change_job(user, state=state, lease_until=None, attempts=6, deaths=3, error="it went wrong")

    jobs.request([user.pk])

    job = working.job(user)
    assert (job.state, job.attempts, job.deaths, job.error) == ("waiting", 0, 0, "")


def test_request_of_a_running_job_leaves_it_to_its_worker(user: User) -> None:
    lease = working.take(user)

    jobs.request([user.pk])

    assert (working.job(user).state, working.job(user).fence) == ("running", lease.fence)


# Due ----------------------------------------------------------------------------------------


def test_due_finds_episodes_that_came_due_without_a_job(user: User) -> None:
    make_episode(user, "I live in Oslo.")

    assert jobs.due() == [user.pk]
    assert working.job(user).state == "waiting"


@pytest.mark.parametrize("fields", [{"is_paused": True}, {}])
def test_due_leaves_out_who_paused_and_what_is_not_due_yet(fields: dict[str, bool]) -> None:
    user = make_user(**fields)
    later = {} if fields else {"due_at": NOW() + timedelta(minutes=9)}
    make_episode(user, "I live in Oslo.", **later)

    assert jobs.due() == []


def test_due_finds_new_episodes_behind_a_failed_job(user: User) -> None:
    working.take(user)
    working.change_job(user, state="failed", lease_until=None)
    make_episode(user, "I live in Oslo.")

    assert jobs.due() == [user.pk]


def test_due_lets_nobody_wait_longer_than_others() -> None:
    first, second = make_user(), make_user()
    for one in (first, second):
        make_episode(one, "I live in Oslo.")
    jobs.request([first.pk])
    working.change_job(first, run_after=NOW() - timedelta(minutes=2))
    jobs.request([second.pk])
    working.change_job(second, run_after=NOW() - timedelta(minutes=1))
    lease = working.take(first)
    with jobs.hold(lease):
        jobs.finish(lease)  # with more left: back to the end of the line

    assert jobs.due() == [second.pk, first.pk]


def test_due_of_some_users_is_not_crowded_out_by_others() -> None:
    others = [make_user() for _ in range(3)]
    user = make_user()
    jobs.request([one.pk for one in (*others, user)])

    assert jobs.due([user.pk], limit=1) == [user.pk]


def test_next_run_counts_the_seconds_to_the_first_that_waits(user: User) -> None:
    jobs.request([user.pk])
    working.change_job(user, run_after=NOW() + timedelta(seconds=30))

    assert jobs.next_run() == pytest.approx(30, abs=2)
    assert jobs.next_run([user.pk + 1]) is None


# Taking -------------------------------------------------------------------------------------


def test_take_of_a_running_job_is_refused(user: User) -> None:
    working.take(user)

    with scope.user(user.pk):
        assert jobs.take(user.pk) is None


def test_take_before_its_time_is_refused(user: User) -> None:
    jobs.request([user.pk])
    working.change_job(user, run_after=NOW() + timedelta(seconds=30))

    with scope.user(user.pk):
        assert jobs.take(user.pk) is None


def test_take_after_the_lease_ran_out_raises_the_fence(user: User) -> None:
    first = working.take(user)
    working.die(user)

    second = working.take(user)

    assert second.fence > first.fence


def test_third_death_at_one_step_parks_the_job_with_its_reason(user: User) -> None:
    episode = make_episode(user, "I live in Oslo.")
    for _ in range(3):
        lease = working.take(user)
        with scope.user(user.pk):
            jobs.note(lease, "extract", episodes=[episode.pk])
        working.die(user)

    with scope.user(user.pk):
        lease_now = jobs.take(user.pk)

    why = "its worker died 3 times at the same step: extract"
    assert lease_now is None
    assert (working.job(user).state, working.job(user).error) == ("failed", why)
    assert working.states(user) == [("failed", why)]


def test_deaths_at_different_steps_do_not_add_up(user: User) -> None:
    for step in ("a", "b", "a", "b", "a"):
        lease = working.take(user)
        with scope.user(user.pk):
            jobs.note(lease, step)
        working.die(user)

    assert working.take(user).has_lost_workers


def test_deaths_before_progress_do_not_count(user: User) -> None:
    for _ in range(5):
        lease = working.take(user)
        with jobs.hold(lease):
            jobs.progress(lease, "same step")
        working.die(user)

    assert working.take(user).has_lost_workers


def test_parked_episode_lets_the_others_of_its_user_go_on(user: User) -> None:
    poison, other = make_episode(user, "boom"), make_episode(user, "I live in Oslo.")
    for _ in range(3):
        lease = working.take(user)
        with scope.user(user.pk):
            jobs.note(lease, "extract", episodes=[poison.pk])
        working.die(user)
    with scope.user(user.pk):
        jobs.take(user.pk)

    working.work(user)

    with scope.user(user.pk):
        found = {row.pk: row.state for row in Episode.objects.all()}
    assert found == {poison.pk: "failed", other.pk: "done"}


# Holding ------------------------------------------------------------------------------------


def test_hold_after_another_took_over_is_refused(user: User) -> None:
    late = working.take(user)
    working.die(user)
    working.take(user)

    with pytest.raises(LeaseLost), jobs.hold(late):
        pytest.fail("the late worker may write")


def test_hold_after_forgetting_is_refused(user: User) -> None:
    lease = working.take(user)
    with scope.staff():
        User.objects.filter(pk=user.pk).update(epoch=1)

    with pytest.raises(LeaseLost), jobs.hold(lease):
        pytest.fail("what was read before may be written")


def test_hold_of_someone_gone_is_refused(user: User) -> None:
    lease = working.take(user)
    with scope.staff():
        User.objects.filter(pk=user.pk).delete()

    with pytest.raises(LeaseLost), jobs.hold(lease):
        pytest.fail("a forgotten user is written to")


def test_hold_says_whether_memory_is_paused(user: User) -> None:
    lease = working.take(user)
    with scope.staff():
        User.objects.filter(pk=user.pk).update(is_paused=True)

    with jobs.hold(lease) as is_paused:
        assert is_paused


def test_beat_after_another_took_over_is_refused(user: User) -> None:
    late = working.take(user)
    working.die(user)
    working.take(user)

    with pytest.raises(LeaseLost):
        jobs.beat(late)


def test_beat_renews_the_lease(user: User) -> None:
    lease = working.take(user)
    working.change_job(user, lease_until=NOW() + timedelta(seconds=1))

    jobs.beat(lease)

    assert seconds_until(working.job(user).lease_until) > 10


@pytest.mark.django_db(transaction=True)
def test_kept_alive_renews_a_lease_that_would_run_out(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "keeper", lambda: Keeper(0.05))
    lease = working.take(user)
    working.change_job(user, lease_until=NOW() + timedelta(seconds=1))

    with jobs.kept_alive(lease):
        connection.cursor().execute("SELECT pg_sleep(0.5)")

    assert seconds_until(working.job(user).lease_until) > 10


# Ending -------------------------------------------------------------------------------------


def test_finish_with_nothing_left_is_done(user: User) -> None:
    lease = working.take(user)

    with jobs.hold(lease):
        jobs.finish(lease)

    job = working.job(user)
    assert (job.state, job.step, job.lease_until) == ("done", "", None)


def test_finish_with_more_come_due_waits_to_run_again(user: User) -> None:
    lease = working.take(user)
    make_episode(user, "I live in Oslo.")

    with jobs.hold(lease):
        jobs.finish(lease)

    assert jobs.due() == [user.pk]


@pytest.mark.parametrize(("attempt", "least", "most"), [(1, 0.8, 1.2), (2, 1.6, 2.4), (3, 3.2, 4.8), (5, 12.8, 19.2)])
def test_failed_call_is_put_off_by_doubling_waits(user: User, attempt: int, least: float, most: float) -> None:
    working.take(user)
    working.change_job(user, state="waiting", lease_until=None, attempts=attempt - 1)

    assert give_in(user, OUTAGE)

    assert least - 0.5 < seconds_until(working.job(user).run_after) < most
    assert working.job(user).error == "The endpoint is away."


@pytest.mark.parametrize("asked", [20.0, 3600.0])
def test_wait_that_the_endpoint_asks_for_is_honoured(user: User, asked: float) -> None:
    give_in(user, ModelError("busy", retry_after=asked))

    assert seconds_until(working.job(user).run_after) == pytest.approx(asked, abs=2)


def test_endpoint_that_asks_for_no_wait_is_given_some(user: User) -> None:
    give_in(user, ModelError("busy", retry_after=0.0))

    assert seconds_until(working.job(user).run_after) > 0.3


def test_sixth_failure_is_the_last(user: User) -> None:
    make_episode(user, "I live in Oslo.")
    tries = []
    for _ in range(6):
        tries.append(give_in(user, OUTAGE))
        working.pass_wait(user)

    assert tries == [True] * 5 + [False]
    assert working.job(user).state == "failed"
    assert working.states(user) == [("failed", "The endpoint is away.")]


def test_final_failure_is_not_tried_again(user: User) -> None:
    make_episode(user, "I live in Oslo.")

    assert not give_in(user, ModelError("The key is refused.", is_final=True))

    assert working.states(user) == [("failed", "The key is refused.")]


def test_outage_fails_all_that_is_due(user: User) -> None:
    make_episode(user, "I live in Oslo.")
    make_episode(user, "I work at Acme.")

    give_in(user, ModelError("away", is_final=True))

    assert working.states(user) == [("failed", "away")] * 2
    assert jobs.due() == []


def test_failure_of_one_episode_leaves_the_job_to_the_others(user: User) -> None:
    bad, _ = make_episode(user, "I live in Oslo."), make_episode(user, "I work at Acme.")

    give_in(user, ModelError("senseless", is_final=True, is_about_reply=True), episodes=[bad.pk])

    assert working.states(user) == [("failed", "senseless"), ("pending", "")]
    assert jobs.due() == [user.pk]


def test_retry_puts_failed_episodes_and_jobs_back_to_work(user: User) -> None:
    make_episode(user, "I live in Oslo.")
    give_in(user, ModelError("away", is_final=True))

    count = jobs.retry_failed()

    assert (count, working.states(user), working.job(user).state) == (1, [("pending", "")], "waiting")


def test_retry_of_one_user_leaves_others_failed(user: User) -> None:
    other = make_user()
    for one in (user, other):
        make_episode(one, "I live in Oslo.")
        give_in(one, ModelError("away", is_final=True))

    jobs.retry_failed([user.pk])

    assert (working.job(user).state, working.job(other).state) == ("waiting", "failed")


# Backlog ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("turns", "is_due"), [(3, True), (2, False)])
def test_backlog_makes_waiting_episodes_due(user: User, turns: int, *, is_due: bool) -> None:
    make_episode(user, *["Hello."] * turns, due_at=NOW() + timedelta(minutes=9))

    jobs.hurry(user.pk, backlog=3)

    assert bool(jobs.due()) == is_due


# Vectors ------------------------------------------------------------------------------------


def test_missing_vectors_are_one_workers_business(user: User) -> None:
    assert jobs.claim_embedding([user.pk]) == [user.pk]
    assert jobs.claim_embedding([user.pk]) == []


def test_missing_vectors_come_up_again_after_a_while(user: User) -> None:
    jobs.claim_embedding([user.pk])
    working.change_job(user, embed_after=NOW() - timedelta(seconds=1))

    assert jobs.claim_embedding([user.pk]) == [user.pk]


def test_failing_embedder_is_tried_for_one_user_at_a_time() -> None:
    users = [make_user() for _ in range(4)]
    jobs.claim_embedding([users[0].pk])
    jobs.put_off_embedding(users[0].pk)

    claimed = jobs.claim_embedding([user.pk for user in users])

    assert claimed == [users[1].pk]


def test_claiming_vectors_starts_no_extraction(user: User) -> None:
    jobs.claim_embedding([user.pk])

    assert (working.job(user).state, jobs.due()) == ("done", [])
