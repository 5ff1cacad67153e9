"""Exports in small, in the shapes that the real ones have."""

import json
import zipfile
from pathlib import Path
from typing import Any

from memory.importing import Broken, read
from memory.incoming import IncomingEpisode

NOON = 1_709_985_600.0  # 9 March 2024, 12:00 UTC


def write(folder: Path, content: object, name: str = "conversations.json") -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def pack(folder: Path, members: dict[str, object], name: str = "export.zip") -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in members.items():
            archive.writestr(member, content if isinstance(content, str) else json.dumps(content))
    return path


def episodes(path: Path, **options: Any) -> list[IncomingEpisode]:
    """All of a file that is sound throughout."""
    records = list(read(path, **options))
    assert [record for record in records if isinstance(record, Broken)] == []
    return [record for record in records if isinstance(record, IncomingEpisode)]


def broken(path: Path, **options: Any) -> list[tuple[str, str]]:
    return [(r.position, r.why) for r in read(path, **options) if isinstance(r, Broken)]


def said(episode: IncomingEpisode) -> list[tuple[str, str]]:
    return [(turn.role.value, turn.content) for turn in episode.turns]


def line(name: str = "e-1", content: str = "I live in Oslo.", **fields: Any) -> str:
    turns = [{"role": "user", "content": content}]
    return json.dumps({"external_id": name, "turns": turns, **fields}) + "\n"


def node(
    name: str, parent: str | None, role: str = "user", content: object = None, **message: Any
) -> tuple[str, dict[str, Any]]:
    """A node of ChatGPT's mapping; text by default, dated by the number in its name."""
    content = {"content_type": "text", "parts": [content]} if isinstance(content, str) else content
    author = {"role": role, "name": message.pop("by", None), "metadata": {}}
    fields = {"id": name, "author": author, "create_time": NOON + int(name.strip("abcm") or 0), "content": content}
    defaults = {"status": "finished_successfully", "weight": 1.0, "metadata": {}, "recipient": "all"}
    body = {**fields, **defaults, **message}
    return name, {"id": name, "message": body, "parent": parent, "children": []}


def chatgpt(*nodes: tuple[str, dict[str, Any]], current: str | None = None, **fields: Any) -> dict[str, Any]:
    root = ("root", {"id": "root", "message": None, "parent": None, "children": []})
    return {
        "title": "A talk",
        "create_time": NOON,
        "update_time": NOON + 99,
        "mapping": dict([root, *nodes]),
        "moderation_results": [],
        "current_node": current or nodes[-1][0],
        "conversation_id": "c-1",
        "id": "c-1",
        **fields,
    }


def claude_message(number: int, sender: str, text: str = "", **fields: Any) -> dict[str, Any]:
    at = f"2024-03-09T12:00:{number:02}.000000Z"
    blocks = [{"type": "text", "text": text, "citations": []}] if text else []
    return {
        "uuid": f"m{number}",
        "text": text,
        "content": blocks,
        "sender": sender,
        "created_at": at,
        "updated_at": at,
        "attachments": [],
        "files": [],
        **fields,
    }


def claude(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "uuid": "k-1",
        "name": "A talk",
        "created_at": "2024-03-09T12:00:00.000000Z",
        "updated_at": "2024-03-09T12:30:00.000000Z",
        "account": {"uuid": "a-1"},
        "chat_messages": list(messages),
        **fields,
    }
