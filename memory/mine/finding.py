"""Looking something up in one's own memory, by words and by meaning. Leaves no trace: it is no use in an answer."""

from collections.abc import Sequence

from memory import forgetting, llm, people, policies, recall, scope
from memory.models import User
from memory.recall import Found

MOST = 20
NEAR = 5
"""What is near in meaning alone is only so much help."""


def find(user: User, query: str, *, embedder: llm.Embedder | None) -> list[int]:
    """What bears on the query, the best first, then what holds its words and is not used any more.

    No transaction is open while the embedder works.
    """
    asked = recall.ask(query, embedder=embedder)
    if not asked.query:
        return []
    where = recall.Where(user_id=user.pk, language=user.language, zone=people.zone(user.time_zone))
    with scope.user(user.pk):
        found = recall.recall(asked, where, k=MOST, policy=policies.current()).found
        worded = forgetting.said_about(user.pk, query, user.language)
    return list(dict.fromkeys([*bearing(found), *worded]))[: 2 * MOST]


def bearing(found: Sequence[Found]) -> list[int]:
    """Without what recall fills up with."""
    by_meaning = [one.fact for one in found if set(one.found_by) == {"vector"}][:NEAR]
    return [one.fact for one in found if set(one.found_by) - {"vector"} or one.fact in by_meaning]
