"""The one statement. Every leg reads the user's own live facts, once; none reads an index over everybody's.

`own` computes what each leg ranks by in a single pass over those rows, narrow enough that
a user of fifty thousand facts fits in memory. Ranks are fused by reciprocal rank; facts that the question
names come first. What stands in a conflict brings its counterparts whole, past `k` and the floor.
"""

CONFIGS = {
    "en": "english",
    "de": "german",
    "es": "spanish",
    "fr": "french",
    "fi": "finnish",
    "ru": "russian",
}
"""Postgres' text search configurations by language; others are searched unstemmed."""

LIVE = "fact.status IN ('active', 'conflicted')"

AS_OF = """fact.status <> 'retracted' AND fact.status_reason NOT IN ('faded', 'expired')
        AND fact.began_on <= %(as_of)s AND (fact.ended_on IS NULL OR fact.ended_on >= %(as_of)s)"""

QUERY = """
    SELECT replace(plainto_tsquery(%(config)s::regconfig, %(query)s)::text, '&', '|')::tsquery
        || replace(plainto_tsquery('simple', %(query)s)::text, '&', '|')::tsquery AS words
"""

STATEMENT = """
WITH question AS MATERIALIZED ({question}),
named AS MATERIALIZED (
    SELECT id FROM memory_entity WHERE user_id = %(user)s AND NOT is_owner AND name_key = ANY(%(names)s)
    UNION
    SELECT entity_id FROM memory_alias WHERE user_id = %(user)s AND alias_key = ANY(%(names)s)
),
own AS MATERIALIZED (
    SELECT fact.id, fact.status, fact.last_supported_at, {effective} AS worth,
        {distance} AS distance,
        CASE WHEN fact.search @@ question.words THEN ts_rank(fact.search, question.words) END AS words,
        fact.entity_id IN (SELECT id FROM named) OR md5(fact.object_key) = ANY(%(name_hashes)s) AS is_named
    FROM memory_fact fact, question
    WHERE fact.user_id = %(user)s AND {believed}{about}
),
eligible AS MATERIALIZED (
    SELECT * FROM own WHERE worth >= %(floor)s OR status = 'conflicted'
),
by_vector AS (
    SELECT id, row_number() OVER (ORDER BY distance, id) AS place FROM eligible WHERE distance IS NOT NULL
    ORDER BY distance, id LIMIT %(depth)s
),
by_words AS (
    SELECT id, row_number() OVER (ORDER BY words DESC, id) AS place FROM eligible WHERE words IS NOT NULL
    ORDER BY words DESC, id LIMIT %(depth)s
),
by_letters AS (
    SELECT id, row_number() OVER (ORDER BY letters DESC, id) AS place
    FROM (
        SELECT eligible.id, {letters} AS letters
        FROM eligible JOIN memory_fact fact ON fact.user_id = %(user)s AND fact.id = eligible.id
        WHERE %(is_spaceless)s OR (SELECT count(*) FROM by_words) < %(k)s
    ) spelled
    WHERE letters >= %(alike)s
    ORDER BY letters DESC, id LIMIT %(depth)s
),
fused AS (
    SELECT eligible.id, eligible.is_named, eligible.worth, eligible.last_supported_at,
        coalesce(%(vector_weight)s / (%(rrf)s + by_vector.place), 0)
            + coalesce(%(words_weight)s / (%(rrf)s + by_words.place), 0)
            + coalesce(%(letters_weight)s / (%(rrf)s + by_letters.place), 0) AS score,
        array_remove(ARRAY[
            CASE WHEN eligible.is_named THEN 'entity' END, CASE WHEN by_vector.id IS NOT NULL THEN 'vector' END,
            CASE WHEN by_words.id IS NOT NULL THEN 'words' END, CASE WHEN by_letters.id IS NOT NULL THEN 'letters' END
        ], NULL) AS found_by
    FROM eligible
    LEFT JOIN by_vector USING (id) LEFT JOIN by_words USING (id) LEFT JOIN by_letters USING (id)
),
chosen AS MATERIALIZED (
    SELECT id, found_by, worth,
        row_number() OVER (ORDER BY is_named DESC, score DESC, worth DESC, last_supported_at DESC, id) AS place
    FROM fused
    ORDER BY is_named DESC, score DESC, worth DESC, last_supported_at DESC, id LIMIT %(k)s
),
whole AS (
    SELECT other.fact_id AS id, min(chosen.place) AS place
    FROM chosen
    JOIN memory_conflictside side ON side.user_id = %(user)s AND side.fact_id = chosen.id
    JOIN memory_conflict conflict ON conflict.user_id = %(user)s AND conflict.id = side.conflict_id
        AND conflict.settled_by = ''
    JOIN memory_conflictside other ON other.user_id = %(user)s AND other.conflict_id = conflict.id
        AND other.fact_id <> chosen.id
    GROUP BY other.fact_id
)
SELECT own.id, coalesce(chosen.found_by, ARRAY['conflict']), own.worth
FROM own
LEFT JOIN chosen USING (id)
LEFT JOIN whole USING (id)
WHERE chosen.id IS NOT NULL OR whole.id IS NOT NULL
ORDER BY least(chosen.place, whole.place), chosen.place NULLS LAST, own.id
"""
