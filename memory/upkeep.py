"""What time does to memory, set by set: facts that fade, end or are too many lapse; held candidates give up.

Nothing here writes confidence: what a fact is worth now is computed. Running it twice changes nothing more.
"""

from django.db import connection

from memory import clock, confidence, scope
from memory.policy import Policy

FADED = """
    UPDATE memory_fact fact SET status = 'lapsed', is_exclusive = false,
        status_reason = CASE WHEN expires_on < (%(now)s AT TIME ZONE usr.time_zone)::date THEN 'expired' ELSE 'faded' END
    FROM memory_user usr
    WHERE fact.user_id = usr.id AND fact.status = 'active' AND (fact.user_id = %(user)s OR %(user)s IS NULL)
        AND (fact.expires_on < (%(now)s AT TIME ZONE usr.time_zone)::date
            OR (fact.fades_at <= %(now)s AND NOT fact.is_pinned AND NOT fact.is_confirmed))
    RETURNING fact.user_id, fact.id
"""

# The sides of an open conflict lapse only together.
FADED_CONFLICTS = """
    UPDATE memory_fact fact SET status = 'lapsed', status_reason = 'faded'
    FROM memory_conflictside side
    WHERE side.fact_id = fact.id AND fact.status = 'conflicted' AND side.conflict_id IN (
        SELECT conflict.id FROM memory_conflict conflict
        JOIN memory_conflictside side ON side.conflict_id = conflict.id
        JOIN memory_fact fact ON fact.id = side.fact_id
        WHERE conflict.settled_by = '' AND (conflict.user_id = %(user)s OR %(user)s IS NULL)
        GROUP BY conflict.id
        HAVING bool_and(fact.fades_at <= %(now)s AND NOT fact.is_pinned AND NOT fact.is_confirmed)
    )
    RETURNING fact.user_id, fact.id
"""

# The weakest beyond the ceiling lapse; when there is room again the strongest come back.
OVER_CEILING = """
    WITH crowded AS (
        SELECT user_id FROM memory_fact
        WHERE (user_id = %(user)s OR %(user)s IS NULL)
            AND (status = 'active' OR (status = 'lapsed' AND status_reason = 'over the ceiling'))
        GROUP BY user_id HAVING count(*) > %(ceiling)s OR bool_or(status = 'lapsed')
    ), ranked AS (
        SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY is_pinned OR is_confirmed DESC,
            {effective} DESC, first_said_at DESC, text) AS place
        FROM memory_fact JOIN crowded USING (user_id)
        WHERE status = 'active' OR (status = 'lapsed' AND status_reason = 'over the ceiling')
    )
    UPDATE memory_fact fact SET status = CASE WHEN place <= %(ceiling)s THEN 'active' ELSE 'lapsed' END,
        status_reason = CASE WHEN place <= %(ceiling)s THEN '' ELSE 'over the ceiling' END
    FROM ranked
    WHERE ranked.id = fact.id AND (place <= %(ceiling)s) <> (fact.status = 'active')
    RETURNING fact.user_id, fact.id
"""

HISTORY = """
    WITH changed AS ({change})
    INSERT INTO memory_history (user_id, actor, action, "table", row, fields)
    SELECT user_id, 'upkeep', 'lapse', 'fact', id, ARRAY['status'] FROM changed
"""

HELD = """
    UPDATE memory_candidate SET verdict = 'lapsed'
    WHERE verdict = 'held' AND reason = 'support' AND said_at < %(now)s - %(hold)s * interval '1 day'
        AND (user_id = %(user)s OR %(user)s IS NULL)
"""


def lapse(policy: Policy, *, user_id: int | None = None) -> int:
    """Lapses what time or the ceiling has overtaken; returns how many facts changed. Inside a scope."""
    thresholds = policy.thresholds
    values = {"now": clock.now(), "user": user_id, "ceiling": thresholds.ceiling, "hold": thresholds.hold_days}
    changed = _run(FADED, values) + _run(FADED_CONFLICTS, values)
    if thresholds.ceiling is not None:
        effective, parameters = confidence.effective_sql(thresholds, now=values["now"])
        changed += _run(OVER_CEILING.format(effective=effective), values | parameters)
    with connection.cursor() as cursor:
        cursor.execute(HELD, values)
    return changed


def _run(change: str, values: dict[str, object]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(HISTORY.format(change=change), values)
        return cursor.rowcount


def run(policy: Policy) -> int:
    """The nightly pass over everybody, in one transaction of a few statements."""
    with scope.staff():
        return lapse(policy)
