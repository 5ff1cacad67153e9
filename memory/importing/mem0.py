"""mem0's export: a list of memories without the conversations they are from."""

from collections.abc import Iterator

from memory.errors import InvalidEpisode
from memory.importing.fields import Raw, first, moment
from memory.types import Role

DOCUMENT = "mem0"


def episodes(raw: Raw) -> Iterator[Raw]:
    """One memory as one episode of one turn, dated when it took its present form. Raises InvalidEpisode.

    A memory that mem0 rewrote is another episode: what it said before stays on the record.
    """
    memory, name = first(raw, "memory", "text", "data"), first(raw, "id", "memory_id")
    if not memory:
        raise InvalidEpisode("memory: is missing or empty.")
    if not name:
        raise InvalidEpisode("id: is missing, so the memory could not be recognised when it comes again.")
    created, updated = moment(raw.get("created_at")), moment(raw.get("updated_at"))
    is_rewritten = updated is not None and updated != created
    yield {
        "external_id": f"{name}@{updated:%Y-%m-%dT%H:%M:%S}" if is_rewritten else name,
        "user": raw.get("user_id"),
        "session": DOCUMENT,
        "document": DOCUMENT,
        "closed": True,
        "occurred_at": updated or created,
        "turns": [{"role": Role.USER, "content": memory}],
    }
