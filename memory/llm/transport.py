"""A connection that ends: one deadline over everything a call does, and a limit on what it may bring back."""

import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, override

import httpcore2
import httpx2

MAX_BYTES = 8 * 1024 * 1024

_ends_at: ContextVar[float] = ContextVar("ends_at")


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Bounds all network waits of this thread inside the block, taken together."""
    token = _ends_at.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _ends_at.reset(token)


def http_client(*, max_bytes: int = MAX_BYTES) -> httpx2.Client:
    """Follows no redirect, asks no proxy, and takes nothing from the environment."""
    return httpx2.Client(
        transport=_Transport(max_bytes=max_bytes),
        follow_redirects=False,
        trust_env=False,
        timeout=None,
    )


def _left(_timeout: float | None) -> float:
    left = _ends_at.get() - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the deadline of the call has passed")
    return left


class _Stream(httpcore2.NetworkStream):
    """Gives every wait what is left of the call. A drip of bytes otherwise renews the timeout for ever."""

    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner

    @override
    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, _left(timeout))

    @override
    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _left(timeout))

    @override
    def close(self) -> None:
        self._inner.close()

    @override
    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, _left(timeout)))

    @override
    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Backend(httpcore2.SyncBackend):
    @override
    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        return _Stream(super().connect_tcp(host, port, _left(timeout), local_address, socket_options))


class _Body(httpx2.SyncByteStream):
    def __init__(self, inner: httpx2.SyncByteStream, max_bytes: int) -> None:
        self._inner = inner
        self._max_bytes = max_bytes

    @override
    def __iter__(self) -> Iterator[bytes]:
        seen = 0
        for part in self._inner:
            seen += len(part)
            if seen > self._max_bytes:
                raise httpx2.ReadError("the answer is too long")
            yield part

    @override
    def close(self) -> None:
        self._inner.close()


class _Transport(httpx2.HTTPTransport):
    def __init__(self, *, max_bytes: int) -> None:
        super().__init__(trust_env=False)
        self._max_bytes = max_bytes
        self._pool = httpcore2.ConnectionPool(
            ssl_context=httpx2.create_ssl_context(trust_env=False),
            max_connections=20,
            keepalive_expiry=5.0,
            network_backend=_Backend(),
        )

    @override
    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        request.headers["Accept-Encoding"] = "identity"
        response = super().handle_request(request)
        # What is packed may unpack to anything: its length on the wire would bound nothing.
        if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
            response.close()
            raise httpx2.ReadError("the answer is compressed, though that was not asked for")
        stream = response.stream
        assert isinstance(stream, httpx2.SyncByteStream)  # noqa: S101 - narrows the type
        response.stream = _Body(stream, self._max_bytes)
        return response
