"""Telling the workers that there is something to learn. What is not told is found by the sweep."""

import logging

from django.utils import timezone

from memory import jobs, policies, scope, tasks
from memory.models import Episode
from reviewer.celery import BROKER_AWAY

log = logging.getLogger(__name__)


def learn(user_id: int) -> None:
    """Makes a job of what is due by now, if anything is, and publishes it; outside of any transaction."""
    jobs.hurry(user_id, backlog=policies.current().thresholds.batch_turns)
    with scope.user(user_id):
        is_due = Episode.objects.due(timezone.now()).filter(user=user_id).exists()
    if is_due:
        jobs.request([user_id])
        _publish(user_id)


def _publish(user_id: int) -> None:
    try:
        tasks.work.delay(user_id)
    except BROKER_AWAY:
        log.warning("the broker is away: the job waits for the sweep")
