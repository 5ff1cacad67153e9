"""What is believed on one key: a pure fold over its accepted claims and people's decisions on them.

The order in which claims arrive, and their ids, never matter: they are folded in the order in
which they were said (decision 0003), each compared with everything known by then.
"""

from memory.resolver.folding import fold

__all__ = ["fold"]
