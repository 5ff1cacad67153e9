"""What labels of one person or one conversation are worth together."""

from collections.abc import Hashable, Sequence

import numpy as np


def design_effect(values: Sequence[float], clusters: Sequence[Hashable]) -> float | None:
    """By how much labels that hang together are worth less: 1 + (m − 1) · intraclass correlation, never below 1.

    The correlation is that of a one-way analysis of variance. None where it cannot be told: all values alike,
    or but one cluster.
    """
    numbers = {cluster: number for number, cluster in enumerate(dict.fromkeys(clusters))}
    member = np.array([numbers[cluster] for cluster in clusters], dtype=int)
    n, k = len(member), len(numbers)
    if k == n and n > 0:
        return 1.0
    value = np.asarray(values, dtype=float)
    if k <= 1 or np.ptp(value) == 0:
        return None
    sizes = np.bincount(member)
    means = np.bincount(member, weights=value) / sizes
    between = float((sizes * (means - value.mean()) ** 2).sum()) / (k - 1)
    within = float(((value - means[member]) ** 2).sum()) / (n - k)
    squares = float((sizes**2).sum()) / n
    typical = (n - squares) / (k - 1)
    correlation = (between - within) / (between + (typical - 1) * within)
    return 1 + (squares - 1) * max(0.0, correlation)
