"""The cache as signing in uses it: where nothing can be counted, nobody is kept out."""

import logging
from collections.abc import Callable
from typing import Any

from reviewer.cache import BrokerCache
from reviewer.celery import BROKER_AWAY

log = logging.getLogger(__name__)


class ForgivingCache(BrokerCache):
    """Answers as an empty one while the server is away. `incr` fails as ever: the API's limits have a way of their own."""

    def add(self, *args: Any, **kwargs: Any) -> Any:
        return _or(True, super().add, *args, **kwargs)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return _or(default, super().get, key, default=default, version=version)

    def set(self, *args: Any, **kwargs: Any) -> Any:
        return _or(None, super().set, *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        return _or(False, super().delete, *args, **kwargs)


def _or(otherwise: Any, ask: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    try:
        return ask(*args, **kwargs)
    except BROKER_AWAY:
        log.warning("tries to sign in are not counted: the cache does not answer")
        return otherwise
