from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.memory.importing.files import broken, claude, claude_message, episodes, said, write

_NOON = datetime(2024, 3, 9, 12, tzinfo=UTC)


def _said(tmp_path: Path, *messages: dict[str, Any], **fields: Any) -> list[tuple[str, str]]:
    (episode,) = episodes(write(tmp_path, [claude(*messages, **fields)]))
    return said(episode)


def test_plain_conversation_becomes_one_open_episode(tmp_path: Path) -> None:
    conversation = claude(claude_message(1, "human", "I live in Oslo."), claude_message(2, "assistant", "Nice."))

    (episode,) = episodes(write(tmp_path, [conversation]))

    assert (episode.external_id, episode.session, episode.closed) == ("k-1", "k-1", False)
    assert episode.occurred_at == _NOON
    assert [(turn.role, turn.content, turn.at, turn.ref) for turn in episode.turns] == [
        ("user", "I live in Oslo.", _NOON + timedelta(seconds=1), "m1"),
        ("assistant", "Nice.", _NOON + timedelta(seconds=2), "m2"),
    ]


def test_older_export_without_content_blocks_uses_its_text(tmp_path: Path) -> None:
    message = claude_message(1, "human", "I live in Oslo.")
    del message["content"]

    assert _said(tmp_path, message) == [("user", "I live in Oslo.")]


def test_tool_result_is_the_tools_and_thinking_is_nobodys(tmp_path: Path) -> None:
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "name": "web_search", "input": {"query": "x"}},
        {"type": "tool_result", "name": "web_search", "content": [{"type": "text", "text": "Found it."}]},
        {"type": "text", "text": "Here."},
    ]
    placeholder = "This block is not supported on your current device yet."
    message = claude_message(2, "assistant", content=blocks, text=placeholder)

    turns = _said(tmp_path, claude_message(1, "human", "Search."), message)

    assert turns == [("user", "Search."), ("tool", "Found it."), ("assistant", "Let me look.\n\nHere.")]


def test_attached_document_is_not_the_users_words(tmp_path: Path) -> None:
    attached = [{"file_name": "cv.txt", "file_type": "txt", "extracted_content": "I live in Paris."}]
    message = claude_message(1, "human", "Shorten this.", attachments=attached, files=[{"file_name": "cat.png"}])

    turns = _said(tmp_path, message)

    assert turns == [("system", "I live in Paris."), ("user", "Shorten this.\n[file: cat.png]")]


def test_message_that_answers_another_branch_is_told_as_one(tmp_path: Path) -> None:
    turns = _said(
        tmp_path,
        claude_message(1, "human", "What should I cook?", parent_message_uuid="00000000-0000-4000-8000-000000000000"),
        claude_message(2, "assistant", "Do you eat meat?", parent_message_uuid="m1"),
        claude_message(3, "human", "No, I am vegan.", parent_message_uuid="m2"),
        claude_message(4, "assistant", "Lentils.", parent_message_uuid="m3"),
        claude_message(5, "human", "Tell me about trains instead.", parent_message_uuid="m2"),
        claude_message(6, "assistant", "Rails.", parent_message_uuid="m5"),
    )

    assert turns == [
        ("user", "What should I cook?"),
        ("assistant", "Do you eat meat?"),
        ("user", "No, I am vegan."),
        ("system", "Back to an earlier point of this conversation."),
        ("user", "Tell me about trains instead."),
        ("assistant", "Rails."),
    ]


def test_deleted_conversation_gives_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, [claude(), claude(claude_message(1, "human", ""), claude_message(2, "human", "Hi"))])

    assert [said(episode) for episode in episodes(path)] == [[("user", "Hi")]]


@pytest.mark.parametrize("fields", [{"chat_messages": None}, {"uuid": None}, {"uuid": "a\u200bb"}])
def test_broken_conversation_is_reported_with_its_place(tmp_path: Path, fields: dict[str, Any]) -> None:
    message = claude_message(1, "human", "Hi")
    path = write(tmp_path, [claude(message), claude(message, **fields)])

    assert [position for position, _ in broken(path)] == ["conversations.json: record 2"]


def test_unknown_sender_is_evidence_for_nothing(tmp_path: Path) -> None:
    turns = _said(tmp_path, claude_message(1, "narrator", "Once."), claude_message(2, "human", "Hi"))

    assert turns == [("system", "Once."), ("user", "Hi")]
