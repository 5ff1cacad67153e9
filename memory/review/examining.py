"""What the checks of memory's health judge by: counted over everybody, each in one statement, with some rows to look at."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from memory import clock, policies
from memory.review import checking
from memory.review.checking import Counted, Level
from memory.review.likeness import ALIKE

RECENT = timedelta(days=30)
"""What was read, refused and learnt is judged by its last days, as long as there is enough of it."""
EVER = datetime(1970, 1, 1, tzinfo=UTC)
SHOWN = 5
"""How many rows a check has to show."""
STALE_DAYS = 365
"""After how long what was said without a date is no longer taken for what is so now."""
LIVE = "fact.status IN ('active', 'conflicted')"

READ = "SELECT coalesce(sum(read_turns), 0) FROM memory_episode WHERE created_at >= %(since)s"
NEW = """
    SELECT (SELECT count(*) FROM memory_candidate WHERE verdict = 'refused' AND created_at >= %(since)s),
        (SELECT count(*) FROM memory_fact WHERE created_at >= %(since)s),
        (SELECT count(*) FROM memory_modelcall WHERE name = 'extraction' AND at >= %(since)s)
"""
TALKERS = """
    WITH talker AS (
        SELECT user_id, sum(read_turns) AS turns FROM memory_episode WHERE created_at >= %(since)s
        GROUP BY user_id HAVING sum(read_turns) >= %(enough_turns)s
    ), refusal AS (
        SELECT DISTINCT user_id FROM memory_candidate WHERE verdict = 'refused' AND created_at >= %(since)s
    ), learnt AS (
        SELECT user_id, count(*) AS facts FROM memory_fact WHERE created_at >= %(since)s GROUP BY user_id
    )
    SELECT count(*), count(*) FILTER (WHERE refusal.user_id IS NULL),
        (array_agg(talker.user_id ORDER BY turns DESC) FILTER (WHERE refusal.user_id IS NULL))[:%(shown)s],
        (array_agg(talker.user_id ORDER BY facts::float / turns DESC)
            FILTER (WHERE facts > turns * %(most_facts)s))[:%(shown)s]
    FROM talker LEFT JOIN refusal USING (user_id) LEFT JOIN learnt USING (user_id)
"""
FACTS = f"""
    SELECT count(*), count(*) FILTER (WHERE {LIVE}),
        coalesce(extract(epoch FROM max(first_said_at) - min(first_said_at)) / 604800, 0)::float,
        count(*) FILTER (WHERE status = 'superseded')
    FROM memory_fact fact
"""  # noqa: S608 - our own
CONFLICTS = "SELECT count(*) FROM memory_conflict"
# Whoever confirmed it themselves made it their own word; so did a claim of theirs, or of a tool's, behind it.
SURER = f"""
    SELECT fact.user_id, fact.id FROM memory_fact fact
    WHERE {LIVE} AND fact.confidence > %(cap)s AND NOT fact.is_confirmed
        AND (fact.source = 'inferred' OR fact.basis = 'inferred'
            OR (fact.user_id, fact.id) IN (SELECT user_id, fact_id FROM memory_derivation))
        AND NOT EXISTS (
            SELECT 1 FROM memory_candidate claim WHERE claim.user_id = fact.user_id AND claim.fact_id = fact.id
                AND claim.basis = 'stated' AND claim.source <> 'inferred')
"""  # noqa: S608 - our own
HOLLOW = f"""
    SELECT fact.user_id, fact.id FROM memory_fact fact
    WHERE {LIVE} AND NOT fact.is_confirmed AND NOT EXISTS (
        SELECT 1 FROM memory_candidate claim JOIN memory_evidence said
            ON said.user_id = claim.user_id AND said.candidate_id = claim.id AND said.role IN ('user', 'tool')
        WHERE claim.user_id = fact.user_id AND claim.fact_id = fact.id)
