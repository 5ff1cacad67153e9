"""ChatGPT's export: conversations.json, each conversation a tree of messages under `mapping`."""

import re
from collections.abc import Iterator
from datetime import datetime

from memory.errors import InvalidEpisode
from memory.importing import branches
from memory.importing.fields import Raw, first, items, mapping, moment, role, string
from memory.types import Role

INSTRUCTIONS = "custom instructions"
_THINKING = ("thoughts", "reasoning_recap")
_TEXTS = ("title", "text", "result", "summary", "content", "model_set_context")
_FENCED = re.compile(r"```(.*)```", re.DOTALL)


def episodes(raw: Raw) -> Iterator[Raw]:
    """One conversation as one episode, or none if nothing was said in it.

    It stays open, as it may be longer in the next export. Raises InvalidEpisode.
    """
    nodes = _nodes(raw)
    start = moment(raw.get("create_time"), raw.get("update_time"))
    messages = [_message(str(node_id), mapping(node)) for node_id, node in nodes.items()]
    turns = branches.turns(messages, current=string(raw.get("current_node")), start=start)
    if turns and raw.get("is_do_not_remember") is not True:
        name = first(raw, "conversation_id", "id") or messages[0].id
        yield {"external_id": name, "session": name, "occurred_at": start, "turns": turns}


def _nodes(raw: Raw) -> Raw:
    nodes = raw.get("mapping")
    if isinstance(nodes, dict):
        return nodes
    found = "is missing" if nodes is None else "is not an object that holds the messages by their ids"
    raise InvalidEpisode(f"mapping: {found}, so this is no conversation of ChatGPT.")


def _message(node_id: str, node: Raw) -> branches.Message:
    message = mapping(node.get("message"))
    author = mapping(message.get("author"))
    content, speaker, name = _said(message, role(author.get("role")), string(author.get("name")))
    at: datetime | None = moment(message.get("create_time"))
    return branches.Message(node_id, string(node.get("parent")) or None, speaker, content, at, name)


def _said(message: Raw, speaker: Role, name: str) -> tuple[str, Role, str]:
    """What was said, by whom: custom instructions are the user's own words, ChatGPT's memory is not."""
    content = mapping(message.get("content"))
    instructions = _instructions(message, content)
    if instructions:
        return instructions, Role.USER, INSTRUCTIONS
    if _is_hidden(message) or content.get("content_type") in _THINKING:
        return "", speaker, name
    if content.get("content_type") == "model_editable_context":
        return _text(content), Role.SYSTEM, "memory"
    return _text(content), speaker, name


def _instructions(message: Raw, content: Raw) -> str:
    told = mapping(mapping(message.get("metadata")).get("user_context_message_data"))
    own = [string(told.get(key)) for key in ("about_user_message", "about_model_message")]
    if content.get("content_type") == "user_editable_context" and not any(own):
        own = [_unfenced(string(content.get(key))) for key in ("user_profile", "user_instructions")]
    return "\n\n".join(part.strip() for part in own if part.strip())


def _unfenced(wrapped: str) -> str:
    """ChatGPT wraps the user's words into an explanation of its own, between fences."""
    fenced = _FENCED.search(wrapped)
    return fenced.group(1) if fenced else wrapped


def _is_hidden(message: Raw) -> bool:
    metadata = mapping(message.get("metadata"))
    return message.get("weight") == 0 or metadata.get("is_visually_hidden_from_conversation") is True


def _text(content: Raw) -> str:
    if "parts" in content:
        return "\n".join(part for raw in items(content["parts"]) if (part := _part(raw)))
    return "\n".join(string(content[key]) for key in _TEXTS if string(content.get(key)))


def _part(raw: object) -> str:
    part = mapping(raw)
    if part.get("content_type") == "image_asset_pointer":
        return "[image]"
    return string(raw) or string(part.get("text"))
