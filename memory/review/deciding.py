"""Whether memory changes anything: decisions that facts moved, which facts did, and which never reached anybody."""

from typing import Any

from django.db import connection
from django.db.models import Count, F, Q
from django.db.models.functions import TruncWeek

from memory.models import Decided, Fact, Recalled
from memory.review import examining

WEEKS = 26
MOST = 20
"""How many facts a list of the report has."""
CHANGED = ~Q(value=F("without"))

MOVERS = """
    SELECT user_id, id, count(*) AS times FROM (
        SELECT user_id, unnest(because) AS id FROM memory_decided WHERE value <> without
    ) moved GROUP BY user_id, id ORDER BY times DESC, id LIMIT %s
"""


def report() -> dict[str, Any]:
    """Ids of facts and counts. Inside the staff scope."""
    unused, newest = examining.unused(shown=MOST)
    return {
        "decisions": Decided.objects.count(),
        "changed": Decided.objects.filter(CHANGED).count(),
        "recalls": Recalled.objects.count(),
        "dimensions": _dimensions(),
        "weeks": _weeks(),
        "movers": _movers(),
        "live": Fact.objects.live().count(),
        "unused": unused,
        "unused_newest": [fact for _user, fact in newest],
    }


def _dimensions() -> list[dict[str, Any]]:
    rows = Decided.objects.order_by().values(name=F("dimension"))
    found = rows.annotate(count=Count("id"), changed=Count("id", filter=CHANGED)).order_by("-count", "name")
    return [row | {"rate": row["changed"] / row["count"]} for row in found]


def _weeks() -> list[dict[str, Any]]:
    rows = Decided.objects.order_by().values(week=TruncWeek("at"))
    found = rows.annotate(count=Count("id"), changed=Count("id", filter=CHANGED)).order_by("-week")[:WEEKS]
    return [
        {"week": f"{row['week']:%Y-%m-%d}", "count": row["count"], "changed": row["changed"]} for row in reversed(found)
    ]


def _movers() -> list[dict[str, int]]:
    """The facts that changed the most decisions. One that was erased since is still counted."""
    with connection.cursor() as cursor:
        cursor.execute(MOVERS, [MOST])
        return [{"fact": fact, "times": times} for _user, fact, times in cursor.fetchall()]
