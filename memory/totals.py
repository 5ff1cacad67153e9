"""What memory adds up to: the figures of `consolidate`, counted over everything stored of some users."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, Q, Sum

from memory.models import Candidate, Conflict, Episode, Fact, Job, JobState, ModelCall, Resolution
from memory.types import LIVE, Verdict


def totals(user_ids: Sequence[int]) -> dict[str, Any]:
    """Must run inside a scope that sees these users."""
    candidates = Candidate.objects.filter(user__in=user_ids)
    verdicts = dict(candidates.values_list("verdict").annotate(Count("id")).order_by())
    refused = candidates.refused().values_list("reason").annotate(Count("id")).order_by("reason")
    relations = Resolution.objects.filter(user__in=user_ids).values_list("relation").annotate(Count("id"))
    episodes, calls = _episodes(user_ids), _calls(user_ids)
    return {
        **episodes,
        "candidates": sum(verdicts.values()),
        "accepted": verdicts.get(Verdict.ACCEPTED, 0),
        "refused": dict(refused),
        "held": verdicts.get(Verdict.HELD, 0),
        "relations": dict(relations.order_by("relation")),
        "facts": dict(Fact.objects.filter(user__in=user_ids).values_list("status").annotate(Count("id")).order_by()),
        "live": Fact.objects.filter(user__in=user_ids, status__in=LIVE).count(),
        "open_conflicts": Conflict.objects.open().filter(user__in=user_ids).count(),
        **calls,
        "per_1000_turns": {name: round(1000 * n / max(1, episodes["turns"]), 1) for name, n in calls.items()},
    }


def _episodes(user_ids: Sequence[int]) -> dict[str, Any]:
    counted = Episode.objects.filter(user__in=user_ids).aggregate(
        turns=Sum("turn_count", default=0),
        episodes=Count("id"),
        failed=Count("id", filter=Q(state="failed")),
        pending=Count("id", filter=Q(state="pending")),
    )
    failed_jobs = Job.objects.filter(user__in=user_ids, state=JobState.FAILED).values_list("error", flat=True)
    return {
        "episodes": counted["episodes"],
        "turns": counted["turns"],
        "pending_episodes": counted["pending"],
        "failed_episodes": counted["failed"],
        "failures": sorted(set(failed_jobs) | set(_errors(user_ids))),
    }


def _errors(user_ids: Sequence[int]) -> Sequence[str]:
    failed = Episode.objects.filter(user__in=user_ids, state="failed").exclude(error="")
    return list(failed.values_list("error", flat=True).distinct()[:20])


def _calls(user_ids: Sequence[int]) -> dict[str, Any]:
    return ModelCall.objects.filter(user__in=user_ids).aggregate(
        model_calls=Count("id"), tokens_in=Sum("tokens_in", default=0), tokens_out=Sum("tokens_out", default=0)
    )
