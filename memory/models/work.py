from datetime import datetime
from enum import StrEnum
from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from memory import clock
from memory.models.ownership import Owned, choices, one_of


class JobState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class JobQuerySet(models.QuerySet["Job"]):
    def runnable(self, now: datetime) -> Self:
        """Those whose wait is over, and those whose worker fell silent."""
        waiting = models.Q(state=JobState.WAITING, run_after__lte=now)
        return self.filter(waiting | models.Q(state=JobState.RUNNING, lease_until__lt=now))


class Job(Owned):
    """The extraction of one user's due episodes. One row a user: the truth that the queue only points at.

    `fence` grows with every start, by the clock, so that a worker whose lease ran out can write nothing.
    """

    state = models.CharField(max_length=8, choices=choices(JobState), default=JobState.WAITING)
    run_after = models.DateTimeField()
    lease_until = models.DateTimeField(null=True)
    fence = models.PositiveBigIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    step = models.CharField(max_length=200, blank=True, help_text="what it was last seen at")
    reading = ArrayField(models.BigIntegerField(), default=list, help_text="the episodes of that step")
    died_at = models.CharField(max_length=200, blank=True, help_text="the step at which a worker was last lost")
    deaths = models.PositiveSmallIntegerField(default=0, help_text="workers lost at that very step")
    error = models.CharField(max_length=500, blank=True)
    embed_after = models.DateTimeField(null=True, help_text="no earlier will vectors that lack be made again")
    created_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user",), name="job_is_one_per_user"),
            models.CheckConstraint(name="job_state_is_known", condition=one_of("state", JobState)),
            models.CheckConstraint(
                name="job_running_has_lease",
                condition=~models.Q(state=JobState.RUNNING) | models.Q(lease_until__isnull=False),
            ),
        )
        indexes = (
            models.Index(
                fields=("run_after",),
                condition=models.Q(state__in=[JobState.WAITING, JobState.RUNNING]),
                name="job_runnable",
            ),
        )

    def __str__(self) -> str:
        return f"{self.state} {self.step}"


class ModelCall(Owned):
    """One call to the model's endpoint: what it cost and under which versions. No text."""

    name = models.CharField(max_length=20)
    model = models.CharField(max_length=200)
    prompt_version = models.CharField(max_length=50)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    latency_ms = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField(default=clock.now, db_default=Now())

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "id"), name="modelcall_owner_key"),)
        indexes = (models.Index(fields=("user", "at"), name="modelcall_by_time"),)

    def __str__(self) -> str:
        return f"{self.name} by {self.model}"


class History(Owned):
    """What was done to which row and by whom: ids and field names, no content."""

    actor = models.CharField(max_length=50, help_text="engine, upkeep, or the id of a user")
    action = models.CharField(max_length=30)
    table = models.CharField(max_length=30)
    row = models.BigIntegerField()
    fields = ArrayField(models.CharField(max_length=40), default=list)
    at = models.DateTimeField(default=clock.now, db_default=Now())

    class Meta:
        indexes = (models.Index(fields=("user", "table", "row"), name="history_by_row"),)

    def __str__(self) -> str:
        return f"{self.action} {self.table} {self.row}"


class PolicyVersion(models.Model):
    """What an operator changed from the shipped policy. Version 0, without a row, is as shipped."""

    version = models.PositiveIntegerField(primary_key=True)
    changes = models.JSONField(default=dict)
    note = models.CharField(max_length=500, blank=True)
    actor = models.ForeignKey("memory.User", on_delete=models.DB_SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=clock.now, db_default=Now())

    def __str__(self) -> str:
        return f"policy {self.version}"
