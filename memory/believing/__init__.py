"""Making it so: what the resolver folds on a key becomes rows of facts, lineage, conflicts and history.

All of it happens inside the caller's scoped transaction, and in proportion to the keys touched.
"""

from memory.believing.refolding import Key, refold

__all__ = ["Key", "refold"]
