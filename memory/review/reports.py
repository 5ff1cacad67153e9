"""Stored results: a page asks for one, a worker builds it, a timer keeps it fresh. Loads nothing that computes.

A report is a row named by its kind and what it is about. Its data are numbers and ids, never anybody's words,
and pictures of those numbers.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Q
from django.db.models.fields.json import KT
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
class Built:
    """What a worker made: numbers with the words of their pictures, the pictures, and what it all rests on."""

    data: Mapping[str, Any]
    pictures: Mapping[str, Any]
    policy_version: int
    ground: str = ""


@dataclass(frozen=True, slots=True)
class Gone:
    """Through how many people of how many the building of a report has gone."""

    people: int
    of: int


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
    gone: Gone | None = None
    """How far it is, of what is being built in pieces."""
    is_new: bool = False

    @property
    def told_at(self) -> datetime | None:
        """When it was built, as pages say it."""
        return self.built_at and clock.told(self.built_at)


def ask(
    kind: str, about: str = "", *, since: datetime | None = None, ground: str | None = None, again: bool = False
) -> Result:
    """The stored result. One that is missing, wanted `again`, older than `since` or of another `ground` is put down to be built.

    Inside the staff scope. Whoever gets one that `is_new` tells a worker, after commit; told or not, the timer finds it.
    """
    now = timezone.now()
    rows = Report.objects.defer("pictures", "so_far")
    row, is_new = rows.get_or_create(kind=kind, about=about, defaults={"requested_at": now})
    is_old = not row.error and _is_old(row, since, ground)
    if not is_new and (again or is_old) and (row.error or not _is_wanted(row)):
        _put_down(row, now)
        is_new = True
    return _result(row, is_new=is_new)


def _put_down(row: Report, now: datetime) -> None:
    """Once more. A preview that broke off begins anew: what it saw may have changed; what is carried out goes on."""
    row.requested_at, row.error = now, ""
    if row.so_far is not None:
        row.so_far = None if row.kind == PREVIEW else row.so_far | {"began": now.isoformat()}
    row.save(update_fields=["requested_at", "error", "so_far"])


def _is_old(row: Report, since: datetime | None, ground: str | None) -> bool:
    if row.built_at is None:
        return False
    return (since is not None and row.built_at < since) or ground not in (None, row.ground)


def _is_wanted(row: Report) -> bool:
    return not row.error and (row.built_at is None or row.requested_at > row.built_at)


def _result(row: Report, *, is_new: bool = False) -> Result:
    data, is_building = row.data or {}, _is_wanted(row)
    return Result(
        id=row.pk,
        kind=row.kind,
        about=row.about,
        numbers=data.get("numbers"),
        pictures=data.get("told") or {},
        built_at=row.built_at,
        took_ms=row.took_ms,
        policy_version=row.policy_version,
        error=row.error,
        is_building=is_building,
        gone=_gone(row.pk) if is_building else None,
        is_new=is_new,
    )


def _gone(pk: int) -> Gone | None:
    """Of the stage that it is at."""
    stages = Report.objects.filter(pk=pk).values_list("so_far__stages", flat=True).first() or {}
    return next((Gone(at["done"], at["of"]) for at in stages.values() if at["done"] < at["of"]), None)


def find(kind: str, about: str) -> Result | None:
    """A stored result if there is one, built or not; nothing is asked for."""
    row = Report.objects.defer("pictures", "so_far").filter(kind=kind, about=about).first()
    return None if row is None else _result(row)


def stored(kinds: Collection[str]) -> Sequence[str]:
    """Which of them are stored that are about everything."""
    return list(Report.objects.filter(kind__in=kinds, about="").values_list("kind", flat=True))


def picture(report_id: int, name: str, form: str) -> str:
    """One picture as it is stored. Raises NotFound."""
    rows = Report.objects.filter(pk=report_id, pictures__has_key=name)
    found = rows.annotate(picture=KT(f"pictures__{name}__{form}")).values_list("picture", flat=True).first()
    if found is None:
        raise NotFound("There is no such picture.")
    return str(found)


def named(report_id: int) -> Result:
    """A report that was built. Raises NotFound."""
    row = Report.objects.defer("pictures", "so_far").filter(pk=report_id).exclude(built_at=None).first()
    if row is None:
        raise NotFound("There is no such report.")
    return _result(row)


def whose(report_id: int) -> tuple[str, str]:
    """The kind of a report and what it is about. Raises NotFound."""
    found = Report.objects.filter(pk=report_id).values_list("kind", "about").first()
    if found is None:
        raise NotFound("There is no such report.")
    return found


def store(kind: str, about: str, built: Built, *, began: datetime) -> None:
    """Puts a result in the place of the one before, dated by when its building began. Inside the staff scope, as all here."""
    took_ms = round((timezone.now() - began).total_seconds() * 1000)
    fields = asdict(built) | {"took_ms": took_ms, "built_at": began, "error": "", "so_far": None}
    if not Report.objects.filter(kind=kind, about=about).update(**fields):
        Report.objects.create(kind=kind, about=about, requested_at=began, **fields)


def so_far(kind: str, about: str) -> Mapping[str, Any]:
    """Where a report stands that is built in pieces."""
    return Report.objects.filter(kind=kind, about=about).values_list("so_far", flat=True).first() or {}


def began(kind: str, about: str) -> datetime:
    """When the building of it began: now, unless it stands somewhere already."""
    kept = so_far(kind, about).get("began")
    return datetime.fromisoformat(kept) if kept else timezone.now()


def keep(kind: str, about: str, so_far: Mapping[str, Any]) -> None:
    """Puts down where it stands, for whoever goes on."""
    Report.objects.filter(kind=kind, about=about).update(so_far=so_far)


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