"""  # noqa: S608 - our own
UNDATED = f"""
    SELECT fact.user_id, fact.id FROM memory_fact fact
    WHERE {LIVE} AND fact.valid_from IS NULL AND fact.valid_to IS NULL AND fact.expires_on IS NULL
        AND NOT fact.is_confirmed AND fact.kind <> 'identity'
        AND (fact.kind = 'temporary' OR fact.last_supported_at < %(long_ago)s)
"""  # noqa: S608 - our own
UNEXPLAINED = """
    SELECT fact.user_id, fact.id FROM memory_fact fact
    WHERE fact.status = 'superseded' AND fact.superseded_by_id IS NULL
        AND fact.status_reason NOT IN ('past', 'no longer so') AND NOT starts_with(fact.status_reason, 'closed by ')
"""
UNUSED = f"""
    SELECT fact.user_id, fact.id FROM memory_fact fact
    WHERE {LIVE} AND NOT EXISTS (SELECT 1 FROM (
        SELECT user_id, unnest(facts) AS id FROM memory_recalled
        UNION SELECT user_id, unnest(because) FROM memory_decided
    ) used WHERE used.user_id = fact.user_id AND used.id = fact.id)
"""  # noqa: S608 - our own
USES = "SELECT (SELECT count(*) FROM memory_recalled) + (SELECT count(*) FROM memory_decided)"
# Names that begin alike are compared; comparing all with all takes minutes where somebody knows thousands.
NAMES = """
    WITH named AS (
        SELECT user_id, id, name_key, note_key, left(name_key, 3) AS beginning,
            regexp_replace(name_key, '\\D', '', 'g') AS digits
        FROM memory_entity WHERE NOT is_owner AND name_key <> ''
    ), pair AS (
        SELECT one.user_id, one.id AS one, other.id AS other FROM named one JOIN named other
            ON other.user_id = one.user_id AND other.beginning = one.beginning AND other.digits = one.digits
                AND other.id > one.id AND other.name_key <> one.name_key
        WHERE (one.note_key = '' OR other.note_key = '')
            AND (similarity(one.name_key, other.name_key) >= %(alike)s
                OR starts_with(one.name_key, other.name_key || ' ') OR starts_with(other.name_key, one.name_key || ' '))
    ), asked AS (
        SELECT pair.user_id, unnest(ARRAY[one, other]) AS id FROM pair LEFT JOIN memory_dismissal dismissed
            ON dismissed.user_id = pair.user_id AND dismissed.entity_id = one AND dismissed.other_id = other
        WHERE dismissed.id IS NULL
    ), held AS (SELECT user_id, count(DISTINCT id) AS alike FROM asked GROUP BY user_id)
    SELECT (SELECT count(*) FROM named), coalesce(sum(alike), 0),
        (array_agg(user_id ORDER BY alike DESC, user_id))[:%(shown)s]
    FROM held
"""
BACKLOG = """
    SELECT count(*) FILTER (WHERE state = 'pending' AND due_at <= %(now)s),
        coalesce(extract(epoch FROM %(now)s - min(due_at) FILTER (WHERE state = 'pending' AND due_at <= %(now)s)) / 60, 0)::float,
        count(*) FILTER (WHERE state = 'failed')
    FROM memory_episode WHERE state <> 'done'
"""
FAILED = "SELECT count(*), (array_agg(user_id ORDER BY id))[:%(shown)s] FROM memory_job WHERE state = 'failed'"
SHORT = """
    SELECT count(*), count(*) FILTER (WHERE tokens < %(short_tokens)s),
        (array_agg(user_id ORDER BY tokens, user_id) FILTER (WHERE tokens < %(short_tokens)s))[:%(shown)s]
    FROM (SELECT user_id, sum(length(content)) / %(a_token)s AS tokens FROM memory_turn GROUP BY user_id) history
"""

type Values = Mapping[str, Any]
type Pairs = Sequence[tuple[int, int]]


def report() -> dict[str, Any]:
    """Every check's level, what it is judged by, and ids of rows to look at. Inside the staff scope."""
    values = _values()
    rows: dict[str, Any] = {"facts": {}, "people": {}}
    counted = Counted(**_talk(values, rows), **_believed(values, rows), **_beside(values, rows))
    levels: Mapping[str, Level] = checking.judge(counted)
    return {"levels": dict(levels), "counted": asdict(counted), **rows}


