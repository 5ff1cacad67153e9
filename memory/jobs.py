"""Who works on which user's episodes: rows in Postgres, of which the queue is only a nudge.

A job is taken with a lease and a fence. Whatever it writes, it writes in a transaction that
has asserted both (`hold`), so that a worker that was too slow, or whose user was forgotten
meanwhile, writes nothing. Locks are always taken in one order, the user's row before the job's.
Leases go by the clock of the database, which all workers share.
"""

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import connection
from django.db.models import Min
from django.db.models.functions import Coalesce, Now
from django.utils import timezone

from memory import prepared, scope
from memory.errors import LeaseLost, ModelError
from memory.keeping import keeper
from memory.models import Episode, Job, JobState, JudgedPair, State, User

LEASE = timedelta(seconds=15)
MAX_ATTEMPTS = 6
MAX_DEATHS = 3
EMBED_PAUSE = timedelta(minutes=1)
"""How long a user's missing vectors are one worker's business."""
EMBED_WAIT = timedelta(minutes=5)
"""After a failure of the embedder."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write for one user, until it runs out or their epoch moves."""

    job_id: int
    user_id: int
    fence: int
    epoch: int
    has_lost_workers: bool = False
    """At the step at which it stands."""


REQUEST = """
    INSERT INTO memory_job (user_id, state, run_after, fence, attempts, step, reading, died_at, deaths, error)
    SELECT id, 'waiting', now(), 0, 0, '', '{}', '', 0, '' FROM memory_user WHERE id = ANY(%(users)s)
    ORDER BY id FOR KEY SHARE
    ON CONFLICT (user_id) DO UPDATE SET state = 'waiting', run_after = now(), attempts = 0, deaths = 0, error = ''
    WHERE memory_job.state IN ('done', 'failed')
"""


def request(user_ids: Iterable[int]) -> None:
    """Makes sure that each user's due episodes will be worked on. Repeating it changes nothing."""
    with scope.staff(), connection.cursor() as cursor:
        cursor.execute(REQUEST, {"users": list(user_ids)})


def due(user_ids: Collection[int] | None = None, *, limit: int = 500) -> list[int]:
    """Users (of these) whose job can run now, longest waiting first, and those whose episodes came due without one."""
    now = timezone.now()
    with scope.staff():
        runnable = _of(user_ids, Job.objects.runnable(now)).order_by("run_after").values_list("user", flat=True)[:limit]
        busy = Job.objects.filter(state__in=[JobState.WAITING, JobState.RUNNING]).values("user")
        waiting = _of(user_ids, Episode.objects.due(now)).filter(user__is_paused=False).exclude(user__in=busy)
        found, idle = list(runnable), list(waiting.order_by().values_list("user", flat=True).distinct()[:limit])
    if idle:
        request(idle)
    return found + idle


def orphans(*, limit: int = 500) -> list[int]:
    """Users whose job has lost its worker."""
    with scope.staff():
        lost = Job.objects.filter(state=JobState.RUNNING, lease_until__lt=timezone.now())
        return list(lost.order_by("lease_until").values_list("user", flat=True)[:limit])


def _of(user_ids: Collection[int] | None, rows: Any) -> Any:
    return rows if user_ids is None else rows.filter(user__in=user_ids)


def next_run(user_ids: Collection[int] | None = None) -> float | None:
    """Seconds until some job (of these users) that is under way or waits can be taken; None when there is none."""
    with scope.staff():
        busy = _of(user_ids, Job.objects.filter(state__in=[JobState.WAITING, JobState.RUNNING]))
        # A running one that ends in time is taken at its next start.
        first = busy.aggregate(at=Min(Coalesce("lease_until", "run_after")))["at"]
    return None if first is None else max(0.0, (first - timezone.now()).total_seconds())


PLAN_ONCE = "set_config('plan_cache_mode', 'force_generic_plan', true) || set_config('jit', 'off', true)"
"""For what a job's transactions run prepared: all of it by keys, so that its plan does not hang on the values."""

