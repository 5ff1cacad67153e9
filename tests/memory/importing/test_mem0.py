from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory.importing import Broken, read
from tests.memory.importing.files import broken, episodes, write

_CREATED, _UPDATED = "2024-03-09T12:00:00-08:00", "2024-05-01T09:30:00Z"


def _memory(name: str = "m-1", text: str = "User is vegan", **fields: Any) -> dict[str, Any]:
    shown = {"id": name, "memory": text, "hash": "h", "metadata": None, "categories": ["food"], "user_id": "ada"}
    return {**shown, "created_at": _CREATED, "updated_at": None, **fields}


@pytest.mark.parametrize(
    "wrap", [lambda found: found, lambda found: {"results": found}, lambda found: {"results": found, "relations": []}]
)
def test_memory_becomes_an_episode_of_the_document(tmp_path: Path, wrap: Any) -> None:
    (episode,) = episodes(write(tmp_path, wrap([_memory()]), "mem0.json"))

    at = datetime(2024, 3, 9, 20, tzinfo=UTC)
    assert (episode.external_id, episode.document, episode.session, episode.user) == ("m-1", "mem0", "mem0", "ada")
    assert (episode.occurred_at, episode.closed) == (at, True)
    assert [(turn.role, turn.content) for turn in episode.turns] == [("user", "User is vegan")]


def test_rewritten_memory_is_another_episode_of_its_time(tmp_path: Path) -> None:
    path = write(tmp_path, [_memory(), _memory(updated_at=_UPDATED, text="User eats fish")], "mem0.json")

    first, second = episodes(path)

    assert (first.external_id, second.external_id) == ("m-1", "m-1@2024-05-01T09:30:00")
    assert second.occurred_at == datetime(2024, 5, 1, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize("fields", [{"text": ""}, {"text": "\u200b"}, {"name": ""}, {"user_id": 5}])
def test_unusable_memory_is_reported_and_the_rest_goes_in(tmp_path: Path, fields: dict[str, Any]) -> None:
    path = write(tmp_path, {"results": [_memory("a"), _memory(**fields), _memory("c")]}, "mem0.json")

    names = [record.external_id for record in read(path) if not isinstance(record, Broken)]

    assert names == ["a", "c"]
    assert [position for position, _ in broken(path)] == ["mem0.json: record 2"]
