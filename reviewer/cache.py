"""Django's cache on the broker's Valkey or Redis, so that counts are the same for all processes."""

from typing import Any

from django.core.cache.backends.redis import RedisCache
from django.utils.functional import cached_property

from reviewer.celery import broker_url


class BrokerCache(RedisCache):
    """Finds the server when it is first used: the embedded one may have to be started for that."""

    @cached_property
    def _cache(self) -> Any:
        return self._class([broker_url()], **self._options)
