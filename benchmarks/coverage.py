"""Whether the intervals hold what they promise, and how often *above the bar* is wrong: by simulation, seeded.

    uv run benchmarks/coverage.py             p from .80 to 1, populations from 40 to 10,000
    uv run benchmarks/coverage.py --short     a part of it, in seconds, as the tests do

Populations are frozen and samples drawn from them without replacement, as Assay draws. Prints one JSON document
and exits 1 when a bar is missed.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binom, hypergeom

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from memory.review import statistics  # noqa: E402
from memory.review.statistics import Estimate, Reading, Stratum  # noqa: E402

BAR = 0.9
JUST_UNDER = 0.899
MEAN, EVERYWHERE, WRONG = 0.94, 0.95, 0.05
OFTEN = 12
SIZES = (30, 60)
POPULATIONS = (40, 60, 100, 300, 599, 1_000, 3_000, 10_000)
SHARES = tuple(round(0.8 + step / 100, 2) for step in range(21))
SETTINGS = {
    "even": ((0.4, 0.3, 0.3), (0.0, 0.0, 0.0)),
    "skewed": ((0.6, 0.3, 0.1), (0.04, -0.04, -0.12)),
    "one small": ((0.93, 0.05, 0.02), (0.01, -0.15, -0.2)),
}
"""What part of the whole strata are, and by how much their shares differ from the whole's, before these are made to fit."""


@cache
def simple(right: int, drawn: int, population: int, look: int = 1) -> Estimate:
    return statistics.assess([Stratum(population, right, drawn - right)], Reading(BAR, look=look))


def holds(low: float, share: float, high: float) -> bool:
    return low - 1e-9 <= share <= high + 1e-9


def of_simple(sizes: Sequence[int], populations: Sequence[int], shares: Sequence[float]) -> dict[str, float]:
    """Exact, over every sample that can come: mean coverage of the shown interval, least coverage of each bound."""
    shown, lower, upper = [], [], []
    for drawn, population, share in product(sizes, populations, shares):
        if drawn > population:
            continue
        true = round(share * population)
        seen = np.arange(drawn + 1)
        chance = hypergeom.pmf(seen, population, true, drawn)
        told = [(simple(int(x), drawn, population), float(p)) for x, p in zip(seen, chance, strict=True) if p > 1e-12]
        exact = true / population
        shown.append(sum(p for each, p in told if each.shown and holds(each.shown.low, exact, each.shown.high)))
        lower.append(sum(p for each, p in told if holds(each.deciding.low, exact, 1)))
        upper.append(sum(p for each, p in told if holds(0, exact, each.deciding.high)))
    return {
        "shown_mean": float(np.mean(shown)),
        "lower_bound_least": float(min(lower)),
        "upper_bound_least": float(min(upper)),
    }


def of_endless(sizes: Sequence[int], *, step: float = 0.002) -> dict[str, float]:
    """The same of an endless population, over a fine grid of shares."""
    shown, least = [], 1.0
    for drawn in sizes:
        seen = np.arange(drawn + 1)
        wilson = [statistics.wilson(int(x), drawn) for x in seen]
        bounds = [statistics.bounds(int(x), drawn) for x in seen]
        for share in np.arange(0.8, 1.0, step):
            chance = binom.pmf(seen, drawn, share)
            shown.append(sum(p for each, p in zip(wilson, chance, strict=True) if holds(each.low, share, each.high)))
            low = sum(p for each, p in zip(bounds, chance, strict=True) if each.low <= share)
            high = sum(p for each, p in zip(bounds, chance, strict=True) if share <= each.high)
            least = min(least, low, high)
    return {"wilson_mean": float(np.mean(shown)), "clopper_pearson_least": float(least)}


def above_wrong(sizes: Sequence[int], populations: Sequence[int], *, looks: int) -> dict[str, float]:
    """Exact: how often *above* is said of a population just under the bar, extended while undecided."""
    found = {
        f"{drawn} of {population}": _ever_above(drawn, population, looks=looks)
        for drawn, population in product(sizes, populations)
        if drawn <= population
    }
    worst = max(found, key=lambda name: found[name])
    return {"worst": found[worst], "where": worst}  # type: ignore[dict-item]


def _ever_above(drawn: int, population: int, *, looks: int) -> float:
    true = min(math.floor(JUST_UNDER * population), math.ceil(BAR * population) - 1)
    undecided, wrong, seen = {0: 1.0}, 0.0, 0
    for look in range(1, looks + 1):
        more = min(drawn, population - seen)
        if not more:
            break
        undecided = _drawn(undecided, more, population - seen, true)
        seen += more
        above = {x: p for x, p in undecided.items() if simple(x, seen, population, look).standing == "above"}
        wrong += sum(above.values())
        undecided = {
            x: p
            for x, p in undecided.items()
            if x not in above and simple(x, seen, population, look).standing != "below"
        }
    return wrong


def _drawn(undecided: dict[int, float], more: int, left: int, true: int) -> dict[int, float]:
    found: dict[int, float] = {}
    for before, chance in undecided.items():
        right = np.arange(max(0, more - (left - (true - before))), min(more, true - before) + 1)
        for x, p in zip(right, hypergeom.pmf(right, left, true - before, more), strict=True):
            if chance * p > 1e-9:
                found[before + int(x)] = found.get(before + int(x), 0.0) + chance * float(p)
    return found


