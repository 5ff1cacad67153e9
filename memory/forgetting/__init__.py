"""Leaving: three acts that are never confused. Retire is reversible, erase is final, forget me is everything."""

from memory.forgetting.declining import decline, undecline, would_stop
from memory.forgetting.departing import depart, lift_departure, preview_departure
from memory.forgetting.erasing import erase
from memory.forgetting.lifting import allow, dismiss, lift
from memory.forgetting.matching import about, said_about
from memory.forgetting.previewing import Preview, preview
from memory.forgetting.requested import answer, heed, mark, topics
from memory.forgetting.retiring import is_its_persons, restore, retire

__all__ = [
    "Preview",
    "about",
    "allow",
    "answer",
    "decline",
    "depart",
    "dismiss",
    "erase",
    "heed",
    "is_its_persons",
    "lift",
    "lift_departure",
    "mark",
    "preview",
    "preview_departure",
    "restore",
    "retire",
    "said_about",
    "topics",
    "undecline",
    "would_stop",
]
