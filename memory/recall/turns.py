"""Finding what was said: turns of the user's episodes, by the same legs as facts, and by the facts that rest on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory import prepared
from memory.policy import Policy
from memory.recall.asking import Asked
from memory.recall.finding import DEPTH, Where, recall, shared_values
from memory.recall.legs import QUESTION, legs, rank
from memory.types import ERASED

STATEMENT = """
WITH {question},
own AS MATERIALIZED (
    SELECT turn.id, turn.episode_id, turn.n, {rank}
    FROM memory_turn turn, question
    WHERE turn.user_id = %(user)s AND turn.role <> 'system' AND turn.content <> %(erased)s{until}
),
voted AS MATERIALIZED (
    SELECT own.id, min(vote.place) AS place
    FROM unnest(%(facts)s::bigint[]) WITH ORDINALITY AS vote (fact, place)
    JOIN memory_candidate claim ON claim.user_id = %(user)s AND claim.fact_id = vote.fact
    JOIN memory_evidence evidence ON evidence.user_id = %(user)s AND evidence.candidate_id = claim.id
    JOIN own ON own.episode_id = evidence.episode_id AND own.n = evidence.turn
    GROUP BY own.id
),
{legs},
best AS (
    SELECT own.id, sum(share * score) AS score, max(found_by) FILTER (WHERE step = 0) AS found_by
    FROM scored JOIN own source USING (id)
    CROSS JOIN (VALUES (0, 1.0), (1, 0.15), (-1, 0.1)) AS lending (step, share)
    JOIN own ON own.episode_id = source.episode_id AND own.n = source.n + step
    GROUP BY own.id
    ORDER BY score DESC, id LIMIT %(k)s
)
SELECT episode.external_id, turn.n, turn.role, turn.name, turn.content, turn.at, turn.ref,
    coalesce(found_by, ARRAY['nearby']), score
FROM best
JOIN memory_turn turn ON turn.user_id = %(user)s AND turn.id = best.id
JOIN memory_episode episode ON episode.user_id = %(user)s AND episode.id = turn.episode_id
ORDER BY score DESC, turn.id
"""

FACTS = """
        UNION ALL SELECT id, place, %(facts_weight)s, 'facts' FROM voted"""

UNTIL = " AND turn.at < %(as_of)s::date + 1"


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
    found_by: Sequence[str]
    score: float


def recall_turns(asked: Asked, where: Where, *, k: int, policy: Policy, facts: Sequence[int] = ()) -> list[FoundTurn]:
    """The best `k` turns; `facts`, the best first, vote for the turns that they rest on. Inside the user's scope."""
    statement, values = prepare(asked, where, k=k, policy=policy, facts=facts)
    return [FoundTurn(*row) for row in prepared.rows(statement, values)]


def recall_both(asked: Asked, where: Where, *, k: int, policy: Policy) -> list[FoundTurn]:
    """The best `k` turns with the votes of the user's facts: better than either alone."""
    found = recall(asked, where, k=DEPTH, policy=policy).found
    return recall_turns(asked, where, k=k, policy=policy, facts=[one.fact for one in found if one.found_by])


def prepare(
    asked: Asked, where: Where, *, k: int, policy: Policy, facts: Sequence[int] = ()
) -> tuple[str, dict[str, Any]]:
    """The statement and its values, for running and for measuring."""
    statement = STATEMENT.format(
        question=QUESTION,
        rank=rank("turn", has_vector=asked.vector is not None),
        until=UNTIL if where.as_of else "",
        legs=legs("memory_turn", "content", has_parts=bool(asked.parts), lends=True, more=FACTS),
    )
    values = shared_values(asked, where, k=k, policy=policy)
    given = {"facts": list(facts), "facts_weight": policy.thresholds.facts_weight, "erased": ERASED}
    return statement, values | given
