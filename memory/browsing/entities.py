"""Whom and what a person's facts are about, with the names they go by."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import models
from django.db.models import Count, Q, QuerySet

from memory.browsing.paging import Cursor, Order, Page, turn
from memory.models import Alias, Dismissal, Entity, Fact
from memory.types import LIVE

ORDER = Order(("-is_owner", "name_key", "note_key", "id"))
MOST_DISMISSED = 20


@dataclass(frozen=True, slots=True)
class Listed:
    """An entity with its other names, and how much is known of it, live and in all."""

    row: Entity
    aliases: tuple[Alias, ...]
    live: int
    facts: int


def page(user_id: int, cursor: Cursor, *, words: str = "") -> Page[Listed]:
    """A person's entities by name, the person first; those whose name or note has the words."""
    within = Entity.objects.filter(user=user_id).fetch_mode(models.FETCH_RAISE)
    rows = within
    if words:
        named = Alias.objects.filter(user=user_id, alias__icontains=words).values("entity")
        rows = within.filter(Q(name__icontains=words) | Q(note__icontains=words) | Q(pk__in=named))
    return turn(rows, ORDER, cursor, within=within).of(_listed)


def dismissed(user_id: int) -> list[Dismissal]:
    """The pairs last said not to be the same."""
    rows: QuerySet[Dismissal] = Dismissal.objects.filter(user=user_id).select_related("entity", "other")
    return list(rows.order_by("-pk").fetch_mode(models.FETCH_RAISE)[:MOST_DISMISSED])


def _listed(rows: Iterable[Entity]) -> list[Listed]:
    found = list(rows)
    names: dict[int, list[Alias]] = {}
    for alias in Alias.objects.filter(user__in={row.user_id for row in found}, entity__in=found).order_by("alias_key"):
        names.setdefault(alias.entity_id, []).append(alias)
    facts = Fact.objects.filter(user__in={row.user_id for row in found}, entity__in=found).order_by()
    rows_by: dict[int, tuple[int, int]] = {
        entity: (live, total)
        for entity, live, total in facts.values_list("entity").annotate(
            live=Count("id", filter=Q(status__in=LIVE)), total=Count("id")
        )
    }
    return [Listed(row, tuple(names.get(row.pk, ())), *rows_by.get(row.pk, (0, 0))) for row in found]
