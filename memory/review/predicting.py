"""What labels say of a policy that is not in force yet: which share of memory it would keep, and how precise that is.

By the random sample closed last, and by what its facts were worth when they were drawn. Whoever picks the best of
many thresholds by one sample flatters it: a fresh sample has to confirm what is said here.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from memory import confidence
from memory.models import Candidate
from memory.policy import Policy
from memory.review import choosing, precision, statistics
from memory.review.precision import Weighed
from memory.review.tallying import Item, Truth

STEPS = tuple(step / 100 for step in range(0, 96, 5))
"""The values of `min_confidence` that the curve is drawn at."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The labelled items that predictions stand on, and what they hang together by."""

    weighed: Weighed
    items: Sequence[Item]
    effect: float


def report(old: Policy, new: Policy, *, lost: Collection[int], refused: Collection[int]) -> dict[str, Any] | None:
    """Precision and kept share before and after; None without a closed sample. Inside the staff's scope.

    `lost` facts are those that a preview saw go, `refused` the claims that the gate would not let through any more.
    """
    ground = ground_of()
    if ground is None:
        return None
    gone = {*lost, *_without_claims(refused)}
    facts = _facts(ground)

    def is_kept(item: Item) -> bool:
        return is_above(item, ground.weighed.sample.created_at, old, new) and facts.get(item.id) not in gone

    return {
        "sample": ground.weighed.sample.pk,
        "bar": new.thresholds.precision_bar,
        "before": _kept(ground, lambda _item: True),
        "after": _kept(ground, is_kept),
    }


def curve(policy: Policy) -> dict[str, Any]:
    """Precision against kept share over `min_confidence`, and the smallest that clears the bar, if one does."""
    floor, bar = policy.thresholds.min_confidence, policy.thresholds.precision_bar
    ground = ground_of()
    if ground is None:
        return {"sample": None, "bar": bar, "floor": floor, "points": [], "suggested": None}
    points = [{"at": step, **_kept(ground, _above(step))} for step in sorted({*STEPS, floor})]
    clearing = (each["at"] for each in points if each["shown"] and each["shown"]["low"] >= bar)
    return {
        "sample": ground.weighed.sample.pk,
        "bar": bar,
        "floor": floor,
        "points": points,
        "suggested": next((at for at in clearing if at > floor), None) if _is_below(points, floor, bar) else None,
    }


def ground_of() -> Ground | None:
    """The labels of the random sample closed last; None where nothing was judged."""
    sample = choosing.newest()
    if sample is None:
        return None
    weighed = precision.weigh(sample)
    effect, _ = precision.cluster(weighed)
    items = [item for item in weighed.items if item.is_right(Truth.CURRENT) is not None and item.confidence is not None]
    return Ground(weighed, items, effect or 1.0) if items else None


def is_above(item: Item, drawn_at: datetime, old: Policy, new: Policy) -> bool:
    """Whether the item was above the new floor when drawn, had it faded by the new half-lives."""
    return worth(item, drawn_at, old, new) >= new.thresholds.min_confidence


def worth(item: Item, drawn_at: datetime, old: Policy, new: Policy) -> float:
    """What the item would have been worth when it was drawn."""
    drawn = item.confidence or 0.0
    before, after = (each.thresholds.half_life_days.get(item.kind) for each in (old, new))
    if item.said_at is None or before == after:
        return drawn
    left = confidence.effective(1.0, item.kind, item.said_at, now=drawn_at, thresholds=old.thresholds)
    born = min(1.0, drawn / left) if left else 0.0
    return confidence.effective(born, item.kind, item.said_at, now=drawn_at, thresholds=new.thresholds)


def _above(floor: float) -> Callable[[Item], bool]:
    return lambda item: (item.confidence or 0.0) >= floor


def _is_below(points: Sequence[dict[str, Any]], floor: float, bar: float) -> bool:
    """Whether precision at the present floor does not surely clear the bar."""
    here = next(each for each in points if each["at"] == floor)
    return not here["shown"] or here["shown"]["low"] < bar


def _kept(ground: Ground, is_kept: Callable[[Item], bool]) -> dict[str, Any]:
    """Precision of what is kept, and the share that it is of all, each with its interval."""
    kept = [item for item in ground.items if is_kept(item)]
    dropped = [item for item in ground.items if not is_kept(item)]
    weigh = ground.weighed.weight
    right = [weigh(item) for item in kept if item.is_right(Truth.CURRENT)]
    wrong = [weigh(item) for item in kept if not item.is_right(Truth.CURRENT)]
    share = statistics.cut([weigh(item) for item in kept], [weigh(item) for item in dropped], effect=ground.effect)
    found = statistics.cut(right, wrong, effect=ground.effect)
    told = asdict(share)
    return asdict(found) | {"judged": found.judged, "kept": told["rate"], "kept_shown": told["shown"]}


def _facts(ground: Ground) -> dict[int, int]:
    """Item → the fact it was drawn of, as far as that is there."""
    rows = ground.weighed.sample.items.exclude(fact=None).values_list("pk", "fact")
    return dict(rows)


def _without_claims(refused: Collection[int]) -> set[int]:
    """The facts that none of their claims would be left for."""
    if not refused:
        return set()
    facts = set(Candidate.objects.filter(pk__in=refused).exclude(fact=None).values_list("fact", flat=True))
    left = Candidate.objects.claims().filter(fact__in=facts).exclude(pk__in=refused)
    return facts - set(left.values_list("fact", flat=True))
