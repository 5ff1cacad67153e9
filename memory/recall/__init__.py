"""Finding what is known: one statement within one user's scope."""

from memory.recall.asking import Asked, ask
from memory.recall.finding import MOST, Bring, Found, Recall, Where, recall
from memory.recall.planning import Plan, plan
from memory.recall.turns import FoundTurn, recall_both, recall_turns

__all__ = [
    "MOST",
    "Asked",
    "Bring",
    "Found",
    "FoundTurn",
    "Plan",
    "Recall",
    "Where",
    "ask",
    "plan",
    "recall",
    "recall_both",
    "recall_turns",
]
