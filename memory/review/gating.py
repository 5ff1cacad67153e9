"""The gate: what it let in, held and refused week by week, what it should have kept, and how few facts come of the turns.

A week is the one in which the gate judged, not the one in which something was said: a history imported today was
judged by the gate of today.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import TruncWeek

from memory.models import Candidate, Episode, Fact
from memory.review import checking, choosing, contradicting
from memory.types import SampleSubject, Verdict

WEEKS = 26
BESIDE = 20
"""How many of those let in last stand beside as many refused last."""


def report() -> dict[str, Any]:
    """Inside the staff scope."""
    weeks, reasons = _judged()
    sample = choosing.newest(SampleSubject.REFUSALS)
    turns = Episode.objects.aggregate(n=Sum("read_turns", default=0))["n"]
    return {
        "line": checking.MOST_FACTS_A_TURN,
        "verdicts": _verdicts(),
        "reasons": reasons,
        "weeks": weeks,
        "audit": contradicting.audited(sample, parts="reasons") if sample else None,
        "promoted": _promoted(),
        "turns": turns,
        "facts": Fact.objects.count(),
        "accepted_last": _last(Verdict.ACCEPTED),
        "refused_last": _last(Verdict.REFUSED),
    }


def _verdicts() -> dict[str, int]:
    found = dict(Candidate.objects.order_by().values_list("verdict").annotate(Count("id")))
    return {verdict.value: found.get(verdict, 0) for verdict in Verdict}


def _judged() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Every week with its verdicts, turns and new facts; every reason with how often, in all and in each of the weeks."""
    rows = Candidate.objects.order_by().values_list(TruncWeek("created_at"), "verdict", "reason").annotate(Count("id"))
    verdicts: dict[str, Counter[str]] = {}
    reasons: Counter[str] = Counter()
    by_week: dict[str, Counter[str]] = {}
    for week, verdict, reason, count in rows:
        verdicts.setdefault(_day(week), Counter())[verdict] += count
        if verdict == Verdict.REFUSED:
            reasons[reason] += count
            by_week.setdefault(reason, Counter())[_day(week)] += count
    turns = _by_week(Episode.objects.all(), Sum("read_turns", default=0))
    facts = _by_week(Fact.objects.all(), Count("id"))
    weeks = sorted({*verdicts, *turns, *facts})[-WEEKS:]
    told = [_week(week, verdicts.get(week, Counter()), turns.get(week, 0), facts.get(week, 0)) for week in weeks]
    ranked = sorted(reasons.items(), key=lambda each: (-each[1], each[0]))
    return told, [
        {"name": name, "count": count, "weeks": [by_week[name][week] for week in weeks]} for name, count in ranked
    ]


def _week(week: str, verdicts: Mapping[str, int], turns: int, facts: int) -> dict[str, Any]:
    counts = {verdict.value: verdicts.get(verdict, 0) for verdict in Verdict}
    return {"week": week, **counts, "turns": turns, "facts": facts, "rate": facts / turns if turns else None}


def _by_week(rows: QuerySet[Any], counted: Any) -> dict[str, int]:
    found = rows.order_by().values_list(TruncWeek("created_at")).annotate(counted)
    return {_day(week): count for week, count in found}


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"


def _promoted() -> list[dict[str, Any]]:
    """What reviewers came upon among the refused and took in: misses, but no fair draw, and so without a rate."""
    rows = Candidate.objects.exclude(refused_for="").order_by().values_list("refused_for").annotate(n=Count("id"))
    return [{"name": name, "count": count} for name, count in rows.order_by("-n", "refused_for")]


def _last(verdict: Verdict) -> list[int]:
    return list(Candidate.objects.filter(verdict=verdict).order_by("-pk").values_list("pk", flat=True)[:BESIDE])
