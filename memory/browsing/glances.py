"""What a person's memory comes to at a glance: what stands out, what is open, what was said last. Inside a scope."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import models
from django.db.models import Count, F, Window
from django.db.models.functions import RowNumber

from memory import clock, confidence, policies
from memory.browsing import episodes
from memory.browsing.episodes import Listed
from memory.models import Conflict, Fact
from memory.types import Kind

TOP, MOST = 3, 4
"""Facts shown of each kind; conflicts and episodes shown."""


ORDER = (
    Kind.IDENTITY,
    Kind.CONSTRAINT,
    Kind.RELATIONSHIP,
    Kind.KNOWLEDGE,
    Kind.PREFERENCE,
    Kind.GOAL,
    Kind.TEMPORARY,
)
"""Who somebody is and what must be heeded before what they like."""


@dataclass(frozen=True, slots=True)
class Glance:
    """The surest live facts of each kind with how many there are, open conflicts, and the last episodes."""

    kinds: Mapping[Kind, Sequence[Fact]]
    counts: Mapping[str, int]
    conflicts: Sequence[Conflict]
    episodes: Sequence[Listed]


def of(user_id: int) -> Glance:
    """In five queries, and one for the policy."""
    live = Fact.objects.live().filter(user=user_id)
    conflicts = Conflict.objects.open().filter(user=user_id).select_related("entity").order_by("-opened_at", "-pk")
    return Glance(
        kinds=_top(user_id),
        counts=dict(live.order_by().values_list("kind").annotate(Count("pk"))),
        conflicts=list(conflicts.fetch_mode(models.FETCH_RAISE)[:MOST]),
        episodes=episodes.last(user_id, most=MOST),
    )


def _top(user_id: int) -> Mapping[Kind, Sequence[Fact]]:
    worth = confidence.effective_expression(policies.current().thresholds, now=clock.now())
    ranked = (
        Fact.objects.live()
        .filter(user=user_id)
        .defer("embedding")
        .annotate(
            worth=worth,
            place=Window(RowNumber(), partition_by=[F("kind")], order_by=[F("worth").desc(), F("pk").desc()]),
        )
    )
    rows = list(ranked.filter(place__lte=TOP).order_by("place").fetch_mode(models.FETCH_RAISE))
    found = {kind: [row for row in rows if row.kind == kind] for kind in ORDER}
    return {kind: some for kind, some in found.items() if some}
