"""Contradictions: how often they are resolved rightly, and what becomes of those that people are asked."""

from collections import Counter, defaultdict
from typing import Any

from django.db.models import Aggregate, Case, Count, F, FloatField, Max, Min, Q, QuerySet, Value, When
from django.db.models.functions import Extract, TruncMonth

from memory import policies
from memory.models import Conflict, JudgedPair, Sample
from memory.review import choosing, precision
from memory.review.precision import Weighed
from memory.review.statistics import Reading
from memory.review.tallying import Item, Truth
from memory.types import SampleSubject

DAY = 86_400


class Quantile(Aggregate):
    """What a share of all values lies under."""

    function = "percentile_cont"
    output_field = FloatField()

    def __init__(self, share: float, expression: Any, **options: Any) -> None:
        super().__init__(expression, share=share, **options)

    template = "percentile_cont(%(share)s) WITHIN GROUP (ORDER BY %(expressions)s)%(filter)s"


def report() -> dict[str, Any]:
    """Inside the staff scope."""
    sample = choosing.newest(SampleSubject.RESOLUTIONS)
    return {
        "bar": policies.current().thresholds.precision_bar,
        "audit": audited(sample) if sample else None,
        "spotted": _spotted(),
        "opened": Conflict.objects.count(),
        "open": Conflict.objects.open().count(),
        "settled": _settled(),
        "won": _won(),
        "months": _months(),
    }


def audited(sample: Sample, *, parts: str = "relations") -> dict[str, Any]:
    """The share of resolutions, or refusals, that people found right, in all and by relation, or by reason."""
    weighed = precision.weigh(sample)
    effect = precision.cluster(weighed)[0] or 1.0
    bar = policies.current().thresholds.precision_bar
    reading = Reading(bar, look=sample.look, seed=abs(sample.seed), effect=effect, is_complete=weighed.is_complete)
    by_outcome: dict[str, list[Item]] = defaultdict(list)
    for item in weighed.items:
        by_outcome[item.outcome].append(item)
    return {
        "sample": sample.pk,
        "closed_at": sample.closed_at.isoformat() if sample.closed_at else "",
        "all": precision.said(precision.assess(weighed, Truth.CURRENT, reading)),
        parts: [
            {"name": name, **_part(weighed, within, effect=effect)}
            for name, within in sorted(by_outcome.items(), key=lambda each: (-len(each[1]), each[0]))
        ],
    }


def _part(weighed: Weighed, within: list[Item], *, effect: float) -> dict[str, Any]:
    return precision.part(weighed, within, Truth.CURRENT, effect=effect)


def _spotted() -> list[dict[str, Any]]:
    """What people said of decisions that they came upon: no fair draw, and so without a rate."""
    said = JudgedPair.objects.exclude(by="").exclude(was="").order_by().values("was")
    right = Count("id", filter=Q(answer=F("was")))
    found = said.annotate(right=right, wrong=Count("id") - right).order_by("was")
    return [{"name": row["was"], "right": row["right"], "wrong": row["wrong"]} for row in found]


def _ended() -> QuerySet[Conflict]:
    return Conflict.objects.exclude(settled_by="")


def _settled() -> list[dict[str, Any]]:
    """By whom, how many, and how many days it took: half of them, and nine in ten."""
    took = Extract(F("settled_at") - F("opened_at"), "epoch", output_field=FloatField())
    rows = (
        _ended()
        .order_by()
        .values("settled_by")
        .annotate(count=Count("id"), half=Quantile(0.5, took), most=Quantile(0.9, took))
    )
    return [
        {"by": row["settled_by"], "count": row["count"], "half": _days(row["half"]), "most": _days(row["most"])}
        for row in rows.order_by("-count", "settled_by")
    ]


def _days(seconds: float | None) -> float | None:
    return None if seconds is None else max(0.0, seconds / DAY)


def _won() -> dict[str, int]:
    """Whether what was said later won, or what was said earlier; `neither` where no one side did."""
    said = "sides__fact__first_said_at"
    sides = _ended().annotate(latest=Max(said), earliest=Min(said))
    which = Case(
        When(winner=None, then=Value("neither")),
        When(winner__first_said_at__gte=F("latest"), then=Value("newer")),
        When(winner__first_said_at__lte=F("earliest"), then=Value("older")),
        default=Value("between"),
    )
    found: Counter[str] = Counter()
    for name in sides.annotate(which=which).values_list("which", flat=True).iterator(chunk_size=10_000):
        found[name] += 1
    return {name: found[name] for name in ("newer", "older", "between", "neither")}


def _months() -> list[dict[str, Any]]:
    """How many were opened and how many settled, month by month."""
    opened = _by_month(Conflict.objects.all(), "opened_at")
    settled = _by_month(_ended().exclude(settled_at=None), "settled_at")
    return [
        {"month": month, "opened": opened.get(month, 0), "settled": settled.get(month, 0)}
        for month in sorted({*opened, *settled})[-24:]
    ]


def _by_month(rows: QuerySet[Conflict], moment: str) -> dict[str, int]:
    found = rows.order_by().values_list(TruncMonth(moment)).annotate(Count("id"))
    return {f"{month:%Y-%m}": count for month, count in found}
