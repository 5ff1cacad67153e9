"""What time does to memory, set by set: facts that fade, end or are too many lapse; held candidates give up.

Nothing here writes confidence: what a fact is worth now is computed. Running it twice changes nothing more.
"""

import json
from collections.abc import Collection, Mapping
from datetime import date
from typing import Any

from django.db import connection

from memory import clock, confidence, people, prepared, scope
from memory.models import User
from memory.models.facts import OVER_CEILING
from memory.policy import Policy

USERS_AT_ONCE = 500

# The users at hand, each with the date it is where they are.
WHOSE = "unnest(%(users)s::bigint[], %(days)s::date[]) AS whose (id, today)"
ENDED = "fact.expires_on < whose.today"
FADED = "fact.fades_at <= %(now)s AND NOT fact.is_pinned AND NOT fact.is_confirmed"
FADING = f"""
    UPDATE memory_fact fact SET status = 'lapsed', is_exclusive = false,
        status_reason = CASE WHEN {ENDED} THEN 'expired' ELSE 'faded' END
    FROM {WHOSE}
    WHERE fact.user_id = whose.id AND fact.status = 'active' AND ({ENDED} OR {FADED})
    RETURNING fact.user_id, fact.id
"""

# The sides of an open conflict lapse only together.
FADING_CONFLICTS = f"""
    WITH gone AS (
        SELECT conflict.id FROM {WHOSE} JOIN memory_conflict conflict ON conflict.user_id = whose.id
        JOIN memory_conflictside side ON side.user_id = whose.id AND side.conflict_id = conflict.id
        JOIN memory_fact fact ON fact.user_id = whose.id AND fact.id = side.fact_id
        WHERE conflict.settled_by = ''
        GROUP BY conflict.id
        HAVING bool_and(coalesce({ENDED} OR {FADED}, false))
    )
    UPDATE memory_fact fact SET status = 'lapsed', status_reason = CASE WHEN {ENDED} THEN 'expired' ELSE 'faded' END
    FROM {WHOSE}, memory_conflictside side, gone
    WHERE fact.user_id = whose.id AND fact.status = 'conflicted'
        AND side.user_id = whose.id AND side.fact_id = fact.id AND side.conflict_id = gone.id
    RETURNING fact.user_id, fact.id
"""

# The weakest beyond the ceiling lapse; when there is room again the strongest come back.
ACTIVE = "fact.status = 'active'"
ACTIVE_OR_OVER = f"(fact.status = 'active' OR fact.status = 'lapsed' AND fact.status_reason = '{OVER_CEILING}')"
CROWDING = f"""
    WITH crowded AS (
        SELECT fact.user_id FROM {WHOSE} JOIN memory_fact fact ON fact.user_id = whose.id WHERE {{among}}
        GROUP BY fact.user_id HAVING count(*) > %(ceiling)s OR bool_or(fact.status = 'lapsed')
    ), ranked AS (
        SELECT fact.id, fact.user_id, row_number() OVER (PARTITION BY fact.user_id ORDER BY is_pinned OR is_confirmed DESC,
            {{effective}} DESC, first_said_at DESC, text, id) AS place
        FROM memory_fact fact JOIN crowded USING (user_id) WHERE {{among}}
    )
    UPDATE memory_fact fact SET status = CASE WHEN place <= %(ceiling)s THEN 'active' ELSE 'lapsed' END,
        status_reason = CASE WHEN place <= %(ceiling)s THEN '' ELSE '{OVER_CEILING}' END
    FROM ranked
    WHERE fact.user_id = ranked.user_id AND fact.id = ranked.id AND (place <= %(ceiling)s) <> (fact.status = 'active')
    RETURNING fact.user_id, fact.id
"""

HISTORY = """
    WITH changed AS ({change})
    INSERT INTO memory_history (user_id, actor, action, "table", row, fields, at)
    SELECT user_id, 'upkeep', 'lapse', 'fact', id, ARRAY['status'], %(now)s FROM changed
"""

HELD = f"""
    UPDATE memory_candidate claim SET verdict = 'lapsed' FROM {WHOSE}
    WHERE claim.user_id = whose.id AND verdict = 'held' AND reason = 'support'
        AND said_at < %(now)s - %(hold)s * interval '1 day'
"""

# Whether any of the above has something to do for one user: far cheaper than doing it.
LOOK = f"""
    SELECT
        count(*) FILTER (WHERE fact.status = 'active' AND ({ENDED} OR {FADED})),
        count(*) FILTER (WHERE fact.status = 'conflicted' AND ({ENDED} OR {FADED})),
        count(*) FILTER (WHERE fact.status = 'active'),
        EXISTS (SELECT FROM memory_fact WHERE user_id = %(user)s AND status = 'lapsed' AND status_reason = '{OVER_CEILING}'),
        EXISTS (SELECT FROM memory_candidate WHERE user_id = %(user)s AND verdict = 'held'
            AND said_at < %(now)s - %(hold)s * interval '1 day')
    FROM {WHOSE} JOIN memory_fact fact ON fact.user_id = whose.id AND fact.status IN ('active', 'conflicted')
"""