# A job that is still running when its lease is over has lost its worker at its step. The taking need not reach the
# disk: should it be lost with the server, the next fence is another one all the same, since it goes by the clock.
TAKE = f"""
    WITH mine AS (
        SELECT job.id, usr.epoch FROM memory_job job JOIN memory_user usr ON usr.id = job.user_id
        WHERE job.user_id = %(user)s AND (job.state = 'waiting' AND job.run_after <= clock_timestamp()
            OR job.state = 'running' AND job.lease_until < clock_timestamp())
        FOR UPDATE OF job SKIP LOCKED
    )
    UPDATE memory_job job SET state = 'running', lease_until = clock_timestamp() + %(lease)s,
        fence = greatest(fence + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint),
        deaths = CASE WHEN state <> 'running' THEN deaths WHEN died_at = step THEN deaths + 1 ELSE 1 END,
        died_at = CASE WHEN state = 'running' THEN step ELSE died_at END
    FROM mine WHERE job.id = mine.id
    RETURNING job.id, job.user_id, job.fence, mine.epoch, job.deaths, {PLAN_ONCE},
        set_config('synchronous_commit', 'off', true)
"""  # noqa: S608 - our own


def take(user_id: int) -> Lease | None:
    """Takes the user's job if it can run; None when it cannot, or has now cost too many workers. Inside their scope."""
    values: dict[str, Any] = {"user": user_id, "lease": LEASE}
    found = prepared.rows(TAKE, values)
    if not found:
        return None
    job_id, owner, fence, epoch, deaths, *_ = found[0]
    if deaths < MAX_DEATHS:
        return Lease(job_id, owner, fence, epoch, has_lost_workers=deaths > 0)
    job = Job.objects.get(pk=job_id)
    _give_up(job, f"its worker died {deaths} times at the same step: {job.died_at}", episodes=job.reading)
    return None


NOTE = """
    UPDATE memory_job SET step = %(step)s, reading = %(reading)s::bigint[], lease_until = clock_timestamp() + %(lease)s
    WHERE user_id = %(user)s AND id = %(job)s AND fence = %(fence)s AND state = 'running' RETURNING id
"""


def note(lease: Lease, step: str, *, episodes: Sequence[int] = ()) -> None:
    """Says what is about to be done, and renews the lease. Inside the scope. Raises LeaseLost when it is another's."""
    values: dict[str, Any] = {"user": lease.user_id, "job": lease.job_id, "fence": lease.fence, "lease": LEASE}
    if not prepared.rows(NOTE, values | {"step": step[:200], "reading": list(episodes)}):
        raise LeaseLost("another worker took over this job")


def beat(lease: Lease) -> None:
    """Renews the lease. Raises LeaseLost when the job is another's by now."""
    with scope.user(lease.user_id):
        job = Job.objects.filter(pk=lease.job_id, fence=lease.fence, state=JobState.RUNNING)
        if not job.update(lease_until=Now() + LEASE):
            raise LeaseLost("another worker took over this job")


def kept_alive(lease: Lease) -> AbstractContextManager[None]:
    """Renews the lease while the block waits for something slow."""
    return keeper().keep(partial(beat, lease))


HOLD = f"""
    WITH usr AS (SELECT id, epoch, is_paused FROM memory_user WHERE id = %(user)s FOR NO KEY UPDATE)
    SELECT job.fence, usr.epoch, usr.is_paused, {PLAN_ONCE} FROM memory_job job JOIN usr ON usr.id = job.user_id
    WHERE job.id = %(job)s AND job.state = 'running' FOR UPDATE OF job
"""  # noqa: S608 - our own


