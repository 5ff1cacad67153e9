"""Whether facts of a confidence of .8 are right eight times in ten."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from memory.review.statistics.estimates import Slice, cut

EDGES = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class Band:
    """Facts of a confidence from `low` to under `high`."""

    low: float
    high: float
    mean: float
    slice: Slice


@dataclass(frozen=True, slots=True)
class Calibration:
    """Brier: mean squared distance of confidence from truth. `error`: the bands' mean distance, by their weight."""

    judged: int
    brier: float | None = None
    error: float | None = None
    bands: tuple[Band, ...] = ()


def calibrate(confidence: Sequence[float], is_right: Sequence[bool], weights: Sequence[float]) -> Calibration:
    """From the confidence each had when it was drawn, whether it was right, and what it stands for."""
    if not confidence:
        return Calibration(0)
    stated, truth, weight = np.array(confidence), np.array(is_right, dtype=float), np.array(weights, dtype=float)
    band = np.digitize(stated, EDGES[1:-1])
    error, bands = 0.0, []
    for number, (low, high) in enumerate(pairwise(EDGES)):
        inside = band == number
        if not inside.any():
            continue
        mean = float(np.average(stated[inside], weights=weight[inside]))
        rate = float(np.average(truth[inside], weights=weight[inside]))
        error += float(weight[inside].sum() / weight.sum()) * abs(mean - rate)
        right, wrong = weight[inside & (truth == 1)], weight[inside & (truth == 0)]
        bands.append(Band(low, high, mean, cut(right.tolist(), wrong.tolist())))
    brier = float(np.average((stated - truth) ** 2, weights=weight))
    return Calibration(len(confidence), brier, error, tuple(bands))
