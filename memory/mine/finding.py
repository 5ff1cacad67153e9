"""Looking something up in one's own memory, by words and by meaning. Leaves no trace: it is no use in an answer."""

from memory import llm, people, policies, recall, scope
from memory.models import User

MOST = 20


def find(user: User, query: str, *, embedder: llm.Embedder | None) -> list[int]:
    """The facts that bear on the query, the best first. No transaction is open while the embedder works."""
    asked = recall.ask(query, embedder=embedder)
    if not asked.query:
        return []
    where = recall.Where(user_id=user.pk, language=user.language, zone=people.zone(user.time_zone))
    with scope.user(user.pk):
        found = recall.recall(asked, where, k=MOST, policy=policies.current())
    return [one.fact for one in found.found]
