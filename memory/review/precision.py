"""The precision of memory by one sample: how much is true now, how much ever was, by which kinds and how surely."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from memory import policies
from memory.models import Sample
from memory.policy import Policy
from memory.review import slicing, statistics, tallying
from memory.review.standing import Standing
from memory.review.statistics import Estimate, Reading, Stratum
from memory.review.tallying import Fate, Item, Truth


@dataclass(frozen=True, slots=True)
class Weighed:
    """A sample's items with what each stands for in the population."""

    sample: Sample
    items: Sequence[Item]
    sizes: Mapping[str, tuple[int, int]]
    """Stratum → how many there are, and how many of them were drawn."""

    @property
    def is_closed(self) -> bool:
        return self.sample.closed_at is not None

    @property
    def is_complete(self) -> bool:
        return not any(item.is_pending(is_closed=self.is_closed) for item in self.items)

    def weight(self, item: Item) -> float:
        there, drawn = self.sizes[item.stratum]
        return there / max(1, drawn)


def report(sample: Sample) -> dict[str, Any]:
    """Everything the sample says, as plain numbers. No words of anybody's."""
    policy = policies.current()
    weighed = weigh(sample)
    effect, apart = cluster(weighed)
    reading = _reading(weighed, policy, effect=apart["effect"] or 1.0)
    return {
        "sample": _about(sample),
        "bar": policy.thresholds.precision_bar,
        "verdict": _verdict(weighed, reading),
        "counts": _counts(weighed),
        **{truth.value: _precision(assess(weighed, truth, reading), reading) for truth in Truth},
        "clusters": apart | {"is_known": effect is not None},
        "slices": _slices(weighed, policy, effect=reading.effect),
        "calibration": _calibration(weighed),
    }


def weigh(sample: Sample) -> Weighed:
    """A sample whose items are in strata that it does not name is read as a simple one."""
    found = tallying.items(sample)
    sizes = {name: (there, drawn) for name, (there, drawn) in sample.strata.items()}
    if {item.stratum for item in found} <= sizes.keys() and sizes:
        return Weighed(sample, found, sizes)
    return Weighed(sample, [replace(item, stratum="") for item in found], {"": (sample.population, len(found))})


def assess(weighed: Weighed, truth: Truth, reading: Reading) -> Estimate:
    """Its share, interval and standing. What is still to be labelled counts as not drawn yet."""
    tallies: dict[str, Counter[bool | None]] = defaultdict(Counter)
    for item in weighed.items:
        if item.fate(is_closed=weighed.is_closed) is not Fate.PENDING:
            tallies[item.stratum][item.is_right(truth)] += 1
    strata = [
        Stratum(max(there, tallies[name].total()), tallies[name][True], tallies[name][False], tallies[name][None])
        for name, (there, _drawn) in weighed.sizes.items()
    ]
    return statistics.assess(strata, reading)


def _verdict(weighed: Weighed, reading: Reading) -> Standing:
    """Where memory stands to the bar by what is true now; a targeted sample says nothing of memory as a whole."""
    if not weighed.sample.is_random:
        return Standing.TARGETED
    return assess(weighed, Truth.CURRENT, reading).standing


def _reading(weighed: Weighed, policy: Policy, *, effect: float) -> Reading:
    sample = weighed.sample
    return Reading(
        bar=policy.thresholds.precision_bar,
        look=sample.look,
        seed=abs(sample.seed),
        effect=effect,
        is_complete=weighed.is_complete,
    )


def cluster(weighed: Weighed) -> tuple[float | None, dict[str, Any]]:
    """How much labels of one person, or of one conversation, say together: the larger of the two effects."""
    judged = [(item, right) for item in weighed.items if (right := item.is_right(Truth.CURRENT)) is not None]
    means = _means(judged)
    values = [right - means[item.stratum] for item, right in judged]
    owners = [item.owner for item, _right in judged]
    episodes = [item.first_episode or -item.id for item, _right in judged]
    effects = {
        "person": statistics.design_effect(values, owners),
        "conversation": statistics.design_effect(values, episodes),
    }
    known = {name: effect for name, effect in effects.items() if effect is not None}
    by = max(known, key=lambda name: known[name], default=None)
    told = {"people": len(set(owners)), "conversations": len(set(episodes)), "by": by}
    effect = known[by] if by else None
    return effect, told | {"effect": effect}


def _means(judged: Iterable[tuple[Item, bool]]) -> dict[str, float]:
    """How right each stratum is, which is no reason for labels to hang together."""
    told = defaultdict(list)
    for item, right in judged:
        told[item.stratum].append(right)
    return {stratum: sum(values) / len(values) for stratum, values in told.items()}


def _about(sample: Sample) -> dict[str, Any]:
    names = ("id", "method", "stratify_by", "population", "size", "look", "is_random", "is_narrowed", "policy_version")
    return {name: getattr(sample, name) for name in names} | {
        name: moment.isoformat() if (moment := getattr(sample, name)) else None for name in ("created_at", "closed_at")
    }


def _counts(weighed: Weighed) -> dict[str, int]:
    found = Counter(item.fate(is_closed=weighed.is_closed) for item in weighed.items)
    erased = sum(not item.has_words for item in weighed.items)
    return {fate.value: found[fate] for fate in Fate} | {"drawn": len(weighed.items), "without_text": erased}


def _precision(estimate: Estimate, reading: Reading) -> dict[str, Any]:
    return said(estimate) | {"is_open": estimate.is_open(reading.bar)}


def said(estimate: Estimate) -> dict[str, Any]:
    """An estimate as plain numbers."""
    names = ("judged", "effective", "is_census")
    return asdict(estimate) | {name: getattr(estimate, name) for name in names}


def _slices(weighed: Weighed, policy: Policy, *, effect: float) -> dict[str, Any]:
    told = [item for item in weighed.items if item.fate(is_closed=weighed.is_closed) is not Fate.PENDING]
    dimensions = slicing.dimensions(weighed.sample.created_at, policy.vocabulary)
    return {
        dimension: [
            {"name": name, **_slice(weighed, within, effect=effect)} for name, within in slicing.cut(told, by).items()
        ]
        for dimension, by in dimensions.items()
    }


def _slice(weighed: Weighed, within: Sequence[Item], *, effect: float) -> dict[str, Any]:
    return {"drawn": len(within)} | {truth.value: part(weighed, within, truth, effect=effect) for truth in Truth}


def part(weighed: Weighed, within: Sequence[Item], truth: Truth, *, effect: float) -> dict[str, Any]:
    """A slice as plain numbers."""
    weights: dict[bool | None, list[float]] = defaultdict(list)
    for item in within:
        weights[item.is_right(truth)].append(weighed.weight(item))
    found = statistics.cut(weights[True], weights[False], unknown=len(weights[None]), effect=effect)
    return asdict(found) | {"judged": found.judged}


def _calibration(weighed: Weighed) -> dict[str, Any]:
    told = [
        (item.confidence, right, weighed.weight(item))
        for item in weighed.items
        if item.confidence is not None and (right := item.is_right(Truth.CURRENT)) is not None
    ]
    stated = [confidence for confidence, _right, _weight in told]
    weights = [weight for _confidence, _right, weight in told]
    found = statistics.calibrate(stated, [right for _confidence, right, _weight in told], weights)
    plain = asdict(found)
    for band, shown in zip(found.bands, plain["bands"], strict=True):
        shown["slice"]["judged"] = band.slice.judged
    return plain
