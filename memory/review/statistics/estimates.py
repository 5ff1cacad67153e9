"""The precision of a sample: its share, the interval around it, and whether that clears the bar."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from memory.review.standing import Standing
from memory.review.statistics import planning
from memory.review.statistics.intervals import LEVEL, Interval, bounds, is_sizeable, wilson

DRAWS = 20_000
FEWEST = 8
"""Below so many labels a slice shows its count and no rate."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of the population and what was seen of it. `unknown`: can't tell, disputed, erased or never answered."""

    size: int
    right: int
    wrong: int
    unknown: int = 0

    @property
    def judged(self) -> int:
        return self.right + self.wrong

    @property
    def drawn(self) -> int:
        return self.judged + self.unknown


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a sample says. None stands for what cannot be said from these labels.

    `shown` is the two-sided 95 % interval of what could be judged. `deciding` holds the one-sided bounds that
    the verdict is from: the lower with all unknown ones wrong, the upper with all of them right. `span` is the
    share itself at these two extremes.
    """

    population: int
    drawn: int
    right: int
    wrong: int
    unknown: int
    rate: float | None
    shown: Interval | None
    deciding: Interval
    span: Interval
    effect: float
    alpha: float
    standing: Standing
    needed: int | None = None

    @property
    def judged(self) -> int:
        return self.right + self.wrong

    @property
    def effective(self) -> float:
        """How many independent labels these are worth."""
        return self.judged / self.effect

    def is_open(self, bar: float) -> bool:
        """Whether what could not be judged lies between the share and the bar: then no number of such labels decides."""
        return self.unknown > 0 and self.span.low < bar <= self.span.high

    @property
    def is_census(self) -> bool:
        """Whether everything there is was judged."""
        return 0 < self.population == self.judged


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a sample: too small a one has a count and no rate."""

    right: int
    wrong: int
    unknown: int
    rate: float | None = None
    shown: Interval | None = None

    @property
    def judged(self) -> int:
        return self.right + self.wrong


@dataclass(frozen=True, slots=True)
class Reading:
    """How a sample is to be read. `seed` makes the draws of a stratified one the same every time."""

    bar: float
    look: int = 1
    seed: int = 0
    effect: float = 1.0
    is_complete: bool = True


def assess(strata: Sequence[Stratum], reading: Reading) -> Estimate:
    """The verdict on a sample; a simple one has a single stratum."""
    alpha = planning.alpha_at(reading.look)
    measure = _simple if len(strata) == 1 else _stratified
    total = Stratum(*(sum(getattr(each, name) for each in strata) for name in ("size", "right", "wrong", "unknown")))
    rate, shown, deciding = measure(strata, reading, alpha)
    estimate = Estimate(
        population=total.size,
        drawn=total.drawn,
        right=total.right,
        wrong=total.wrong,
        unknown=total.unknown,
        rate=rate,
        shown=shown,
        deciding=deciding,
        span=_span(strata),
        effect=reading.effect,
        alpha=alpha,
        standing=_standing(deciding, reading) if total.drawn or not reading.is_complete else Standing.UNDECIDED,
    )
    return replace(estimate, needed=_needed(estimate, reading))


def _standing(deciding: Interval, reading: Reading) -> Standing:
    if not reading.is_complete:
        return Standing.INTERIM
    if deciding.low >= reading.bar:
        return Standing.ABOVE
    return Standing.BELOW if deciding.high < reading.bar else Standing.UNDECIDED


def _needed(estimate: Estimate, reading: Reading) -> int | None:
    """As many answers as so far will be missing again, and count against the verdict."""
    if estimate.standing is not Standing.UNDECIDED or estimate.rate is None or estimate.is_open(reading.bar):
        return None
    share = estimate.span.low if estimate.rate >= reading.bar else estimate.span.high
    return planning.needed(share, reading.bar, population=estimate.population or None, effect=reading.effect)


type Measured = tuple[float | None, Interval | None, Interval]


