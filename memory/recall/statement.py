"""The one statement for facts: named ones first, the rest by fused ranks, conflicts whole.

What stands in a conflict brings its counterparts past `k` and the floor. `more` are further columns and `joins` what they
come from, so that one statement also brings what is to be shown; `along` is done beside, with the facts in `shown`.

What reads all of a user's facts is kept to few: tens of thousands may be theirs. What neither has a name nor was found
is looked at only where there are fewer others than asked for.
"""

LIVE = """fact.status IN ('active', 'conflicted')
        AND (fact.expires_on IS NULL OR fact.expires_on >= %(today)s OR fact.status = 'conflicted')"""

# What replaced a value holds from its first day on; what was taken back never did.
AS_OF = """fact.began_on <= %(as_of)s AND (fact.ended_on IS NULL OR fact.ended_on >= %(as_of)s)
        AND (fact.status IN ('active', 'conflicted')
            OR (fact.status = 'lapsed' AND fact.status_reason IN ('faded', 'expired'))
            OR (fact.status = 'superseded' AND fact.ended_on > %(as_of)s))"""

ABOUT = """ AND fact.entity_id IN (
        SELECT id FROM memory_entity WHERE user_id = %(user)s AND name_key = %(subject)s
        UNION SELECT entity_id FROM memory_alias WHERE user_id = %(user)s AND alias_key = %(subject)s)"""

STATEMENT = """
WITH {question},
name AS MATERIALIZED (SELECT name FROM unnest(%(names)s::text[]) name),
named AS MATERIALIZED (
    SELECT id FROM memory_entity WHERE user_id = %(user)s AND NOT is_owner AND name_key = ANY(%(names)s)
    UNION
    SELECT entity_id FROM memory_alias WHERE user_id = %(user)s AND alias_key = ANY(%(names)s)
),
own AS MATERIALIZED (
    SELECT id, last_supported_at, worth, distance, words, is_named FROM (
        SELECT fact.id, fact.status = 'conflicted' AS is_conflicted, fact.is_confirmed OR fact.is_pinned AS is_kept,
            fact.last_supported_at, {effective} AS worth, {rank},
            fact.entity_id IN (SELECT id FROM named) OR fact.object_key IN (SELECT name FROM name) AS is_named
        FROM memory_fact fact, question
        WHERE fact.user_id = %(user)s AND {believed}{about}
        OFFSET 0
    ) believed
    WHERE worth >= %(floor)s OR is_conflicted OR is_kept
),
{legs},
chosen AS MATERIALIZED (
    SELECT id, worth, row_number() OVER (ORDER BY {order}) AS place,
        CASE WHEN is_named THEN ARRAY['entity'] ELSE '{{}}' END || coalesce(found_by, '{{}}') AS found_by
    FROM (
        SELECT own.*, score, found_by FROM own LEFT JOIN scored USING (id)
        WHERE is_named OR score IS NOT NULL OR (SELECT count(*) FROM scored) < %(k)s
        ORDER BY {order} LIMIT %(k)s
    ) best
),
counterpart AS (
    SELECT other.fact_id AS id, min(chosen.place) AS place, min(conflict.id) AS conflict
    FROM chosen
    JOIN memory_conflictside side ON side.user_id = %(user)s AND side.fact_id = chosen.id
    JOIN memory_conflict conflict ON conflict.user_id = %(user)s AND conflict.id = side.conflict_id
        AND conflict.settled_by = ''
    JOIN memory_conflictside other ON other.user_id = %(user)s AND other.conflict_id = conflict.id
    GROUP BY other.fact_id
),
shown AS MATERIALIZED (
    SELECT id, found_by, worth, conflict, row_number() OVER (ORDER BY least(place, nearest), place NULLS LAST, id) AS place
    FROM (
        SELECT chosen.id, found_by, worth, conflict, chosen.place, counterpart.place AS nearest
        FROM chosen LEFT JOIN counterpart USING (id)
        UNION ALL
        SELECT own.id, ARRAY['conflict'], worth, conflict, NULL, counterpart.place
        FROM counterpart JOIN own USING (id) WHERE id NOT IN (SELECT id FROM chosen)
    ) together
){along}
SELECT shown.id, shown.found_by, shown.worth, shown.conflict{more}
FROM shown{joins}
ORDER BY shown.place
"""

ORDER = "is_named DESC, score DESC NULLS LAST, worth DESC, last_supported_at DESC, id"
