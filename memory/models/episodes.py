from datetime import datetime
from enum import StrEnum
from typing import Self

from django.db import models
from django.db.models.functions import Now
from pgvector.django import HalfVectorField

from memory import clock
from memory.models.ownership import Owned, belongs_to, choices, one_of
from memory.types import Role


class State(StrEnum):
    """How far the extraction of an episode is."""

    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"


class EpisodeQuerySet(models.QuerySet["Episode"]):
    def pending(self) -> Self:
        return self.filter(state=State.PENDING)

    def due(self, now: datetime) -> Self:
        """Pending ones whose time has come, in order of occurrence, whatever order they arrived in."""
        return self.pending().filter(due_at__lte=now).order_by("occurred_at", "external_id")


class Episode(Owned):
    """What happened: an ordered list of turns, stored word for word but for the cleaning at the door."""

    external_id = models.CharField(max_length=300)
    session = models.CharField(max_length=300, blank=True)
    occurred_at = models.DateTimeField(help_text="when it happened, not when it arrived")
    is_closed = models.BooleanField(default=False)
    is_flagged = models.BooleanField(default=False, help_text="the agent said: remember this")
    is_outright = models.BooleanField(
        default=False, help_text="given to remember, to be kept even if no pattern matches"
    )
    document = models.CharField(max_length=200, blank=True, help_text="the imported list of memories it is from")
    removed = models.PositiveIntegerField(default=0, help_text="characters that cleaning took out")
    content_hash = models.CharField(max_length=64)
    turn_count = models.PositiveIntegerField(default=0)
    read_turns = models.PositiveIntegerField(default=0, help_text="how many of them extraction has seen")
    read_chars = models.PositiveIntegerField(default=0, help_text="and how far it is in the turn after those")
    state = models.CharField(max_length=10, choices=choices(State), default=State.PENDING)
    error = models.CharField(max_length=500, blank=True)
    due_at = models.DateTimeField(help_text="when extraction may begin")
    created_at = models.DateTimeField(default=clock.now, db_default=Now())

    objects = EpisodeQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "external_id"), name="episode_id_is_unique_per_user"),
            models.UniqueConstraint(fields=("user", "id"), name="episode_owner_key"),
            models.CheckConstraint(name="episode_state_is_known", condition=one_of("state", State)),
            models.CheckConstraint(
                name="episode_read_within_turns", condition=models.Q(read_turns__lte=models.F("turn_count"))
            ),
        )
        indexes = (
            models.Index(fields=("due_at", "user"), condition=models.Q(state=State.PENDING), name="episode_due"),
            models.Index(fields=("user", "occurred_at"), name="episode_by_time"),
        )

    def __str__(self) -> str:
        return self.external_id


class Turn(Owned):
    """One turn; `n` counts from 1, `ref` is the name its source had for it."""

    episode = belongs_to("memory.Episode", related_name="turns")
    n = models.PositiveIntegerField()
    role = models.CharField(max_length=10, choices=choices(Role))
    name = models.CharField(max_length=200, blank=True)
    content = models.TextField()
    at = models.DateTimeField()
    ref = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=10, default="en", help_text="whose words search stems; see 0003_search")
    embedding = HalfVectorField(null=True)
    embedding_model = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ("n",)
        constraints = (
            models.UniqueConstraint(fields=("user", "episode", "n"), name="turn_place_is_taken_once"),
            models.CheckConstraint(name="turn_role_is_known", condition=one_of("role", Role)),
            models.CheckConstraint(
                name="turn_embedding_names_its_model",
                condition=models.Q(embedding=None) | ~models.Q(embedding_model=""),
            ),
        )

    def __str__(self) -> str:
        return f"{self.role} {self.n}"
