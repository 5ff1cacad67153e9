"""What the model costs: calls, tokens, failures and time to answer, by model and prompt version, and week by week."""

from typing import Any

from django.db.models import Count, F, Q, Sum
from django.db.models.functions import TruncWeek

from memory.models import Episode, ModelCall
from memory.review.contradicting import Quantile

WEEKS = 26
MOST = 100
"""How many models and prompt versions a report holds, those with the most calls first."""
FAILED = ~Q(error="")


def report() -> dict[str, Any]:
    """Inside the staff scope. `turns` are all that were read; tokens and calls stand against them."""
    turns = Episode.objects.aggregate(n=Sum("read_turns", default=0))["n"]
    return {
        "turns": turns,
        "all": _all(turns),
        "models": [_against(row, turns) for row in _models()],
        "weeks": _weeks(),
    }


_COUNTS = {
    "calls": Count("id"),
    "failed": Count("id", filter=FAILED),
    "tokens_in": Sum("tokens_in", default=0),
    "tokens_out": Sum("tokens_out", default=0),
}


def _calls() -> Any:
    return ModelCall.objects.order_by()


def _all(turns: int) -> dict[str, Any]:
    return _against(_calls().aggregate(**_COUNTS), turns)


def _models() -> list[dict[str, Any]]:
    """By what was asked, of which model, under which version of the prompt."""
    names = ("name", "model", "prompt_version")
    rows = _calls().values(*names).annotate(**_COUNTS, **_times())
    return list(rows.order_by("-calls", *names)[:MOST])


def _times() -> dict[str, Any]:
    """A call that failed says how long the failure took, not how long an answer takes."""
    return {name: Quantile(share, F("latency_ms"), filter=~FAILED) for name, share in (("median", 0.5), ("p95", 0.95))}


def _against(row: dict[str, Any], turns: int) -> dict[str, Any]:
    """With what it comes to for a thousand turns; None as long as none was read."""
    tokens = row["tokens_in"] + row["tokens_out"]
    each = {"calls": row["calls"], "tokens": tokens}
    per = {f"{name}_per_1000": round(1000 * n / turns, 1) if turns else None for name, n in each.items()}
    return row | {"tokens": tokens} | per


def _weeks() -> list[dict[str, Any]]:
    """By the week of the call; turns by the week in which they came."""
    rows = _calls().values(week=TruncWeek("at")).annotate(**_COUNTS, **_times())
    read = Episode.objects.order_by().values_list(TruncWeek("created_at")).annotate(Sum("read_turns", default=0))
    turns = {f"{week:%Y-%m-%d}": count for week, count in read}
    found = sorted((row | {"week": f"{row['week']:%Y-%m-%d}"} for row in rows), key=lambda row: str(row["week"]))
    return [_against(row, turns.get(row["week"], 0)) | {"turns": turns.get(row["week"], 0)} for row in found[-WEEKS:]]
