"""Finding what is known: one statement within one user's scope."""

from memory.recall.asking import Asked, ask
from memory.recall.finding import Found, Recall, recall
from memory.recall.turns import FoundTurn, recall_turns

__all__ = ["Asked", "Found", "FoundTurn", "Recall", "ask", "recall", "recall_turns"]
