"""Who works on which user's episodes: rows in Postgres, of which the queue is only a nudge.

A job is taken with a lease and a fence. Whatever it writes, it writes in a transaction that
has asserted both (`hold`), so that a worker that was too slow, or whose user was forgotten
meanwhile, writes nothing.
"""

import random
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from django.db import connection
from django.db.models import F
from django.utils import timezone

from memory import scope
from memory.errors import LeaseLost, ModelError
from memory.models import Episode, Job, JobState, State

LEASE = timedelta(seconds=15)
BEAT_SECONDS = 4.0
MAX_ATTEMPTS = 6
MAX_DEATHS = 3
LONGEST_WAIT = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write for one user, until it runs out or their epoch moves."""

    job_id: int
    user_id: int
    fence: int
    epoch: int


def request(user_ids: Iterable[int]) -> None:
    """Makes sure that each user's due episodes will be worked on. Repeating it changes nothing."""
    now = timezone.now()
    jobs = [Job(user_id=user_id, state=JobState.WAITING, run_after=now) for user_id in sorted(set(user_ids))]
    with scope.staff():
        Job.objects.bulk_create(jobs, ignore_conflicts=True)
        done = Job.objects.filter(user__in=[job.user_id for job in jobs], state__in=[JobState.DONE, JobState.FAILED])
        done.update(state=JobState.WAITING, run_after=now, attempts=0, deaths=0, error="")


def due(limit: int = 500) -> list[int]:
    """Users whose job can run now, and those whose episodes came due without one."""
    now = timezone.now()
    with scope.staff():
        runnable = list(Job.objects.runnable(now).order_by("run_after").values_list("user_id", flat=True)[:limit])
        busy = Job.objects.filter(state__in=[JobState.WAITING, JobState.RUNNING, JobState.FAILED])
        waiting = Episode.objects.due(now).filter(user__is_paused=False).exclude(user__in=busy.values("user"))
        idle = list(waiting.order_by().values_list("user_id", flat=True).distinct()[:limit])
    if idle:
        request(idle)
    return runnable + idle


def next_run(user_ids: Iterable[int] | None = None) -> float | None:
    """Seconds until some job that is under way or waits can be taken; None when there is none."""
    with scope.staff():
        jobs = Job.objects.filter(state__in=[JobState.WAITING, JobState.RUNNING])
        if user_ids is not None:
            jobs = jobs.filter(user__in=list(user_ids))
        when = jobs.values_list("state", "run_after", "lease_until")
        times = [lease if state == JobState.RUNNING else run_after for state, run_after, lease in when]
    if not times:
        return None
    return max(0.0, (min(times) - timezone.now()).total_seconds())


def take(user_id: int) -> Lease | None:
    """Takes the user's job if it can run; None when it cannot, or has now cost too many workers."""
    now = timezone.now()
    with scope.user(user_id):
        job = Job.objects.select_for_update(of=("self",), skip_locked=True).runnable(now).first()
        if job is None:
            return None
        _count_death(job)
        if job.deaths >= MAX_DEATHS:
            _park(job, f"its worker died {job.deaths} times at the same step: {job.died_at}")
            return None
        job.state, job.fence, job.lease_until = JobState.RUNNING, job.fence + 1, now + LEASE
        job.save()
        return Lease(job_id=job.pk, user_id=user_id, fence=job.fence, epoch=job.user.epoch)


def _count_death(job: Job) -> None:
    """A job that is still running when its lease is over has lost its worker at `step`."""
    if job.state != JobState.RUNNING:
        return
    job.deaths = job.deaths + 1 if job.died_at == job.step else 1
    job.died_at = job.step


def _park(job: Job, error: str) -> None:
    job.state, job.error, job.finished_at, job.lease_until = JobState.FAILED, error[:500], timezone.now(), None
    job.save()


def beat(lease: Lease, step: str | None = None) -> None:
    """Renews the lease and notes the step. Raises LeaseLost when the job is another's by now."""
    changes = {"lease_until": timezone.now() + LEASE} | ({} if step is None else {"step": step[:200]})
    with scope.user(lease.user_id):
        if not Job.objects.filter(pk=lease.job_id, fence=lease.fence, state=JobState.RUNNING).update(**changes):
            raise LeaseLost("another worker took over this job")


