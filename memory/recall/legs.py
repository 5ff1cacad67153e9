"""The legs that facts and turns are found by, as parts of one statement. Every one of them reads the user's own rows.

A statement begins with a table `own` of those rows, narrow enough that fifty thousand of them fit in memory:
`id`, `distance` (null where there is no vector to compare) and `words` (null where no word of the question stands).
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

# A question finds with any of its words, not with all. Lexemes are quoted: they may hold any sign.
QUESTION = r"""term AS MATERIALIZED (
    SELECT lexeme, ('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''')::tsquery AS word
    FROM unnest(to_tsvector(%(config)s::regconfig, %(query)s)) LIMIT %(most_words)s
),
question AS MATERIALIZED (SELECT string_agg(word::text, '|')::tsquery AS words FROM term)"""

BY_VECTOR = """by_vector AS MATERIALIZED (
    SELECT id, row_number() OVER (ORDER BY distance, id) AS place
    FROM (SELECT id, distance FROM own WHERE distance IS NOT NULL ORDER BY distance, id LIMIT %(depth)s) nearest
)"""

# BM25, counted within the user's own rows. `ts_rank` of one word levels off as its occurrences grow; 16.45 makes one
# occurrence 1. What lies beyond the first few hundred by `ts_rank` of all words is not weighed, which
# bounds what a very large memory costs.
WEIGHED = """matched AS MATERIALIZED (
    SELECT id FROM own WHERE words IS NOT NULL ORDER BY words DESC, id LIMIT %(weighed)s
),
hit AS MATERIALIZED (
    SELECT matched.id, lexeme, 16.45 * ts_rank(search, word) AS often, length(search)::float8 AS size
    FROM matched
    CROSS JOIN LATERAL (SELECT search FROM {table} WHERE user_id = %(user)s AND id = matched.id OFFSET 0) entry
    JOIN term ON search @@ word
),
known AS MATERIALIZED (
    SELECT lexeme, ln(1 + ((SELECT count(*) FROM own) - count(*) + 0.5) / (count(*) + 0.5))::float8 AS rarity
    FROM hit GROUP BY lexeme
),
weighed AS MATERIALIZED (
    SELECT id, sum(rarity * 2.2 * often / (often + 0.3 + 0.9 * size / (SELECT avg(size) FROM hit))) AS weight
    FROM hit JOIN known USING (lexeme) GROUP BY id
)"""

# What is said around a turn bears on it: a question on its answer, and the other way round.
LENT = """lent AS MATERIALIZED (
    SELECT own.id, sum(share * weight) AS weight
    FROM weighed JOIN own source USING (id)
    CROSS JOIN (VALUES (0, 1.0), (1, 0.4), (-1, 0.2), (2, 0.2), (-2, 0.1)) AS lending (step, share)
    JOIN own ON own.episode_id = source.episode_id AND own.n = source.n + step
    GROUP BY own.id
)"""

BY_WORDS = """by_words AS MATERIALIZED (
    SELECT id, row_number() OVER (ORDER BY weight DESC, id) AS place
    FROM (SELECT id, weight FROM {weights} ORDER BY weight DESC, id LIMIT %(depth)s) heaviest
)"""

# Parts as they stand, in mid-word too; and words that nothing of the user's holds, as misspelt, where they are half of
# the question or more: two letters changed round, or alike in threes, of which at least one must stand in the text.
BY_LETTERS = """unknown AS MATERIALIZED (
    SELECT spelt,
        ARRAY(SELECT '%%' || overlay(spelt PLACING reverse(substr(spelt, i, 2)) FROM i FOR 2) || '%%'
            FROM generate_series(1, length(spelt) - 1) i) AS twists,
        ARRAY(SELECT '%%' || substr(spelt, i, 3) || '%%' FROM generate_series(1, length(spelt) - 2) i) AS threes
    FROM unnest(%(spelt)s::text[]) spelt
    WHERE to_tsvector(%(config)s::regconfig, spelt) <> ''
        AND 2 * (SELECT count(*) FROM known) <= (SELECT count(*) FROM term)
        AND NOT EXISTS (
            SELECT FROM unnest(tsvector_to_array(to_tsvector(%(config)s::regconfig, spelt))) AS found (lexeme)
            JOIN known USING (lexeme)
        )
),
by_letters AS MATERIALIZED (
    SELECT id, row_number() OVER (ORDER BY letters DESC, id) AS place
    FROM (
        SELECT own.id, {parts} + coalesce((
            SELECT sum(likeness)
            FROM (
                SELECT CASE WHEN lower({content}) LIKE ANY(twists) THEN 1
                    WHEN {content} LIKE ANY(threes) THEN word_similarity(spelt, {content}) END AS likeness
                FROM unknown
            ) compared
            WHERE likeness >= %(alike)s
        ), 0) AS letters
        FROM own JOIN {table} entry ON entry.user_id = %(user)s AND entry.id = own.id
        WHERE {has_parts} OR EXISTS (SELECT FROM unknown)
        OFFSET 0
    ) spelled
    WHERE letters > 0
    ORDER BY letters DESC, id LIMIT %(depth)s
)"""

PARTS = """(SELECT avg((position(part IN lower({content})) > 0)::int)::float8 FROM unnest(%(parts)s::text[]) part)"""

OWN_OR_LENT = "CASE WHEN id IN (SELECT id FROM weighed) THEN 'words' ELSE 'nearby' END"

# Fusion by reciprocal rank. `found_by` names the legs in the order of this list.
SCORED = """scored AS MATERIALIZED (
    SELECT id, sum(weight / (%(rrf)s + place)) AS score, array_agg(leg) AS found_by FROM (
        SELECT id, place, %(vector_weight)s::float8 AS weight, 'vector' AS leg FROM by_vector
        UNION ALL SELECT id, place, %(words_weight)s, {by_words} FROM by_words
        UNION ALL SELECT id, place, %(letters_weight)s, 'letters' FROM by_letters{more}
    ) ranked GROUP BY id
)"""


def legs(table: str, content: str, *, has_parts: bool, lends: bool = False, more: str = "") -> str:
    """All three and their fusion, over the texts in column `content` of `table`.

    `lends`: neighbours share what words weigh. `more`: further legs, as (id, place, weight, leg).
    """
    column = f"entry.{content}"
    letters = BY_LETTERS.format(
        table=table,
        content=column,
        has_parts="true" if has_parts else "false",
        parts=PARTS.format(content=column) if has_parts else "0",
    )
    weights = [WEIGHED.format(table=table), LENT] if lends else [WEIGHED.format(table=table)]
    by_words = BY_WORDS.format(weights="lent" if lends else "weighed")
    return ",\n".join(
        [BY_VECTOR, *weights, by_words, letters, SCORED.format(more=more, by_words=OWN_OR_LENT if lends else "'words'")]
    )


def rank(table: str, *, has_vector: bool) -> str:
    """The columns `distance` and `words` of `own`; vectors of another model are never compared."""
    distance = f"CASE WHEN {table}.embedding_model = %(model)s THEN {table}.embedding <=> %(vector)s::halfvec END"
    return f"""{distance if has_vector else "NULL::float8"} AS distance,
        CASE WHEN {table}.search @@ question.words THEN ts_rank({table}.search, question.words) END AS words"""
