"""Working on one transfer, for whoever takes a message from the queue."""

import logging
import traceback

from django.db import InterfaceError, OperationalError

from memory.errors import LeaseLost, MemoryPaused, Unreadable
from memory.mine import bringing, exporting, transfers
from memory.mine.transfers import Hold
from memory.models import Transfer
from memory.types import TransferKind

CODES = frozenset({"incomplete", "unknown", "too_many", "nothing"})
log = logging.getLogger(__name__)


def work(user_id: int, transfer_id: int) -> bool:
    """Takes the transfer, if nobody else has it, and does it. What goes wrong is kept as a code that pages put in words."""
    taken = transfers.take(user_id, transfer_id)
    if taken is None:
        return False
    hold, row = taken
    try:
        _do(hold, row)
    except LeaseLost:
        log.info("transfer %s is another's by now, or is gone", transfer_id)
    except Unreadable as error:
        transfers.fail(hold, str(error) if str(error) in CODES else "unreadable")
    except MemoryPaused:
        transfers.fail(hold, "paused")
    except (OperationalError, InterfaceError):
        raise  # the lease runs out, and it is taken up again
    except Exception as error:  # noqa: BLE001 - whatever it is, it must not end in silence
        place = traceback.extract_tb(error.__traceback__)[-1]
        log.error("transfer %s broke off: %s in %s", transfer_id, type(error).__name__, place.name)  # noqa: TRY400
        transfers.fail(hold, "fault")
    return True


def _do(hold: Hold, row: Transfer) -> None:
    if row.kind == TransferKind.EXPORT:
        exporting.make(hold)
    elif "chosen" in row.summary:
        bringing.learn(hold, row)
    else:
        bringing.look(hold, row)