@contextmanager
def hold(lease: Lease) -> Iterator[bool]:
    """A transaction in the user's scope that may write: locks the user's row, asserts epoch and fence.

    Says whether the user has paused their memory. Raises LeaseLost when epoch or fence has moved; nothing is
    written then.
    """
    with scope.user(lease.user_id):
        found = prepared.rows(HOLD, {"user": lease.user_id, "job": lease.job_id})
        fence, epoch, is_paused, _ = found[0] if found else (None, None, None, None)
        if (fence, epoch) != (lease.fence, lease.epoch):
            raise LeaseLost("the lease ran out or the user was forgotten: nothing was written")
        yield bool(is_paused)


def progress(lease: Lease, step: str, *, episodes: Sequence[int] = ()) -> None:
    """Notes, inside `hold`, that a step came to its end and which is next: earlier deaths and failures are past."""
    Job.objects.filter(pk=lease.job_id).update(
        step=step[:200], reading=list(episodes), lease_until=Now() + LEASE, attempts=0, deaths=0, error=""
    )


FINISH = """
    UPDATE memory_job SET state = CASE WHEN more.is_due THEN 'waiting' ELSE 'done' END, run_after = clock_timestamp(),
        finished_at = CASE WHEN NOT more.is_due THEN clock_timestamp() END,
        step = '', reading = '{}', lease_until = NULL, attempts = 0, deaths = 0, error = ''
    FROM (SELECT %(more)s OR EXISTS (
        SELECT FROM memory_episode episode JOIN memory_user usr ON usr.id = episode.user_id
        WHERE episode.user_id = %(user)s AND episode.state = 'pending' AND episode.due_at <= clock_timestamp()
            AND NOT usr.is_paused
    ) AS is_due) more
    WHERE user_id = %(user)s AND id = %(job)s
"""


def finish(lease: Lease, *, has_more: bool = False) -> None:
    """Ends the job, inside `hold`; if there is more, or more came due while it ran, it waits for its turn to run again."""
    prepared.rows(FINISH, {"user": lease.user_id, "job": lease.job_id, "more": has_more})


def put_off(lease: Lease, error: ModelError) -> bool:
    """Puts the job off after a failed call, inside `hold`, by doubling waits and no less than the endpoint asked for.

    False after the sixth failure, or one that no retry can mend: then it is not put off any more.
    """
    job = Job.objects.get(pk=lease.job_id)
    job.attempts += 1
    if error.is_final or job.attempts >= MAX_ATTEMPTS:
        return False
    job.state, job.error, job.lease_until = JobState.WAITING, str(error)[:500], None
    job.run_after = timezone.now() + _wait(job.attempts, error)
    job.save()
    return True


def _wait(attempts: int, error: ModelError) -> timedelta:
    own = 2 ** (attempts - 1) * random.uniform(0.8, 1.2)  # noqa: S311 - spreads retries
    return timedelta(seconds=max(own, error.retry_after or 0))


def break_off(user_id: int, error: str) -> None:
    """Puts off the job that a fault of our own ended, as after a failed call; after the sixth time it fails visibly."""
    with scope.user(user_id):
        _lock([user_id])
        job = Job.objects.filter(state=JobState.RUNNING).first()
        if job is None:
            return
        job.attempts += 1
        if job.attempts >= MAX_ATTEMPTS:
            _give_up(job, error, episodes=job.reading)
            return
        job.state, job.error, job.lease_until = JobState.WAITING, error[:500], None
        job.run_after = timezone.now() + _wait(job.attempts, ModelError(error))
        job.save()


def fail(lease: Lease, error: ModelError, *, episodes: Iterable[int] | None = None) -> None:
    """Marks episodes failed with the reason, inside `hold`: these, or all that are due when nothing can be read.

    The job goes on with what is left. With nothing left it is failed and waits: for a person, or for new episodes.
    """
    if episodes is None:
        episodes = Episode.objects.due(timezone.now()).filter(user=lease.user_id).values_list("pk", flat=True)
    _give_up(Job.objects.get(pk=lease.job_id), str(error), episodes=episodes)


