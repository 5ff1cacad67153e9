"""Stored results: a page asks for one, a worker builds it, a timer keeps it fresh. Loads nothing that computes.

A report is a row named by its kind and what it is about. Its data are numbers and ids, never anybody's words,
and pictures of those numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Q
from django.db.models.fields.json import KT, KeyTransform
from django.utils import timezone

from memory import clock
from memory.errors import NotFound
from memory.models import Report

PRECISION, COURSE, CONTRADICTIONS, REVIEWERS = "precision", "course", "contradictions", "reviewers"
GATE, DECISIONS, COST, HEALTH = "gate", "decisions", "cost", "health"
CURVE, PREVIEW, CARRIED = "curve", "preview", "carried"
"""Of the policy: precision over its floor; what a proposed one would do; that one was carried out."""
FRESH = timedelta(hours=6)
"""How old a report grows before it is built anew by itself."""
LASTING = (PRECISION, PREVIEW, CARRIED)
"""What is about a frozen sample or a version of the policy, and so built anew only when somebody asks."""


@dataclass(frozen=True, slots=True)
class Result:
    """A report as a page shows it; `numbers` None until it was first built. `is_new` the one time it was just asked for."""

    id: int
    kind: str
    about: str
    numbers: Mapping[str, Any] | None
    pictures: Mapping[str, str]
    """Name → what it shows, in words."""
    built_at: datetime | None
    took_ms: int
    policy_version: int
    error: str
    is_building: bool
    is_new: bool = False

    @property
    def told_at(self) -> datetime | None:
        """When it was built, as pages say it."""
        return self.built_at and clock.told(self.built_at)


def ask(kind: str, about: str = "", *, since: datetime | None = None, again: bool = False) -> Result:
    """The stored result. One that is missing, older than `since` or wanted `again` is put down to be built.

    Inside the staff scope. Whoever gets one that `is_new` tells a worker, after commit; told or not, the timer finds it.
    """
    now = timezone.now()
    row, is_new = Report.objects.defer("data").get_or_create(kind=kind, about=about, defaults={"requested_at": now})
    is_old = not row.error and _is_older(row, since, now)
    if not is_new and (again or is_old) and (row.error or not _is_wanted(row)):
        Report.objects.filter(pk=row.pk).update(requested_at=now, error="")
        is_new = True
    return _result(row.pk, is_new=is_new)


def _is_older(row: Report, since: datetime | None, now: datetime) -> bool:
    """A moment still to come, as with a clock that is set ahead, makes nothing old: it would be built without end."""
    return since is not None and row.built_at is not None and row.built_at < since <= now


def _is_wanted(row: Report) -> bool:
    return not row.error and (row.built_at is None or row.requested_at > row.built_at)


def _result(pk: int, *, is_new: bool) -> Result:
    """Without the pictures themselves, which are most of it."""
    rows = Report.objects.filter(pk=pk).defer("data")
    row = rows.annotate(numbers=KeyTransform("numbers", "data"), told=KeyTransform("told", "data")).get()
    return Result(
        id=row.pk,
        kind=row.kind,
        about=row.about,
        numbers=row.numbers,
        pictures=row.told or {},
        built_at=row.built_at,
        took_ms=row.took_ms,
        policy_version=row.policy_version,
        error=row.error,
        is_building=_is_wanted(row),
        is_new=is_new,
    )


def find(kind: str, about: str) -> Result | None:
    """A stored result if there is one, built or not; nothing is asked for."""
    pk = Report.objects.filter(kind=kind, about=about).values_list("pk", flat=True).first()
    return None if pk is None else _result(pk, is_new=False)


def picture(report_id: int, name: str, form: str) -> str:
    """One picture as it is stored. Raises NotFound."""
    rows = Report.objects.filter(pk=report_id, data__pictures__has_key=name)
    found = rows.annotate(picture=KT(f"data__pictures__{name}__{form}")).values_list("picture", flat=True).first()
    if found is None:
        raise NotFound("There is no such picture.")
    return str(found)


def named(report_id: int) -> Result:
    """A report that was built. Raises NotFound."""
    if not Report.objects.filter(pk=report_id, data__isnull=False).exists():
        raise NotFound("There is no such report.")
    return _result(report_id, is_new=False)


def whose(report_id: int) -> tuple[str, str]:
    """The kind of a report and what it is about. Raises NotFound."""
    found = Report.objects.filter(pk=report_id).values_list("kind", "about").first()
    if found is None:
        raise NotFound("There is no such report.")
    return found


def store(kind: str, about: str, data: Mapping[str, Any], *, began: datetime, policy_version: int) -> None:
    """Puts a result in the place of the one before, dated by when its building began. Inside the staff scope, as all here."""
    took_ms = round((timezone.now() - began).total_seconds() * 1000)
    built = {"data": data, "policy_version": policy_version, "took_ms": took_ms, "built_at": began, "error": ""}
    if not Report.objects.filter(kind=kind, about=about).update(**built):
        Report.objects.create(kind=kind, about=about, requested_at=began, **built)


def break_off(kind: str, about: str, fault: str) -> None:
    """Puts on record why it could not be built; what was built before stays."""
    Report.objects.filter(kind=kind, about=about).update(error=fault[:500])


def due() -> Sequence[tuple[str, str]]:
    """What was asked for and is not built, and what has grown old."""
    asked = Q(built_at=None) | Q(requested_at__gt=F("built_at"))
    old = Q(built_at__lt=timezone.now() - FRESH) & ~Q(kind__in=LASTING)
    found = Report.objects.filter(asked | old, error="").order_by("requested_at", "pk")
    return list(found.values_list("kind", "about"))


def is_due(kind: str, about: str) -> bool:
    return (kind, about) in due()