def lapse(policy: Policy, whose: Mapping[int, date]) -> int:
    """Lapses what time or the ceiling has overtaken; how many facts changed. Inside a scope that sees the users.

    `whose` gives the date where each user is.
    """
    values = _values(policy, whose)
    changed = _run(FADING, values) + _run(FADING_CONFLICTS, values)
    if policy.thresholds.ceiling is not None:
        changed += _crowd(policy, values, among=ACTIVE_OR_OVER)
    _give_up_held(values)
    return changed


def lapse_one(policy: Policy, user_id: int, *, today: date) -> int:
    """The same for one user, looking first whether there is anything to do: what every job ends with."""
    values = _values(policy, {user_id: today}) | {"user": user_id}
    fading, fading_conflicted, active, has_over, has_held = prepared.rows(LOOK, values)[0]
    changed = _run(FADING, values) if fading else 0
    changed += _run(FADING_CONFLICTS, values) if fading_conflicted else 0
    ceiling, active = policy.thresholds.ceiling, active - fading
    if ceiling is not None and active > ceiling:  # those over it already stay below the ones that are weakest now
        changed += _crowd(policy, values, among=ACTIVE)
    elif ceiling is not None and active < ceiling and has_over:
        changed += _crowd(policy, values, among=ACTIVE_OR_OVER)
    if has_held:
        _give_up_held(values)
    return changed


def run(policy: Policy, user_ids: Collection[int] | None = None) -> int:
    """The nightly pass over everybody (or these), some users at a time; how many facts changed."""
    changed = last = 0
    while True:
        with scope.staff():
            whose = _next_users(user_ids, after=last)
            if not whose:
                return changed
            changed += lapse(policy, whose)
        last = max(whose)


def _next_users(user_ids: Collection[int] | None, *, after: int) -> dict[int, date]:
    """Locks the users, as whoever writes to their facts does."""
    now = clock.now()
    users = User.objects.select_for_update(no_key=True).filter(pk__gt=after).order_by("pk")
    wanted = users if user_ids is None else users.filter(pk__in=user_ids)
    zones = wanted.values_list("pk", "time_zone")[:USERS_AT_ONCE]
    return {pk: now.astimezone(people.zone(name)).date() for pk, name in zones}


def _values(policy: Policy, whose: Mapping[int, date]) -> dict[str, Any]:
    return {
        "now": clock.now(),
        "users": list(whose),
        "days": list(whose.values()),
        "ceiling": policy.thresholds.ceiling,
        "hold": policy.thresholds.hold_days,
    }


def _crowd(policy: Policy, values: dict[str, Any], *, among: str) -> int:
    effective, parameters = confidence.effective_sql(policy.thresholds, now=values["now"], table="fact")
    return _run(CROWDING.format(effective=effective, among=among), values | parameters)


def _run(change: str, values: dict[str, Any]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(HISTORY.format(change=change), values)
        return int(cursor.rowcount)


def _give_up_held(values: dict[str, Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(HELD, values)


# What faded by a policy that is over and would not by this one, and what was over a ceiling that there is no more.
WAKING = f"""
    WITH woken AS (
        UPDATE memory_fact fact SET status = 'active', status_reason = '', is_exclusive = false
        FROM {WHOSE}
        WHERE fact.user_id = whose.id AND fact.status = 'lapsed' AND NOT coalesce({ENDED}, false) AND (
            fact.status_reason = 'faded' AND NOT coalesce({FADED}, false)
            OR fact.status_reason = '{OVER_CEILING}' AND %(ceiling)s::int IS NULL
        )
        RETURNING fact.user_id, fact.id
    )
    INSERT INTO memory_history (user_id, actor, action, "table", row, fields, at)
    SELECT user_id, 'upkeep', 'restore', 'fact', id, ARRAY['status'], %(now)s FROM woken RETURNING row
"""


def wake(policy: Policy, whose: Mapping[int, date]) -> list[int]:
    """Brings back what lapsed by another policy than this, once `refade` has dated it; the facts.

    Their keys must be folded anew: which of them are the one value of theirs, or conflicted, only that tells.
    """
    with connection.cursor() as cursor:
        cursor.execute(WAKING, _values(policy, whose))
        return [row for (row,) in cursor.fetchall()]


REFADE = """
    UPDATE memory_fact fact SET fades_at = faded.at
    FROM (
        SELECT id, CASE
            WHEN is_confirmed THEN NULL
            WHEN confidence < %(floor)s THEN last_supported_at
            WHEN %(floor)s <= 0 OR half_life IS NULL THEN NULL
            ELSE last_supported_at + least(half_life * log(2, (confidence / %(floor)s)::numeric), 100000) * interval '1 day'
        END AS at
        FROM (SELECT *, (%(half_lives)s::jsonb ->> kind)::numeric AS half_life FROM memory_fact) own
    ) faded
    WHERE faded.id = fact.id AND fact.fades_at IS DISTINCT FROM faded.at
"""


def refade(policy: Policy) -> int:
    """Dates anew when facts fade, after a change of half-lives or of the floor; inside the staff's scope."""
    thresholds = policy.thresholds
    values: dict[str, Any] = {
        "floor": thresholds.min_confidence,
        "half_lives": json.dumps(dict(thresholds.half_life_days)),
    }
    with connection.cursor() as cursor:
        cursor.execute(REFADE, values)
        return int(cursor.rowcount)
