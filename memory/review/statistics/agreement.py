"""How far people agree who labelled the same things. Alpha alone misleads where nearly all is right."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import krippendorff
import numpy as np
from numpy.typing import NDArray

ENOUGH = 2


@dataclass(frozen=True, slots=True)
class Agreement:
    """None is "undefined": nothing is shared, or all labels are alike, which says nothing of chance."""

    shared: int
    raw: float | None = None
    alpha: float | None = None
    ac1: float | None = None
    table: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """How often one label stood beside the other, the names of a pair in the order of the alphabet."""


def agree(labels: Sequence[Sequence[str]]) -> Agreement:
    """From the labels of each item; those with a single one say nothing here."""
    shared = [each for each in labels if len(each) >= ENOUGH]
    if not shared:
        return Agreement(0)
    names = sorted({label for each in shared for label in each})
    counts = np.array([[each.count(name) for name in names] for each in shared])
    pairs = Counter(tuple(sorted(pair)) for each in shared for pair in combinations(each, 2))
    table = {(one, other): count for (one, other), count in sorted(pairs.items())}
    raw = _raw(counts)
    if len(names) == 1:
        return Agreement(len(shared), raw, table=table)
    alpha = float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))
    return Agreement(len(shared), raw, alpha, _ac1(counts, raw), table)


def _raw(counts: NDArray[np.int_]) -> float:
    """The share of pairs of labels that are alike, item by item."""
    people = counts.sum(axis=1)
    return float(((counts * (counts - 1)).sum(axis=1) / (people * (people - 1))).mean())


def _ac1(counts: NDArray[np.int_], raw: float) -> float:
    """Gwet's: chance agreement from how often each label is given."""
    given = (counts / counts.sum(axis=1, keepdims=True)).mean(axis=0)
    chance = float((given * (1 - given)).sum()) / (counts.shape[1] - 1)
    return float((raw - chance) / (1 - chance))