def of_stratified(rounds: int, populations: Sequence[int], *, seed: int = 1) -> dict[str, Any]:
    """By simulation: mean coverage of the shown interval, and how often *above* is wrong just under the bar."""
    random = np.random.default_rng(seed)
    covered: dict[str, float] = {}
    wrong: dict[str, float] = {}
    for (name, (parts, shares)), population in product(SETTINGS.items(), populations):
        sizes = [round(part * population) for part in parts]
        for allocation in _allocations(sizes):
            setting = f"{name}, {allocation} of {population}"
            drawn = [
                _one(random, sizes, _spread(sizes, shares, share), allocation) for share in _shares(random, rounds)
            ]
            covered[setting] = float(np.mean([is_held for is_held, _ in drawn[:rounds]]))
            wrong[setting] = float(np.mean([is_above for _, is_above in drawn[rounds:]]))
    where = max(wrong, key=lambda setting: wrong[setting])
    return {
        "shown_mean": float(np.mean([*covered.values()])),
        "shown_least": min(covered.values()),
        "above_wrong": wrong[where],
        "where": where,
        "rounds": rounds,
    }


def _shares(random: Any, rounds: int) -> Sequence[float]:
    """Shares from .8 to 1, and then many more just under the bar, where it is seldom that *above* is wrong."""
    return [*random.uniform(0.8, 1.0, rounds), *[JUST_UNDER] * (OFTEN * rounds)]


def _one(random: Any, sizes: Sequence[int], true: Sequence[int], allocation: Sequence[int]) -> tuple[bool, bool]:
    """Whether the shown interval of one sample holds the share, and whether the verdict is *above*."""
    estimate = _sample(random, sizes, true, allocation)
    shown = estimate.shown
    return shown is not None and holds(shown.low, sum(true) / sum(sizes), shown.high), estimate.standing == "above"


def _allocations(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Sixty in proportion, none without; and twenty of each. Never more than there are."""
    yield tuple(min(size, max(1, round(60 * size / sum(sizes)))) for size in sizes)
    yield tuple(min(20, size) for size in sizes)


def _spread(sizes: Sequence[int], shares: Sequence[float], share: float) -> list[int]:
    """How many are true in each stratum, so that in all they make the share."""
    off = sum(size * by for size, by in zip(sizes, shares, strict=True)) / sum(sizes)
    true = [min(size, max(0, round(size * (share + by - off)))) for size, by in zip(sizes, shares, strict=True)]
    excess = sum(true) - math.floor(share * sum(sizes))
    for stratum in np.argsort(sizes)[::-1]:
        changed = min(sizes[stratum], max(0, true[stratum] - excess))
        excess -= true[stratum] - changed
        true[stratum] = changed
    return true


def _sample(random: Any, sizes: Sequence[int], true: Sequence[int], allocation: Sequence[int]) -> Estimate:
    seen = [min(drawn, size) for drawn, size in zip(allocation, sizes, strict=True)]
    right = [int(random.hypergeometric(good, size - good, n)) for size, good, n in zip(sizes, true, seen, strict=True)]
    return stratified(tuple(zip(sizes, right, seen, strict=True)))


@cache
def stratified(strata: tuple[tuple[int, int, int], ...]) -> Estimate:
    """From (size, right, seen) of each; the draws of the posterior are many enough to be the same ones each time."""
    return statistics.assess([Stratum(size, right, seen - right) for size, right, seen in strata], Reading(BAR))


def measure(*, is_short: bool) -> dict[str, Any]:
    if is_short:
        return {
            "simple": of_simple((30,), (40, 10_000), SHARES[::3]),
            "endless": of_endless((30,), step=0.02),
            "above_wrong": above_wrong((30,), (40, 10_000), looks=2),
            "stratified": of_stratified(15, (300,)),
        }
    return {
        "simple": of_simple(SIZES, POPULATIONS, SHARES),
        "endless": of_endless((29, 30, 46, 60, 100, 300)),
        "above_wrong": above_wrong((29, 30, 46, 60, 61), POPULATIONS, looks=4),
        "stratified": of_stratified(300, (100, 300, 1_000, 10_000)),
    }


def missed(found: dict[str, Any]) -> list[str]:
    """The bars that these figures miss, in words; empty when all is well."""
    bars = {
        "mean coverage of the shown interval, simple": found["simple"]["shown_mean"] >= MEAN,
        "mean coverage of Wilson's interval": found["endless"]["wilson_mean"] >= MEAN,
        "mean coverage of the shown interval, stratified": found["stratified"]["shown_mean"] >= MEAN - found["slack"],
        "coverage of Clopper-Pearson everywhere": found["endless"]["clopper_pearson_least"] >= EVERYWHERE - 1e-9,
        "coverage of the lower bound everywhere": found["simple"]["lower_bound_least"] >= EVERYWHERE - 1e-9,
        "coverage of the upper bound everywhere": found["simple"]["upper_bound_least"] >= EVERYWHERE - 1e-9,
        "*above* wrong just under the bar, simple": found["above_wrong"]["worst"] <= WRONG,
        "*above* wrong just under the bar, stratified": found["stratified"]["above_wrong"] <= WRONG + found["slack"],
    }
    return [name for name, is_met in bars.items() if not is_met]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true")
    options = parser.parse_args()
    found = measure(is_short=options.short) | {"slack": SLACK if options.short else 0.0}
    print(json.dumps(found | {"missed": missed(found)}, indent=2))
    return 1 if missed(found) else 0


SLACK = 0.06
"""What few rounds may be off by."""

if __name__ == "__main__":
    sys.exit(main())
