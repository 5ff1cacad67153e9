"""Finding what was said: turns of the user's episodes, by the same legs as facts."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from memory.policy import Policy
from memory.recall.asking import Asked
from memory.recall.finding import DEPTH, Where, distance, letters, shared_values
from memory.recall.statement import QUERY

STATEMENT = """
WITH question AS MATERIALIZED ({question}),
own AS MATERIALIZED (
    SELECT turn.id, turn.at, {distance} AS distance,
        CASE WHEN turn.search @@ question.words THEN ts_rank(turn.search, question.words) END AS words
    FROM memory_turn turn, question
    WHERE turn.user_id = %(user)s AND turn.role IN ('user', 'assistant', 'tool') AND turn.content <> '[erased]'
),
by_vector AS (
    SELECT id, row_number() OVER (ORDER BY distance, id) AS place FROM own WHERE distance IS NOT NULL
    ORDER BY distance, id LIMIT %(depth)s
),
by_words AS (
    SELECT id, row_number() OVER (ORDER BY words DESC, id) AS place FROM own WHERE words IS NOT NULL
    ORDER BY words DESC, id LIMIT %(depth)s
),
by_letters AS (
    SELECT id, row_number() OVER (ORDER BY letters DESC, id) AS place
    FROM (
        SELECT own.id, {letters} AS letters
        FROM own JOIN memory_turn turn ON turn.user_id = %(user)s AND turn.id = own.id
        WHERE %(is_spaceless)s OR (SELECT count(*) FROM by_words) < %(k)s
    ) spelled
    WHERE letters >= %(alike)s
    ORDER BY letters DESC, id LIMIT %(depth)s
),
fused AS (
    SELECT id, coalesce(%(vector_weight)s / (%(rrf)s + by_vector.place), 0)
            + coalesce(%(words_weight)s / (%(rrf)s + by_words.place), 0)
            + coalesce(%(letters_weight)s / (%(rrf)s + by_letters.place), 0) AS score,
        array_remove(ARRAY[
            CASE WHEN by_vector.place IS NOT NULL THEN 'vector' END,
            CASE WHEN by_words.place IS NOT NULL THEN 'words' END,
            CASE WHEN by_letters.place IS NOT NULL THEN 'letters' END
        ], NULL) AS found_by
    FROM by_vector FULL JOIN by_words USING (id) FULL JOIN by_letters USING (id)
    ORDER BY score DESC, id LIMIT %(k)s
)
SELECT episode.external_id, turn.n, turn.role, turn.name, turn.content, turn.at, turn.ref, fused.found_by, fused.score
FROM fused
JOIN memory_turn turn ON turn.user_id = %(user)s AND turn.id = fused.id
JOIN memory_episode episode ON episode.user_id = %(user)s AND episode.id = turn.episode_id
ORDER BY fused.score DESC, turn.id
"""


@dataclass(frozen=True, slots=True)
class FoundTurn:
    """One turn with its episode, by what legs it was found, and its fused score."""

    episode: str
    n: int
    role: str
    name: str
    content: str
    at: datetime
    ref: str
    found_by: tuple[str, ...]
    score: float


def recall_turns(asked: Asked, where: Where, *, k: int, policy: Policy) -> list[FoundTurn]:
    """The best `k` turns; must run inside the user's scope."""
    statement, values = prepare(asked, where, k=k, policy=policy)
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [FoundTurn(*row[:7], tuple(row[7]), float(row[8])) for row in cursor.fetchall()]


def prepare(asked: Asked, where: Where, *, k: int, policy: Policy) -> tuple[str, dict[str, Any]]:
    """The statement and its values, for running and for measuring."""
    statement = STATEMENT.format(
        question=QUERY, distance=distance(asked, "turn"), letters=letters(asked, "turn.content")
    )
    return statement, shared_values(asked, where, k=k, policy=policy) | {"depth": DEPTH}
