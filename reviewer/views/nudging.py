"""Handing work to the workers from a page. What a broker that is away does not take, the sweep finds."""

import logging
from typing import Any

from reviewer.celery import BROKER_AWAY

log = logging.getLogger(__name__)


def nudge(task: Any, *arguments: Any) -> None:
    """Publishes a task; outside of any transaction."""
    try:
        task.delay(*arguments)
    except BROKER_AWAY:
        log.warning("the broker is away: %s waits for the sweep", task.name)
