"""The extractor that needs no model: explicit statements, found by patterns per language.

It reads what is said plainly, in the forms that its data lists, and nothing else. What it proposes
goes through the same gate as a model's candidates.
"""

from datetime import tzinfo

from memory.extraction.patterns import conversation
from memory.types import Ground, Proposal

VERSION = 1
NAME = f"patterns@{VERSION}"


def find(ground: Ground, *, zone: tzinfo) -> tuple[Proposal, ...]:
    """Proposals from the turns of `ground`, in their order; the same claim of a turn only once."""
    return tuple(dict.fromkeys(conversation.read(ground, zone=zone)))