def _give_up(job: Job, error: str, *, episodes: Iterable[int]) -> None:
    own = Episode.objects.filter(user=job.user_id)
    own.pending().filter(pk__in=list(episodes)).update(state=State.FAILED, error=error[:500])
    has_more = own.due(timezone.now()).exists()
    job.state, job.error, job.lease_until = JobState.WAITING if has_more else JobState.FAILED, error[:500], None
    job.run_after, job.attempts, job.deaths = timezone.now(), 0, 0
    job.finished_at = None if has_more else timezone.now()
    job.save()


def is_waiting(user_id: int) -> bool:
    """Whether the user's job could run at once."""
    with scope.user(user_id):
        return Job.objects.runnable(timezone.now()).exists()


def retry_failed(user_ids: Iterable[int] | None = None) -> int:
    """Puts what failed back to work, for these users or all: episodes, jobs, questions; how many episodes that were."""
    whose = None if user_ids is None else list(user_ids)
    with scope.staff():
        failed = _of(whose, Episode.objects.filter(state=State.FAILED))
        unanswered = _of(whose, JudgedPair.objects.given_up())
        rows = (failed, unanswered, _of(whose, Job.objects.filter(state=JobState.FAILED)))
        owners = {user_id for some in rows for user_id in some.values_list("user_id", flat=True).distinct()}
        _lock(owners)
        unanswered.update(why="")
        count: int = failed.update(state=State.PENDING, error="", due_at=timezone.now())
    request(owners)
    return count


def _lock(user_ids: Collection[int]) -> None:
    """As every transaction does that changes several of a user's rows."""
    list(User.objects.select_for_update(no_key=True).filter(pk__in=user_ids).order_by("pk").values_list("pk"))


def hurry(user_id: int, *, backlog: int) -> None:
    """Makes a user's waiting episodes due at once when their unread turns reach `backlog`."""
    with scope.user(user_id), connection.cursor() as cursor:
        _lock([user_id])
        cursor.execute(
            "UPDATE memory_episode SET due_at = now() WHERE user_id = %s AND state = 'pending' AND due_at > now()"
            " AND (SELECT sum(turn_count - read_turns) FROM memory_episode"
            " WHERE user_id = %s AND state = 'pending') >= %s",
            [user_id, user_id, backlog],
        )


CLAIM_EMBEDDING = """
    INSERT INTO memory_job (user_id, state, run_after, fence, attempts, step, reading, died_at, deaths, error, embed_after)
    SELECT id, 'done', now(), 0, 0, '', '{}', '', 0, '', now() + %(pause)s FROM memory_user WHERE id = ANY(%(users)s)
    ORDER BY id FOR KEY SHARE
    ON CONFLICT (user_id) DO UPDATE SET embed_after = excluded.embed_after
    WHERE coalesce(memory_job.embed_after, '-infinity') <= now()
    RETURNING user_id
"""


def claim_embedding(user_ids: Iterable[int]) -> list[int]:
    """Those whose missing vectors nobody is making or waits to make again; one at a time while the embedder fails."""
    with scope.staff(), connection.cursor() as cursor:
        is_failing = Job.objects.filter(embed_after__gt=timezone.now() + EMBED_PAUSE).exists()
        free = _free(user_ids)[: 1 if is_failing else None]
        values: dict[str, Any] = {"users": free, "pause": EMBED_PAUSE}
        cursor.execute(CLAIM_EMBEDDING, values)
        return [user_id for (user_id,) in cursor.fetchall()]


def _free(user_ids: Iterable[int]) -> list[int]:
    wanted = list(user_ids)
    taken = Job.objects.filter(user__in=wanted, embed_after__gt=timezone.now()).values_list("user_id", flat=True)
    return sorted({*wanted} - {*taken})


def put_off_embedding(user_id: int) -> None:
    """After a failure of the embedder: this user's turn comes again in a while."""
    with scope.user(user_id):
        Job.objects.filter(user=user_id).update(embed_after=Now() + EMBED_WAIT)
