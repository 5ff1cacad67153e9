"""What the gate refused, and why."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import models
from django.db.models import Count, QuerySet

from memory.browsing import quotes
from memory.browsing.paging import Cursor, Order, Page, turn
from memory.browsing.quotes import Quotes
from memory.models import Candidate
from memory.types import TEXTLESS, Reason

# A person's own by when it was said; across people by arrival, which the primary key gives without sorting all.
OF_ONE, OF_ALL = Order(("-said_at", "-id")), Order(("-id",))


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused candidate; of one whose text is not kept there is nothing but the reason."""

    row: Candidate
    reason: Reason
    is_textless: bool
    quotes: Quotes


def page(cursor: Cursor, *, user_id: int | None = None, reason: Reason | None = None) -> Page[Refusal]:
    """Newest first: of one person, or of everyone."""
    within = _refused(user_id)
    rows = within if reason is None else within.filter(reason=reason)
    return turn(rows, OF_ALL if user_id is None else OF_ONE, cursor, within=within).of(_shown)


def counts(user_id: int | None = None) -> Mapping[Reason, int]:
    """How many were refused for which reason, the commonest first; reasons without any are left out."""
    rows = _refused(user_id).order_by()
    found = rows.values_list("reason").annotate(count=Count("id")).order_by("-count", "reason")
    return {Reason(reason): count for reason, count in found}


def _refused(user_id: int | None) -> QuerySet[Candidate]:
    rows = Candidate.objects.refused().select_related("episode", "user").fetch_mode(models.FETCH_RAISE)
    return rows if user_id is None else rows.filter(user=user_id)


def _shown(rows: Iterable[Candidate]) -> list[Refusal]:
    found = list(rows)
    behind = quotes.behind_candidates([row.user_id for row in found], [row.pk for row in found])
    return [Refusal(row, Reason(row.reason), row.reason in TEXTLESS, behind.get(row.pk, quotes.NONE)) for row in found]
