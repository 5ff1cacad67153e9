"""Celery's shells: take an id, call one function. A message is a nudge; losing or repeating it changes nothing."""

import logging
import traceback
from functools import cache

from celery import shared_task
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from memory import embedding, engine, exports, jobs, pipeline, policies, scope, stemming
from memory import upkeep as upkeeping
from memory.errors import Busy
from memory.mine import transfers, working
from memory.review import grounds, offering, reports

AHEAD = "ahead"
"""The queue that workers look at first."""
NUDGE_SECONDS = 30
"""What a sweep published and nobody came to by then, later sweeps have published again."""
log = logging.getLogger(__name__)


@cache
def _engine() -> pipeline.Engine:
    return engine.configured()


def attempt(user_id: int, engine: pipeline.Engine) -> bool:
    """Runs one user's job, as `pipeline.process` does. A fault of our own is put on record where people see it.

    The record names the kind of fault and its place, never what was being read. A database that is away is no
    such fault: the lease runs out, and the job is taken up again.
    """
    try:
        return pipeline.process(user_id, engine)
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, it must not end in silence
        fault = f"a fault of Assay's own: {_fault(error)}"
        log.error("the job of user %s broke off: %s", user_id, fault)  # noqa: TRY400 - a traceback could quote content
        jobs.break_off(user_id, fault)
        return True


def _fault(error: Exception) -> str:
    """What it is and where, without its words: they could quote content."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {place.name}, line {place.lineno}"


@shared_task
def work(user_id: int) -> None:
    """Runs one user's job, if nobody else does. With more left it queues again, behind the others."""
    if attempt(user_id, _engine()) and jobs.is_waiting(user_id):
        work.delay(user_id)


@shared_task
def sweep() -> None:
    """Publishes again whatever can run: what a lost message, a dead worker or a passed wait left behind."""
    orphans = jobs.orphans()
    for user_id in orphans:
        work.apply_async((user_id,), expires=NUDGE_SECONDS, queue=AHEAD)
    for user_id in jobs.due():
        if user_id not in orphans:
            work.apply_async((user_id,), expires=NUDGE_SECONDS)
    for predicate in offering.unspread():
        spread.apply_async((predicate,), expires=NUDGE_SECONDS)
    for user_id, transfer_id in transfers.due():
        transfer.apply_async((user_id, transfer_id), expires=NUDGE_SECONDS)
    embedder = _engine().embedder
    if embedder is not None:
        for user_id in jobs.claim_embedding(embedding.stale_owners(embedder)):
            embed.apply_async((user_id,), expires=NUDGE_SECONDS)


@shared_task
def embed(user_id: int) -> None:
    """Makes the vectors that a user's facts lack, as after a change of the embedding model."""
    if not embedding.refresh(_engine().embedder, user_id=user_id):
        jobs.put_off_embedding(user_id)


@shared_task
def spread(predicate: str) -> None:
    """Folds anew what stands on a predicate that may have many values since, one person at a time."""
    log.info("the facts of %d people were gone through for a predicate", offering.spread(predicate))


@shared_task
def transfer(user_id: int, transfer_id: int) -> None:
    """Makes a member's export, or reads the file that they brought, if nobody else is at it."""
    taken = transfers.take(user_id, transfer_id)
    if taken is None:
        return
    hold, row = taken
    try:
        working.work(hold, row)
    except (OperationalError, InterfaceError):
        raise  # the lease runs out, and it is taken up again
    except Exception as error:  # noqa: BLE001 - whatever it is, it must not end in silence
        log.error("transfer %s broke off: %s", transfer_id, _fault(error))  # noqa: TRY400 - a traceback could quote content
        transfers.fail(hold, "fault")


@shared_task
def restem(user_id: int) -> None:
    """Has search stem what somebody said in the language that they changed to."""
    stemming.catch_up(user_id)


@shared_task
def tidy() -> None:
    """Removes exports and brought files whose day is over."""
    transfers.sweep()
    exports.sweep(now=timezone.now())


@shared_task
def upkeep() -> None:
    """The nightly pass: what fades, ends or is too many lapses."""
    with scope.staff():
        policy = policies.current()
    changed = upkeeping.run(policy)
    log.info("upkeep: %d facts changed", changed)
    with scope.staff():
        behind = stemming.behind()
    for user_id in behind:
        restem.delay(user_id)


@shared_task
def build_report(kind: str, about: str = "") -> None:
    """Builds one report, if nobody has meanwhile; with more to do it queues again, behind the others.

    What computes and draws takes seconds to load, and is wanted here alone.
    """
    from memory.review import building  # noqa: PLC0415

    with scope.staff():
        if not reports.is_due(kind, about):
            return
    try:
        building.build(kind, about)
    except Busy:
        return  # not built yet: the timer asks again, in case whoever is at it is lost
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, the page must say so
        fault = _fault(error)
        log.error("report %s %s was not built: %s", kind, about, fault)  # noqa: TRY400 - a traceback could quote content
        with scope.staff():
            reports.break_off(kind, about, fault)
    with scope.staff():
        is_left = reports.is_due(kind, about)
    if is_left:
        build_report.delay(kind, about)


@shared_task
def refresh_reports() -> None:
    """Publishes again what was asked for and is not built, and what has grown old."""
    with scope.staff():
        grounds.renew()
        due = reports.due()
    for kind, about in due:
        build_report.apply_async((kind, about), expires=NUDGE_SECONDS)


@shared_task
def canary() -> None:
    """Proves that workers get things done: a live process alone proves nothing."""
