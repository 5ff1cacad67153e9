"""What became of a fact, and what it did: who changed it when, what was said of it, whom it was given to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Count, Max, Q, QuerySet

from memory.models import (
    Candidate,
    Correction,
    Decided,
    Fact,
    History,
    Label,
    PersonsRuling,
    Recalled,
    Resolution,
    User,
)

MOST = 50
LOOKED_AT = 2_000
"""How many of a person's last recalls and decisions are looked through: they are many, and no index reads arrays."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a fact. `what` is a code of `sort`; `who` a name, "" for the engine itself.

    `claim` is the one that was resolved, and `said` when it was said, where that happened.
    """

    at: datetime
    sort: str
    what: str
    who: str
    note: str = ""
    claim: int | None = None
    said: datetime | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A label of a sample, or what its person said."""

    at: datetime
    verdict: str
    who: str
    sample: str
    is_undone: bool


@dataclass(frozen=True, slots=True)
class Given:
    """To which agent a fact was given how often, and when last."""

    actor: str
    times: int
    last: datetime


def events(fact: Fact) -> list[Event]:
    """The newest first, in five queries."""
    user, claims = fact.user_id, Candidate.objects.filter(user=fact.user_id, fact=fact)
    said = list(claims.values_list("pk", flat=True))
    told = (
        Resolution.objects.filter(user=user, candidate__in=said)
        .select_related("candidate")
        .order_by("-created_at", "-pk")[:MOST]
    )
    ruled = PersonsRuling.objects.filter(user=user, claims__overlap=said).order_by("-at", "-pk")[:MOST]
    noted = list(History.objects.filter(user=user, table="fact", row=fact.pk).order_by("-at", "-pk")[:MOST])
    names = _names([row.actor for row in noted], [row.actor_id for row in ruled])
    found = [
        Event(row.created_at, "RELATIONS", row.relation, "", row.why, row.candidate_id, row.candidate.said_at)
        for row in told
    ]
    found += [Event(row.at, "VERBS", row.verb, names.get(str(row.actor_id), row.by), row.note) for row in ruled]
    found += [_noted(row, names) for row in noted]
    return sorted(found, key=lambda event: event.at, reverse=True)[:MOST]


def _noted(row: History, names: dict[str, str]) -> Event:
    who = names.get(row.actor, "" if row.actor in {"engine", "upkeep"} else row.actor)
    return Event(row.at, "ACTIONS", row.action, who, ", ".join(row.fields) if row.action == "change" else "")


def _names(actors: Iterable[str], ids: Iterable[int | None]) -> dict[str, str]:
    wanted = {int(actor) for actor in actors if actor.isdecimal()} | {pk for pk in ids if pk}
    return {str(user.pk): str(user) for user in User.objects.filter(pk__in=wanted)}


def labels(fact: Fact) -> list[Judged]:
    """What reviewers said where nobody is asked any more, so that they judge blind; and what its person said."""
    rows = Label.objects.filter(item__user=fact.user_id, item__fact=fact, item__candidate=None)
    is_over = Q(item__sample__closed_at__isnull=False) | Q(item__lacking=0)
    given = rows.filter(is_over).select_related("item__sample", "reviewer").order_by("-at", "-pk")[:MOST]
    found = [
        Judged(row.at, row.verdict, str(row.reviewer or ""), row.item.sample.name, row.undone_at is not None)
        for row in given
    ]
    own = Correction.objects.filter(user=fact.user_id, fact=fact).order_by("-at", "-pk")[:MOST]
    found += [Judged(row.at, row.verdict, "", "", row.undone_at is not None) for row in own]
    return sorted(found, key=lambda one: one.at, reverse=True)


def given(fact: Fact) -> list[Given]:
    """To whom it was recalled, among the person's last recalls."""
    newest = _newest(Recalled.objects.filter(user=fact.user_id))
    rows: QuerySet[Any, Any] = Recalled.objects.filter(user=fact.user_id, pk__in=newest, facts__contains=[fact.pk])
    counted = rows.order_by().values("actor").annotate(times=Count("pk"), last=Max("at")).order_by("-last")
    return [Given(row["actor"], row["times"], row["last"]) for row in counted[:MOST]]


def moved(fact: Fact) -> Sequence[Decided]:
    """The decisions that it had a part in, among the person's last ones."""
    newest = _newest(Decided.objects.filter(user=fact.user_id))
    rows = Decided.objects.filter(user=fact.user_id, pk__in=newest, because__contains=[fact.pk])
    return list(rows.order_by("-at").fetch_mode(models.FETCH_RAISE)[:MOST])


def _newest(rows: QuerySet[Any]) -> QuerySet[Any, Any]:
    return rows.order_by("-at").values("pk")[:LOOKED_AT]
