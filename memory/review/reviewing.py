"""The reviewers: how far they agree, how fast they are, and how they do on items whose answer is known."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from django.db.models import Count, F, Max, Q
from django.db.models.functions import TruncWeek

from memory.models import Label, SampleItem
from memory.review import statistics
from memory.review.contradicting import Quantile
from memory.types import LabelVerdict

MOST = 500
"""How many disagreements a report holds, those of today first."""


@dataclass(frozen=True, slots=True)
class Given:
    item: int
    reviewer: int | None
    verdict: str


def report() -> dict[str, Any]:
    """Ids of reviewers, never names. Inside the staff scope."""
    shared = _shared()
    agreement = asdict(statistics.agree([[given.verdict for given in each] for each in shared.values()]))
    disputed = [item for item, each in shared.items() if _differ(each)]
    return {
        "agreement": agreement | {"table": _table(agreement["table"])},
        "reviewers": _reviewers(shared),
        "gold": SampleItem.objects.exclude(gold="").count(),
        "weeks": _weeks(),
        "disputed": len(disputed),
        "disagreements": _to_read(disputed),
    }


def _to_read(items: Sequence[int]) -> list[int]:
    """Those of them whose words are still there."""
    there = SampleItem.objects.filter(pk__in=items).exclude(words=None).exclude(user=None)
    return list(there.order_by("-pk").values_list("pk", flat=True)[:MOST])


def _shared() -> dict[int, list[Given]]:
    """What several people labelled, with all they said."""
    stands = Q(labels__undone_at=None, labels__seconds__isnull=False)
    several = SampleItem.objects.filter(gold="").annotate(n=Count("labels", filter=stands))
    labels = Label.objects.standing().given().filter(item__in=several.filter(n__gt=1).values("pk"))
    found: dict[int, list[Given]] = defaultdict(list)
    for row in labels.order_by("at", "pk").values_list("item_id", "reviewer_id", "verdict").iterator(chunk_size=5_000):
        found[row[0]].append(Given(*row))
    return found


def _differ(each: Sequence[Given]) -> bool:
    """Whether people who could tell said different things, and no more of them one thing than any other."""
    told = Counter(given.verdict for given in each if given.verdict != LabelVerdict.CANT_TELL).most_common(2)
    return len(told) > 1 and told[0][1] == told[1][1]


def _table(pairs: Mapping[tuple[str, str], int]) -> list[dict[str, Any]]:
    return [{"one": one, "other": other, "count": count} for (one, other), count in pairs.items()]


def _reviewers(shared: Mapping[int, Sequence[Given]]) -> list[dict[str, Any]]:
    alike, gold = _alike(shared), _gold()
    stands = Q(undone_at=None)
    rows = Label.objects.exclude(reviewer=None).order_by().values("reviewer")
    told = rows.annotate(
        labels=Count("id", filter=stands),
        undone=Count("id", filter=~stands),
        cant_tell=Count("id", filter=stands & Q(verdict=LabelVerdict.CANT_TELL)),
        seconds=Quantile(0.5, F("seconds")),
        last=Max("at"),
    )
    return [
        row
        | {"last": row["last"].date().isoformat()}
        | {"shared": _cut(alike.get(row["reviewer"], Counter())), "gold": _cut(gold.get(row["reviewer"], Counter()))}
        for row in told.order_by("-labels", "reviewer")
    ]


def _alike(shared: Mapping[int, Sequence[Given]]) -> dict[int | None, Counter[bool]]:
    """Reviewer → how many pairs with others' labels were alike, and how many not."""
    found: dict[int | None, Counter[bool]] = defaultdict(Counter)
    for each in shared.values():
        for one, other in combinations(each, 2):
            for given in (one, other):
                found[given.reviewer][one.verdict == other.verdict] += 1
    return found


def _gold() -> dict[int | None, Counter[bool]]:
    """Reviewer → how many items of known answer they got right, and how many not."""
    known = Label.objects.standing().exclude(item__gold="")
    found: dict[int | None, Counter[bool]] = defaultdict(Counter)
    for reviewer, verdict, gold in known.values_list("reviewer_id", "verdict", "item__gold").iterator(chunk_size=5_000):
        found[reviewer][verdict == gold] += 1
    return found


def _cut(told: Counter[bool]) -> dict[str, Any]:
    part = statistics.cut([1.0] * told[True], [1.0] * told[False])
    return asdict(part) | {"judged": part.judged}


def _weeks() -> list[dict[str, Any]]:
    """How many labels were given week by week, the last half year."""
    rows = Label.objects.standing().given().order_by().values_list(TruncWeek("at")).annotate(Count("id"))
    return [{"week": f"{week:%Y-%m-%d}", "count": count} for week, count in sorted(rows)[-26:]]
