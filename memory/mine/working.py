"""Working on one transfer, for whoever has taken it."""

import logging

from memory.errors import LeaseLost, MemoryPaused, Unreadable
from memory.mine import bringing, exporting, transfers
from memory.mine.transfers import Hold
from memory.models import Transfer
from memory.types import TransferKind

CODES = frozenset({"incomplete", "unknown", "too_many", "nothing"})
log = logging.getLogger(__name__)


def work(hold: Hold, row: Transfer) -> None:
    """Does it. What is wrong with a file, or stands against it, is kept as a code that pages put in words."""
    try:
        _do(hold, row)
    except LeaseLost:
        log.info("transfer %s is another's by now, or is gone", hold.transfer_id)
    except Unreadable as error:
        transfers.fail(hold, str(error) if str(error) in CODES else "unreadable")
    except MemoryPaused:
        transfers.fail(hold, "paused")


def _do(hold: Hold, row: Transfer) -> None:
    if row.kind == TransferKind.EXPORT:
        exporting.make(hold)
    elif "chosen" in row.summary:
        bringing.learn(hold, row)
    else:
        bringing.look(hold, row)
