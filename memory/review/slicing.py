"""What a sample is cut by. Names of slices are kinds, codes and versions: never what somebody said."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from memory.policy_types import Vocabulary
from memory.review.tallying import Item

type By = Callable[[Item], str]

UNKNOWN, OTHER = "unknown", "other"
_MONTH = re.compile(r"\d{4}-\d\d")
MOST = 12
"""How many slices of a dimension are shown; all of them are in the file."""
AGES = {"week": 7, "month": 30, "quarter": 91, "year": 365}
"""Upper ends in days of how long before the draw it was said."""
OLDER = "older"


def dimensions(drawn_at: datetime, vocabulary: Vocabulary) -> Mapping[str, By]:
    """Name → which slice an item is in."""
    return {
        "kind": lambda item: item.kind or UNKNOWN,
        "source": lambda item: item.source.partition(":")[0] or UNKNOWN,
        "basis": lambda item: item.basis or UNKNOWN,
        "age": lambda item: _age(item, drawn_at),
        "language": lambda item: item.language or UNKNOWN,
        "predicate": lambda item: _predicate(item, vocabulary),
        "extractor": lambda item: item.extractor or UNKNOWN,
        "prompt_version": lambda item: item.prompt_version or UNKNOWN,
        "policy_version": lambda item: UNKNOWN if item.policy_version is None else str(item.policy_version),
        "month": lambda item: f"{item.said_at:%Y-%m}" if item.said_at else UNKNOWN,
    }


def cut(items: Iterable[Item], by: By) -> dict[str, list[Item]]:
    """The largest slice first; ages and months in their own order."""
    found = defaultdict(list)
    for item in items:
        found[by(item)].append(item)
    order = [*AGES, OLDER]
    if set(found) <= {*order, UNKNOWN}:
        return dict(sorted(found.items(), key=lambda each: [*order, UNKNOWN].index(each[0])))
    if all(_MONTH.fullmatch(name) for name in found.keys() - {UNKNOWN}):
        return dict(sorted(found.items()))
    return dict(sorted(found.items(), key=lambda each: (-len(each[1]), each[0])))


def shown[Slice](dimension: str, slices: Sequence[Slice]) -> Sequence[Slice]:
    """The largest; of months the last."""
    return slices[-MOST:] if dimension == "month" else slices[:MOST]


def _age(item: Item, drawn_at: datetime) -> str:
    if item.said_at is None:
        return UNKNOWN
    ends = (name for name, days in AGES.items() if drawn_at - item.said_at < timedelta(days=days))
    return next(ends, OLDER)


def _predicate(item: Item, vocabulary: Vocabulary) -> str:
    """A predicate that no vocabulary knows may be the person's own words, which a report must not keep."""
    return item.predicate if item.predicate in vocabulary.cardinality else OTHER
