"""The jobs that read people's episodes: what runs, what waits, what failed and why."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models import Case, Count, Exists, IntegerField, OuterRef, Q, QuerySet, Value, When

from memory.browsing.paging import Cursor, Order, Page, turn
from memory.errors import NotFound
from memory.models import Episode, Job, JobState, State, Transfer
from memory.types import TransferKind, TransferState

ORDER = Order(("urgency", "id"))
MOST_IMPORTS = 20
_NONE = {"episodes": 0, "pending": 0, "failed": 0}
_STATES = (JobState.FAILED, JobState.RUNNING, JobState.WAITING, JobState.DONE)


@dataclass(frozen=True, slots=True)
class Work:
    """A person's job with their episodes that wait or failed; one that is done may have left some behind."""

    row: Job
    state: JobState
    episodes: int
    pending: int
    failed: int
    errors: tuple[str, ...]

    @property
    def read(self) -> int:
        """How many of the episodes have been read."""
        return self.episodes - self.pending - self.failed

    @property
    def is_failed(self) -> bool:
        return self.state == JobState.FAILED


def page(cursor: Cursor, *, state: JobState | None = None) -> Page[Work]:
    """What needs somebody first: failed, running, waiting, done."""
    within = _jobs()
    rows = within if state is None else within.filter(urgency=_STATES.index(state))
    return turn(rows, ORDER, cursor, within=within).of(_work)


def counts() -> Mapping[JobState, int]:
    """Jobs by state."""
    found = dict(_jobs().order_by().values_list("urgency").annotate(Count("id")))
    return {state: found.get(number, 0) for number, state in enumerate(_STATES)}


def owner(job_id: int) -> int:
    """The id of the user whose job it is."""
    found = Job.objects.filter(pk=job_id).values_list("user_id", flat=True).first()
    if found is None:
        raise NotFound("There is no such job.")
    return found


def imports() -> list[Transfer]:
    """Files that people brought along and that are still being taken in, or failed; the newest first."""
    rows = Transfer.objects.filter(kind=TransferKind.IMPORT).exclude(state=TransferState.DONE)
    return list(rows.select_related("user").order_by("-pk").fetch_mode(models.FETCH_RAISE)[:MOST_IMPORTS])


def _jobs() -> QuerySet[Any]:
    """A job that went on past an episode that failed counts as failed: somebody has to look at it."""
    has_failed = Exists(Episode.objects.filter(user=OuterRef("user"), state=State.FAILED))
    urgency = Case(
        When(Q(state__in=[JobState.FAILED, JobState.DONE]) & has_failed, then=Value(0)),
        *(When(state=state, then=Value(number)) for number, state in enumerate(_STATES)),
        output_field=IntegerField(),
    )
    rows = Job.objects.select_related("user").annotate(urgency=urgency)
    return rows.fetch_mode(models.FETCH_RAISE)


def _work(rows: Iterable[Any]) -> list[Work]:
    found = list(rows)
    owners = [row.user_id for row in found]
    episodes: QuerySet[Any, Any] = Episode.objects.filter(user__in=owners).order_by().values("user")
    counted = episodes.annotate(
        episodes=Count("id"),
        pending=Count("id", filter=Q(state=State.PENDING)),
        failed=Count("id", filter=Q(state=State.FAILED)),
    )
    by_user = {row["user"]: row for row in counted}
    errors = _errors(owners)
    return [
        Work(
            row=row,
            state=_STATES[row.urgency],
            episodes=by_user.get(row.user_id, _NONE)["episodes"],
            pending=by_user.get(row.user_id, _NONE)["pending"],
            failed=by_user.get(row.user_id, _NONE)["failed"],
            errors=tuple(dict.fromkeys(filter(None, [row.error, *errors.get(row.user_id, ())]))),
        )
        for row in found
    ]


def _errors(user_ids: list[int]) -> dict[int, list[str]]:
    rows = Episode.objects.filter(user__in=user_ids, state=State.FAILED).exclude(error="")
    found: dict[int, list[str]] = {}
    for user_id, error in rows.order_by("user", "error").values_list("user_id", "error").distinct():
        found.setdefault(user_id, []).append(error)
    return found
