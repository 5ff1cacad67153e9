"""How often a key may be used: a count a minute, kept in Valkey or Redis for all processes together."""

import logging
import time

from django.conf import settings
from django.core.cache import cache

from reviewer.api.problems import Problem
from reviewer.celery import BROKER_AWAY

log = logging.getLogger(__name__)

WINDOW = 60
_REST = 5.0  # seconds in which a cache that did not answer is not asked again

_resting = {"until": 0.0}


def count(name: str) -> None:
    """Counts one use. Raises Problem 429 over the limit. Where nothing can be counted, nobody is kept out."""
    limit = settings.ASSAY_RATE_LIMIT
    if not limit or time.monotonic() < _resting["until"]:
        return
    now = int(time.time())
    try:
        used = _increased(f"uses:{name}:{now // WINDOW}")
    except BROKER_AWAY:
        log.warning("requests are not counted: the cache does not answer")
        _resting["until"] = time.monotonic() + _REST
        return
    if used > limit:
        wait = WINDOW - now % WINDOW
        detail = f"This key may be used {limit} times a minute. Wait {wait} seconds; episodes can be sent 100 a call."
        raise Problem(429, detail, headers={"Retry-After": str(wait)})


def _increased(name: str) -> int:
    try:
        return cache.incr(name)
    except ValueError:  # the first in its minute
        cache.add(name, 0, timeout=2 * WINDOW)
        return cache.incr(name)
