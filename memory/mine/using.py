"""What a memory did lately: which answers had it before them, and which decisions it changed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import F

from memory.models import Decided

LATELY = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class Use:
    """`answers` had it before them, the last one at `last`; `moved` are (dimension, value) that it brought about."""

    answers: int = 0
    last: datetime | None = None
    moved: tuple[tuple[str, str], ...] = ()


NEVER = Use()
_RECALLED = """
    SELECT fact, count(*), max(recalled.at) FROM memory_recalled recalled, unnest(recalled.facts) AS fact
    WHERE recalled.user_id = %(user)s AND recalled.at > %(since)s AND fact = ANY(%(facts)s)
    GROUP BY fact
"""


def of_facts(user_id: int, fact_ids: Sequence[int], *, now: datetime) -> Mapping[int, Use]:
    """Fact id → what it was used for in the last ninety days. Two statements, inside the user's scope."""
    since = now - LATELY
    with connection.cursor() as cursor:
        cursor.execute(_RECALLED, {"user": user_id, "since": since, "facts": list(fact_ids)})
        answers = {fact: (count, last) for fact, count, last in cursor.fetchall()}
    rows = Decided.objects.filter(user=user_id, at__gt=since, because__overlap=list(fact_ids))
    changed = rows.exclude(value=F("without")).order_by("at").values_list("dimension", "value", "because")
    moved = by_fact(changed)
    return {pk: Use(*answers.get(pk, (0, None)), moved.get(pk, ())) for pk in {*answers, *moved}}


def by_fact(decided: Iterable[tuple[str, str, Sequence[int]]]) -> dict[int, tuple[tuple[str, str], ...]]:
    """Fact id → the last value that it brought about in each dimension, of decisions in the order of their making."""
    found: dict[int, dict[str, str]] = defaultdict(dict)
    for dimension, value, because in decided:
        for fact in because:
            found[fact][dimension] = value
    return {fact: tuple(sorted(values.items())) for fact, values in found.items()}
