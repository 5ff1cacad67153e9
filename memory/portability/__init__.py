"""Taking memory along: everything of a user as one ZIP from one snapshot, and back into an empty installation."""

from memory.portability.exporting import export
from memory.portability.restoring import restore

__all__ = ["export", "restore"]
