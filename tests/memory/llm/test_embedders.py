import json
from typing import Any

import pytest

from memory import llm
from memory.errors import ModelError
from tests.memory.llm.conftest import ConnectEmbedder
from tests.scripted_server import DIMENSIONS, ScriptedServer, vector


def test_embed_many_texts_go_in_batches_and_keep_their_order(embedder: ConnectEmbedder) -> None:
    texts = [f"text {n}" for n in range(150)]
    with ScriptedServer() as server:
        vectors = embedder(server).embed(texts)

    assert vectors == [vector(text) for text in texts]
    assert [len(r.body["input"]) for r in server.embeddings] == [64, 64, 22]


def test_embed_nothing_asks_nothing(embedder: ConnectEmbedder) -> None:
    with ScriptedServer() as server:
        vectors = embedder(server).embed([])

    assert vectors == []
    assert server.requests == []


def test_embed_dimensions_are_sent_only_if_given(embedder: ConnectEmbedder) -> None:
    with ScriptedServer() as server:
        embedder(server).embed(["a"])
        embedder(server, DIMENSIONS).embed(["a"])

    assert [r.body.get("dimensions") for r in server.embeddings] == [None, DIMENSIONS]


def test_name_carries_model_and_size(embedder: ConnectEmbedder) -> None:
    with ScriptedServer() as server:
        learnt, given = embedder(server), embedder(server, DIMENSIONS)
        names = [learnt.name, given.name, learnt.name]

    assert names == [f"embed-small@{DIMENSIONS}"] * 3
    assert len(server.embeddings) == 1


def test_embed_blank_and_broken_text_is_sent_as_something(embedder: ConnectEmbedder) -> None:
    with ScriptedServer() as server:
        embedder(server).embed(["", " \n", "a\ud83d\0b"])

    assert server.embeddings[0].body["input"] == ["-", "-", "ab"]


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        [float("nan")] * DIMENSIONS,
        [float("inf")] * DIMENSIONS,
        ["x"] * DIMENSIONS,
        None,
        {},
        [1.0] * (DIMENSIONS - 1),
    ],
)
def test_embed_vector_that_is_none_is_an_error(embedder: ConnectEmbedder, wrong: Any) -> None:
    def embed(text: str) -> Any:
        return wrong if text == "b" else vector(text)

    with ScriptedServer(embed=embed) as server, pytest.raises(ModelError):
        embedder(server).embed(["a", "b"])


def test_embed_size_other_than_asked_for_is_an_error(embedder: ConnectEmbedder) -> None:
    with ScriptedServer() as server, pytest.raises(ModelError):
        embedder(server, DIMENSIONS + 1).embed(["a"])


def test_embed_nobody_listening_is_an_error(embedder: ConnectEmbedder) -> None:
    with pytest.raises(ModelError):
        embedder("http://127.0.0.1:1/v1").embed(["a"])


def test_local_embedder_likens_what_means_the_same() -> None:
    local = llm.embedder(llm.Settings(embedding_model="local"))
    assert local is not None

    [question] = local.embed(["where does she live"], is_query=True)
    [home, food] = local.embed(["She lives in Bergen", "She is allergic to nuts"])

    assert (local.name, local.dimensions) == ("local:multilingual-e5-small", 384)
    assert [len(v) for v in (question, home, food)] == [384] * 3
    assert _dot(question, home) > _dot(question, food)
    assert local.embed([]) == []


def test_embedder_none_is_none() -> None:
    assert llm.embedder(llm.Settings(embedding_model="none")) is None


def test_embedder_is_one_for_the_same_settings() -> None:
    settings = llm.Settings(embedding_model="embed-small")

    assert llm.embedder(settings) is llm.embedder(settings)


def test_vectors_are_json_numbers() -> None:
    local = llm.LocalEmbedder()

    assert len(json.loads(json.dumps(local.embed(["a", "b"])))) == 2


def _dot(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
