"""Celery's shells: take an id, call one function. A message is a nudge; losing or repeating it changes nothing."""

import logging
from functools import cache

from celery import shared_task

from memory import embedding, engine, jobs, pipeline, policies, scope
from memory import upkeep as upkeeping

log = logging.getLogger(__name__)


@cache
def _engine() -> pipeline.Engine:
    return engine.configured()


@shared_task
def work(user_id: int) -> None:
    """Runs one user's job, if nobody else does."""
    pipeline.process(user_id, _engine())


@shared_task
def sweep() -> None:
    """Publishes again whatever can run: what a lost message, a dead worker or a passed wait left behind."""
    for user_id in jobs.due():
        work.delay(user_id)
    embedder = _engine().embedder
    if embedder is not None:
        for user_id in embedding.stale_owners(embedder):
            embed.delay(user_id)


@shared_task
def embed(user_id: int) -> None:
    """Makes the vectors that a user's facts lack, as after a change of the embedding model."""
    embedding.refresh(_engine().embedder, user_id=user_id)


@shared_task
def upkeep() -> None:
    """The nightly pass: what fades, ends or is too many lapses."""
    with scope.staff():
        policy = policies.current()
    changed = upkeeping.run(policy)
    log.info("upkeep: %d facts changed", changed)


@shared_task
def canary() -> None:
    """Proves that workers get things done: a live process alone proves nothing."""
