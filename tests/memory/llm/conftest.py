from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest

from memory import llm
from tests.scripted_server import ScriptedServer

type Connect = Callable[..., llm.Endpoint]
type ConnectEmbedder = Callable[..., llm.EndpointEmbedder]


@pytest.fixture
def endpoint() -> Iterator[Connect]:
    """Clients of a scripted server, or of an address; closed at the end."""
    with ExitStack() as stack:

        def connect(server: ScriptedServer | str, *, max_bytes: int = 8_000_000, **settings: Any) -> llm.Endpoint:
            url = server if isinstance(server, str) else server.url
            made = llm.Endpoint(llm.Settings("k-1", url, "tiny", **settings), max_bytes=max_bytes)
            return stack.enter_context(closing(made))

        yield connect


@pytest.fixture
def embedder() -> Iterator[ConnectEmbedder]:
    """Embedders of a scripted server, or of an address; closed at the end."""
    with ExitStack() as stack:

        def connect(server: ScriptedServer | str, dimensions: int | None = None) -> llm.EndpointEmbedder:
            url = server if isinstance(server, str) else server.url
            settings = llm.Settings(base_url=url, embedding_model="embed-small", embedding_dimensions=dimensions)
            return stack.enter_context(closing(llm.EndpointEmbedder(settings)))

        yield connect