def unused(*, shown: int) -> tuple[int, Pairs]:
    """How many live facts never reached a recall or a decision, and the newest of them as (user, fact)."""
    return _found(UNUSED, {"shown": shown})


def _values() -> dict[str, Any]:
    return {
        "now": timezone.now(),
        "since": clock.now() - RECENT,
        "long_ago": clock.now() - timedelta(days=STALE_DAYS),
        "shown": SHOWN,
        "cap": policies.current().thresholds.inferred_cap + 1e-9,
        "alike": ALIKE,
        "enough_turns": checking.ENOUGH_TURNS,
        "most_facts": checking.MOST_FACTS_A_TURN,
        "short_tokens": checking.SHORT_TOKENS,
        "a_token": checking.CHARACTERS_A_TOKEN,
    }


def _talk(values: Values, rows: dict[str, Any]) -> dict[str, Any]:
    """What was read, and what came of it: lately, or since the beginning where too little was read lately."""
    (turns,) = _row(READ, values)
    days = RECENT.days
    if turns < checking.ENOUGH_TURNS:
        values, days = {**values, "since": EVER}, 0
        (turns,) = _row(READ, values)
    refused, born, calls = _row(NEW, values)
    talkers, unrefused, rows["people"]["gate"], rows["people"]["few"] = _row(TALKERS, values)
    said = {"days": days, "turns": turns, "refused": refused, "born": born, "calls": calls}
    return {**said, "talkers": talkers, "unrefused": unrefused}


def _believed(values: Values, rows: dict[str, Any]) -> dict[str, Any]:
    """What there is of facts, and which of them are as they should not be."""
    facts, live, weeks, superseded = _row(FACTS, values)
    (conflicts,) = _row(CONFLICTS, values)
    found = {"facts": facts, "live": live, "weeks": weeks, "superseded": superseded, "conflicts": conflicts}
    for name, check, statement in (
        ("surer", "laundering", SURER),
        ("hollow", "laundering", HOLLOW),
        ("undated", "undated", UNDATED),
        ("unexplained", "lineage", UNEXPLAINED),
        ("unused", "decoration", UNUSED),
    ):
        found[name], pairs = _found(statement, values)
        rows["facts"][check] = [*rows["facts"].get(check, ()), *pairs][:SHOWN]
    return found


def _beside(values: Values, rows: dict[str, Any]) -> dict[str, Any]:
    """Names, use, work and how long people's histories are."""
    people = rows["people"]
    entities, alike, people["names"] = _row(NAMES, values)
    (uses,) = _row(USES, values)
    due, oldest, failed_episodes = _row(BACKLOG, values)
    failed_jobs, people["backlog"] = _row(FAILED, values)
    everybody, short, people["short"] = _row(SHORT, values)
    found = {"entities": entities, "alike": int(alike), "uses": uses, "people": everybody, "short": short}
    return found | {
        "due": due,
        "oldest_minutes": oldest,
        "failed_jobs": failed_jobs,
        "failed_episodes": failed_episodes,
    }


def _row(statement: str, values: Values) -> tuple[Any, ...]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        found = cursor.fetchone()
    return tuple(found or ())


def _found(statement: str, values: Values) -> tuple[int, Pairs]:
    """How many facts a statement finds, and the newest of them."""
    counting = f"""
        WITH found AS MATERIALIZED ({statement}), newest AS (SELECT * FROM found ORDER BY id DESC LIMIT %(shown)s)
        SELECT (SELECT count(*) FROM found), (SELECT array_agg(user_id ORDER BY id DESC) FROM newest),
            (SELECT array_agg(id ORDER BY id DESC) FROM newest)
    """  # noqa: S608 - our own
    count, owners, ids = _row(counting, values)
    return count, list(zip(owners or (), ids or (), strict=True))
