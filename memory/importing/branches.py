"""A conversation kept as a tree of messages, told as one list of turns.

See docs/decisions/0020-imports.md for why. In short: the path to the current message is the
conversation; what the user said on other branches was said as well and stays, with the messages
it answers; answers nobody went on from are left out; a prompt that was reworded counts in its
last wording, the earlier ones are kept but are evidence for nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import SequenceMatcher

from memory import moments, text
from memory.types import Role

EDITED = "edited"
BRANCH = "branch"
_BACK = "Back to an earlier point of this conversation."
_ALIKE = 0.5
_COMPARED = 300


@dataclass(frozen=True, slots=True)
class Message:
    """A node of the tree. One without content only links others."""

    id: str
    parent: str | None
    role: str
    content: str = ""
    at: datetime | None = None
    name: str = ""


def turns(messages: Iterable[Message], *, current: str | None, start: datetime | None) -> list[dict[str, object]]:
    """The turns, in order of time. `start` dates messages that have no time, as none before them has."""
    tree = _visible({message.id: message for message in messages})
    timed = _in_order(_dated(tree, start))
    main = _path(timed, current if current in tree or current is None else None)
    ...
