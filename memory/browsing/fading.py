"""Facts by how sure they are by now, met by the indexes alone: what they are worth today stands in no column.

What is worth less than some number either was low from the beginning or was last supported long ago. Each is a
range of an index.
"""

import json
import math
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from memory import confidence
from memory.policy_types import Thresholds

_GRACE = timedelta(days=1)  # for what rounding does: the exact condition has the last word


class Band(NamedTuple):
    """From what is left of confidence on, and below what."""

    least: float
    below: float


_STATEMENT = """
    SELECT fact.id FROM memory_fact fact
    WHERE fact.confidence < %(cut)s AND {worth} >= %(least)s AND {worth} < %(below)s
    UNION ALL
    SELECT fact.id FROM jsonb_to_recordset(%(kinds)s) AS old (kind text, before timestamptz), LATERAL (
        SELECT id, kind, confidence, last_supported_at FROM memory_fact
        WHERE kind = old.kind AND last_supported_at < old.before OFFSET 0
    ) fact
    WHERE fact.confidence >= %(cut)s AND {worth} >= %(least)s AND {worth} < %(below)s
    LIMIT %(most)s
"""


def statement(band: Band, thresholds: Thresholds, *, now: datetime) -> tuple[str, dict[str, Any]]:
    """What gives the ids of the facts in a band, `%(most)s` at the most, in no order; with all other values."""
    worth, values = confidence.effective_sql(thresholds, now=now, table="fact")
    cut = (1 + band.below) / 2  # what was surer than that from the beginning needs its time
    kinds = list(_old(band, cut, thresholds.half_life_days, now))
    values |= {"cut": cut, "kinds": json.dumps(kinds), **band._asdict()}
    return _STATEMENT.format(worth=worth), values


def _old(band: Band, cut: float, half_lives: Mapping[str, float | None], now: datetime) -> Iterator[dict[str, str]]:
    """Of each kind that fades, before when a confidence of `cut` was last supported that is below the band's end by now."""
    for kind, days in half_lives.items():
        if days is not None and band.below > 0:
            before = _fading(days * math.log2(cut / band.below), now + _GRACE)
            yield {"kind": kind, "before": before.isoformat() if before else "-infinity"}


def _fading(days: float, now: datetime) -> datetime | None:
    """Since when it has faded; None for longer than there is time."""
    try:
        return now - timedelta(days=days)
    except OverflowError:
        return None
