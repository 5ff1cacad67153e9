"""What a caller sees of a model: a call, its reply, and the two Protocols."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from pydantic import BaseModel

type Name = Literal["extraction", "judgement", "retrieval_plan", "answer"]


@dataclass(frozen=True, slots=True)
class Call:
    """One question to a model. `name` goes out as the name of the response format."""

    name: Name
    system: str
    user: str
    schema: type[BaseModel]
    prompt_version: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """A usable answer. `data` is an instance of the call's schema; `raw_text` is cleaned, fit to store."""

    data: Any
    tokens_in: int = 0
    tokens_out: int = 0
    latency_ms: int = 0
    model: str = ""
    prompt_version: str = ""
    raw_text: str = ""


class Model(Protocol):
    """Answers a call once. Raises `errors.ModelError`; waiting and trying again is the caller's."""

    @property
    def name(self) -> str: ...

    def complete(self, call: Call) -> Reply: ...


class Embedder(Protocol):
    """Turns texts into vectors of `dimensions` numbers. Vectors of different `name` are never compared."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> list[list[float]]: ...
