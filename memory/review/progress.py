"""How far samples are. Every item is in exactly one state, so that the parts add up to the whole."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import connection
from django.utils import timezone

_PARTS = """
    SELECT sample_id, count(*),
        count(*) FILTER (WHERE state = 'unlabelled'), count(*) FILTER (WHERE state = 'in_hand'),
        count(*) FILTER (WHERE state = 'labelled'), count(*) FILTER (WHERE state = 'cant_tell'),
        count(*) FILTER (WHERE state = 'skipped'), count(*) FILTER (WHERE state = 'erased')
    FROM (
        SELECT item.sample_id, CASE
            WHEN item.lacking = 0 THEN CASE WHEN EXISTS (
                SELECT FROM memory_label label
                WHERE label.item_id = item.id AND label.undone_at IS NULL AND label.verdict <> 'cant_tell'
            ) THEN 'labelled' ELSE 'cant_tell' END
            WHEN item.words_id IS NULL OR item.user_id IS NULL THEN 'erased'
            WHEN handed.in_hand THEN 'in_hand'
            WHEN handed.is_skipped THEN 'skipped'
            ELSE 'unlabelled' END AS state
        FROM memory_sampleitem item LEFT JOIN (
            SELECT handout.item_id, bool_or(handout.slot IS NOT NULL AND handout.leased_until > %(now)s) AS in_hand,
                bool_or(handout.skipped_at IS NOT NULL) AS is_skipped
            FROM memory_handout handout JOIN memory_sampleitem item ON item.id = handout.item_id
            WHERE handout.labelled_at IS NULL AND item.sample_id = ANY(%(samples)s) GROUP BY handout.item_id
        ) handed ON handed.item_id = item.id
        WHERE item.sample_id = ANY(%(samples)s)
    ) each GROUP BY sample_id
"""


@dataclass(frozen=True, slots=True)
class Progress:
    """`labelled` and `cant_tell` have all the labels wanted; `skipped` were passed over by someone and wait."""

    total: int = 0
    unlabelled: int = 0
    in_hand: int = 0
    labelled: int = 0
    cant_tell: int = 0
    skipped: int = 0
    erased: int = 0

    @property
    def done(self) -> int:
        """What nothing more can be said of."""
        return self.labelled + self.cant_tell + self.erased

    @property
    def is_finished(self) -> bool:
        return self.done == self.total


def of(samples: Collection[int]) -> dict[int, Progress]:
    """Sample id → progress, in one statement; inside the staff scope."""
    with connection.cursor() as cursor:
        cursor.execute(_PARTS, {"samples": list(samples), "now": timezone.now()})
        found = {sample: Progress(*parts) for sample, *parts in cursor.fetchall()}
    return {sample: found.get(sample, Progress()) for sample in samples}
