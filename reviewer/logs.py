"""Logs that say what happened and where, never what anybody's memory holds.

The text of an exception may quote a row, a prompt or a request: its type and its place are
kept, its words are not.
"""

import logging
import re
import traceback
from collections.abc import Mapping
from types import TracebackType

_KEYS = re.compile(r"(/(?:portal|invited|mine/gone)/)[^/?#\s]+")
"""Addresses that are keys themselves: whoever knows them comes in."""
_HIDDEN = ("args", "kwargs", "exc", "return_value", "traceback")

type _ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class Contentless(logging.Filter):
    """Takes a task's arguments, result and error text out of what Celery logs about it, and keys out of addresses."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(_locked(each) if isinstance(each, str) else each for each in record.args)
        if record.name.startswith("celery") and isinstance(record.args, Mapping):
            hidden = {name: "…" for name in _HIDDEN if name in record.args}
            record.args = {**record.args, **hidden}
        return True


def _locked(words: str) -> str:
    """Without what in an address would let its reader in."""
    return _KEYS.sub(r"\1…", words)


class Formatter(logging.Formatter):
    """One line a record; of an exception its type and the frames it passed through."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802 - logging's name
        error = ei[1]
        return "\n".join(line for one in _chain(error) for line in _told(one))


def _chain(error: BaseException | None) -> list[BaseException]:
    """The error and what it came of, first things first."""
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.insert(0, error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return found


def _told(error: BaseException) -> list[str]:
    kind, frames = type(error), traceback.extract_tb(error.__traceback__)
    lines = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    return [*lines, f"  {kind.__module__}.{kind.__qualname__}"]
