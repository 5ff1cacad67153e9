"""Claude's export: conversations.json, each conversation a list of `chat_messages`."""

from collections.abc import Iterator

from memory.errors import InvalidEpisode
from memory.importing import branches
from memory.importing.branches import Message
from memory.importing.fields import Raw, first, items, mapping, moment, role, string
from memory.types import Role

ATTACHMENT = "attachment"
_SENDERS = {"human": Role.USER, "assistant": Role.ASSISTANT}


def episodes(raw: Raw) -> Iterator[Raw]:
    """One conversation as one episode, or none if nothing was said in it.

    It stays open, as it may be longer in the next export. Raises InvalidEpisode.
    """
    said = raw.get("chat_messages")
    if not isinstance(said, list):
        raise InvalidEpisode("chat_messages: is missing, so this is no conversation of Claude.")
    start = moment(raw.get("created_at"), raw.get("updated_at"))
    leaf = string(raw.get("current_leaf_message_uuid"))
    turns = branches.turns(_messages(said), current=leaf or None, start=start)
    if turns:
        name = first(raw, "uuid", "id")
        yield {"external_id": name, "session": name, "occurred_at": start, "turns": turns}


def _messages(said: list[object]) -> Iterator[Message]:
    """Newer exports say which message each one answers; in older ones each answers the one before."""
    is_tree = any(mapping(raw).get("parent_message_uuid") for raw in said)
    before: str | None = None
    for index, raw in enumerate(said):
        message = mapping(raw)
        name = first(message, "uuid") or f"message {index}"
        parent = string(message.get("parent_message_uuid")) or None if is_tree else before
        yield from _chain(name, parent, message)
        before = name


def _chain(name: str, parent: str | None, message: Raw) -> Iterator[Message]:
    """The parts of a message, each answering the one before; the last has the message's own name."""
    parts = _parts(message) or [(role(message.get("sender")), "", "")]
    at = moment(message.get("created_at"))
    for number, (speaker, by, content) in enumerate(parts, start=1):
        own = name if number == len(parts) else f"{name}/{number}"
        yield Message(own, parent, speaker, content, at, by)
        parent = own


def _parts(message: Raw) -> list[tuple[Role, str, str]]:
    """What others wrote is apart from what the sender said: attached documents, results of tools."""
    speaker = _SENDERS.get(string(message.get("sender")), Role.SYSTEM)
    attached = [mapping(raw) for raw in items(message.get("attachments"))]
    parts = [(Role.SYSTEM, ATTACHMENT, string(raw.get("extracted_content"))) for raw in attached]
    parts += [(Role.TOOL, name, content) for name, content in _results(message)]
    parts.append((speaker, "", _text(message)))
    return [part for part in parts if part[2].strip()]


def _results(message: Raw) -> Iterator[tuple[str, str]]:
    for raw in items(message.get("content")):
        block = mapping(raw)
        if block.get("type") == "tool_result":
            content = block.get("content")
            texts = [string(mapping(part).get("text")) for part in items(content)]
            yield string(block.get("name")), string(content) or "\n".join(text for text in texts if text)


def _text(message: Raw) -> str:
    blocks = [mapping(raw) for raw in items(message.get("content"))]
    texts = [string(block.get("text")) for block in blocks if block.get("type") == "text"]
    said = "\n\n".join(text for text in texts if text.strip()) or _plain(message, blocks)
    files = [f"[file: {name}]" for raw in items(message.get("files")) if (name := first(mapping(raw), "file_name"))]
    return "\n".join([part for part in (said, *files) if part])


def _plain(message: Raw, blocks: list[Raw]) -> str:
    """`text` repeats the blocks, with a placeholder for those that are no text: only without them it is needed."""
    return "" if blocks else string(message.get("text"))
