"""The only door to a model: one Protocol to complete, one to embed, and the real things behind them."""

from memory.llm.doors import Call, Embedder, Model, Name, Reply
from memory.llm.embedders import Endpoint as EndpointEmbedder
from memory.llm.embedders import Local as LocalEmbedder
from memory.llm.embedders import embedder
from memory.llm.endpoint import Endpoint, client
from memory.llm.parsing import parse
from memory.llm.settings import Settings, from_environment

__all__ = [
    "Call",
    "Embedder",
    "Endpoint",
    "EndpointEmbedder",
    "LocalEmbedder",
    "Model",
    "Name",
    "Reply",
    "Settings",
    "client",
    "embedder",
    "from_environment",
    "parse",
]