@contextmanager
def kept_alive(lease: Lease) -> Iterator[None]:
    """Renews the lease from a thread of its own while the block waits for something slow."""
    is_over = threading.Event()
    thread = threading.Thread(target=_keep_beating, args=(lease, is_over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _keep_beating(lease: Lease, is_over: threading.Event) -> None:
    try:
        while not is_over.wait(BEAT_SECONDS):
            beat(lease)
    except LeaseLost:
        return
    finally:
        connection.close()


@contextmanager
def hold(lease: Lease) -> Iterator[None]:
    """A transaction in the user's scope that may write: locks the user's row, asserts epoch and fence.

    Raises LeaseLost when either has moved; nothing is written then.
    """
    with scope.user(lease.user_id):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT job.fence, usr.epoch FROM memory_user usr JOIN memory_job job ON job.user_id = usr.id"
                " WHERE usr.id = %s AND job.id = %s AND job.state = 'running' FOR UPDATE OF usr, job",
                [lease.user_id, lease.job_id],
            )
            row = cursor.fetchone()
        if row != (lease.fence, lease.epoch):
            raise LeaseLost("the lease ran out or the user was forgotten: nothing was written")
        yield


def progress(lease: Lease) -> None:
    """Notes, inside `hold`, that a step came to its end: earlier deaths and failures no longer count."""
    Job.objects.filter(pk=lease.job_id).update(
        attempts=0, deaths=0, error="", lease_until=timezone.now() + LEASE, run_after=timezone.now()
    )


def finish(lease: Lease) -> None:
    """Ends the job, inside `hold`; if more came due while it ran, it waits to run again."""
    now = timezone.now()
    Episode.objects.due(now).filter(read_turns__gte=F("turn_count")).update(state=State.DONE)
    has_more = Episode.objects.due(now).filter(user__is_paused=False).exists()
    Job.objects.filter(pk=lease.job_id).update(
        state=JobState.WAITING if has_more else JobState.DONE,
        step="",
        lease_until=None,
        finished_at=None if has_more else now,
    )


def fail(lease: Lease, error: ModelError, *, episodes: Iterable[int]) -> None:
    """Puts the job off after a failed call, by what the endpoint asked for or by doubling waits.

    The sixth failure, or one that no retry can mend, is final: `episodes` are marked failed with the reason.
    An outage fails the job, which then waits for a person; a reply that makes no sense only its episodes.
    """
    with hold(lease):
        job = Job.objects.get(pk=lease.job_id)
        job.attempts, job.error, job.lease_until = job.attempts + 1, str(error)[:500], None
        job.state, job.run_after = JobState.WAITING, timezone.now() + _wait(job.attempts, error)
        if error.is_final or job.attempts >= MAX_ATTEMPTS:
            Episode.objects.filter(pk__in=list(episodes)).update(state=State.FAILED, error=job.error)
            _give_up(job, is_about_reply=error.is_about_reply)
        job.save()


def _give_up(job: Job, *, is_about_reply: bool) -> None:
    if is_about_reply and Episode.objects.due(timezone.now()).exists():
        job.attempts, job.run_after = 0, timezone.now()
        return
    job.state, job.finished_at = JobState.FAILED, timezone.now()


def _wait(attempts: int, error: ModelError) -> timedelta:
    if error.retry_after is not None:
        return min(timedelta(seconds=error.retry_after), LONGEST_WAIT)
    return timedelta(seconds=2 ** (attempts - 1) * random.uniform(0.8, 1.2))  # noqa: S311 - spreads retries


def retry_failed(user_ids: Iterable[int] | None = None) -> int:
    """Puts failed episodes and their jobs back to work; how many episodes that were."""
    with scope.staff():
        failed = Episode.objects.filter(state=State.FAILED)
        parked = Job.objects.filter(state=JobState.FAILED)
        if user_ids is not None:
            failed, parked = failed.filter(user__in=list(user_ids)), parked.filter(user__in=list(user_ids))
        owners = set(failed.values_list("user_id", flat=True)) | set(parked.values_list("user_id", flat=True))
        count = failed.update(state=State.PENDING, error="", due_at=timezone.now())
    request(owners)
    return count


def hurry(user_id: int, *, backlog: int) -> None:
    """Makes a user's waiting episodes due at once when their unread turns reach `backlog`."""
    with scope.user(user_id), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memory_episode SET due_at = now() WHERE user_id = %s AND state = 'pending' AND due_at > now()"
            " AND (SELECT sum(turn_count - read_turns) FROM memory_episode"
            " WHERE user_id = %s AND state = 'pending') >= %s",
            [user_id, user_id, backlog],
        )
