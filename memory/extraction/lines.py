"""What a model gets to read: known facts and turns as lines that no content can forge."""

from collections.abc import Sequence
from datetime import tzinfo

from memory.types import Turn

_INDENT = "\n    "


def render(turns: Sequence[Turn], known: Sequence[str], *, zone: tzinfo) -> str:
    """The user message of an extraction: `#k text` lines, then `[n] role time: content` lines."""
    facts = [f"#{k} {' '.join(fact.split())}" for k, fact in enumerate(known, start=1)]
    return "\n".join(["Known facts:", *(facts or ["(none)"]), "", "Turns:", *(_line(turn, zone) for turn in turns)])


def _line(turn: Turn, zone: tzinfo) -> str:
    """Continuation lines are indented, so that a turn cannot pass a line of its own off as another turn or fact."""
    at = turn.at.astimezone(zone).isoformat(timespec="seconds")
    return f"[{turn.n}] {turn.role} {at}: {_INDENT.join(turn.content.splitlines())}"
