"""Django's cache on the broker's Valkey or Redis, so that counts are the same for all processes."""

from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from django.utils.functional import cached_property

from reviewer.celery import broker_url


class BrokerCache(RedisCache):
    """Finds the server when it is first used: the embedded one may have to be started for that."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._given: dict[str, Any] = params.get("OPTIONS", {})

    @cached_property
    def _cache(self) -> RedisCacheClient:
        return self._reach(broker_url())

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """In one call: a count that is missing begins here, and lasts as long as anything that is kept without saying."""
        name = self.make_and_validate_key(key, version=version)
        count: int = self._client.incrby(name, delta)
        if count == delta:
            self._client.expire(name, self.get_backend_timeout())
        return count

    @cached_property
    def _client(self) -> Any:
        return self._cache.get_client(write=True)

    def _reach(self, url: str) -> RedisCacheClient:
        return RedisCacheClient([url], **self._given)