def _simple(strata: Sequence[Stratum], reading: Reading, alpha: float) -> Measured:
    (one,) = strata
    effect = reading.effect
    low = bounds(one.right, one.drawn, population=one.size, alpha=alpha, effect=effect).low
    high = bounds(one.right + one.unknown, one.drawn, population=one.size, alpha=alpha, effect=effect).high
    if not one.judged:
        return None, None, Interval(low, high)
    if is_sizeable(one.judged, one.size):
        shown = bounds(one.right, one.judged, population=one.size, alpha=(1 - LEVEL) / 2, effect=effect)
    else:
        shown = wilson(one.right / effect, one.judged / effect)
    return one.right / one.judged, shown, Interval(low, high)


def _stratified(strata: Sequence[Stratum], reading: Reading, alpha: float) -> Measured:
    """The finite-population posterior: the textbook variance takes a stratum without an error for certain."""
    if not sum(each.size for each in strata):
        return None, None, Interval(0.0, 1.0)
    worst = best = likely = posterior([(each.size, each.right, each.drawn) for each in strata], reading)
    if any(each.unknown for each in strata):
        best = posterior([(each.size, each.right + each.unknown, each.drawn) for each in strata], reading)
        likely = posterior([(each.size, each.right, each.judged) for each in strata], reading)
    low, high = float(np.quantile(worst, alpha)), float(np.quantile(best, 1 - alpha))
    deciding = Interval(min(low, _cautious(strata, reading, alpha)) if low >= reading.bar else low, high)
    seen = [each for each in strata if each.judged]
    if not seen:
        return None, None, deciding
    share = sum(each.size * each.right / each.judged for each in seen) / sum(each.size for each in seen)
    tails = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
    low, high = np.quantile(likely, tails)
    return share, Interval(float(low), float(high)), deciding


def _cautious(strata: Sequence[Stratum], reading: Reading, alpha: float) -> float:
    """The lower bound of as many equal chances as the unequal ones are worth (Kish): *above* must hold by it too.

    Where one stratum is nearly all and few were drawn of it, the posterior alone says *above* too easily.
    """
    seen = [each for each in strata if each.drawn]
    worth = sum(each.size for each in seen) ** 2 / sum(each.size**2 / each.drawn for each in seen)
    size = sum(each.size for each in strata)
    share = _span(strata).low
    return bounds(share * worth, worth, population=size, alpha=alpha, effect=reading.effect).low


def posterior(strata: Sequence[tuple[int, int, int]], reading: Reading) -> NDArray[np.float64]:
    """Draws of the population's share, from (size, right, seen) of each stratum."""
    random = np.random.default_rng(reading.seed)
    true = np.zeros(DRAWS)
    for size, right, seen in strata:
        likely = random.beta(right / reading.effect + 0.5, (seen - right) / reading.effect + 0.5, DRAWS)
        true += right + random.binomial(size - seen, likely)
    return true / sum(size for size, _right, _seen in strata)


def _span(strata: Sequence[Stratum]) -> Interval:
    """The share with everything unknown wrong, and right."""
    seen = [each for each in strata if each.drawn]
    size = sum(each.size for each in seen)
    if not size:
        return Interval(0.0, 1.0)
    low = sum(each.size * each.right / each.drawn for each in seen) / size
    high = sum(each.size * (each.right + each.unknown) / each.drawn for each in seen) / size
    return Interval(low, high)


def cut(right: Sequence[float], wrong: Sequence[float], *, unknown: int = 0, effect: float = 1.0) -> Slice:
    """A slice, from what each right and each wrong one stands for in the population: all alike in a simple sample.

    Unequal weights are worth fewer labels than there are (Kish), which the interval takes into account.
    """
    judged = len(right) + len(wrong)
    if judged < FEWEST:
        return Slice(len(right), len(wrong), unknown)
    total, weights = sum(right) + sum(wrong), (*right, *wrong)
    rate = sum(right) / total
    worth = total**2 / sum(weight**2 for weight in weights) / effect
    return Slice(len(right), len(wrong), unknown, rate, wilson(rate * worth, worth))
