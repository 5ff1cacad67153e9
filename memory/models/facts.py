from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import MD5, Now
from pgvector.django import HalfVectorField

from memory import clock
from memory.models.ownership import Owned, belongs_to, choices, one_of
from memory.types import LIVE, Basis, Kind, Polarity, Status, Verb

OVER_CEILING = "over the ceiling"
"""Why a fact lapsed that comes back when there is room again."""


class FactQuerySet(models.QuerySet["Fact"]):
    def live(self) -> Self:
        return self.filter(status__in=LIVE)

    def about(self, subject_key: str) -> Self:
        return self.filter(entity__name_key=subject_key)


class Fact(Owned):
    """A believed claim: a sentence and a triple, with what it rests on behind it.

    `confidence` is stated as of `last_supported_at`; what it is worth now is computed,
    never written back. `fades_at` is when that falls below the floor, null for never.
    """

    entity = belongs_to("memory.Entity", related_name="facts")
    text = models.TextField()
    subject = models.CharField(max_length=300)
    predicate = models.CharField(max_length=200, blank=True)
    object = models.TextField(blank=True)
    object_key = models.TextField(blank=True)
    kind = models.CharField(max_length=12, choices=choices(Kind))
    polarity = models.CharField(max_length=8, choices=choices(Polarity))
    basis = models.CharField(max_length=8, choices=choices(Basis))
    source = models.CharField(max_length=220)
    status = models.CharField(max_length=10, choices=choices(Status))
    status_reason = models.CharField(max_length=200, blank=True)
    confidence = models.FloatField()
    last_supported_at = models.DateTimeField()
    fades_at = models.DateTimeField(null=True)
    first_said_at = models.DateTimeField()
    valid_from = models.CharField(max_length=21, null=True)
    valid_to = models.CharField(max_length=21, null=True)
    expires_on = models.DateField(null=True)
    began_on = models.DateField(help_text="the first day it may have held: stated, or said")
    ended_on = models.DateField(null=True, help_text="the last day it may have held; null while open")
    superseded_by = belongs_to("memory.Fact", null=True, related_name="supersedes")
    is_exclusive = models.BooleanField(default=False, help_text="the one live value its key allows")
    is_confirmed = models.BooleanField(default=False)
    is_pinned = models.BooleanField(default=False)
    is_unjudged = models.BooleanField(default=False)
    policy_version = models.PositiveIntegerField()
    language = models.CharField(max_length=10, default="en", help_text="whose words search stems; see 0003_search")
    embedding = HalfVectorField(null=True)
    embedding_model = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=clock.now, db_default=Now())

    objects = FactQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "id"), name="fact_owner_key"),
            models.UniqueConstraint(
                fields=("user", "entity", "predicate"),
                condition=models.Q(status=Status.ACTIVE, is_exclusive=True),
                name="fact_one_live_per_one_valued_key",
            ),
            models.CheckConstraint(name="fact_status_is_known", condition=one_of("status", Status)),
            models.CheckConstraint(name="fact_kind_is_known", condition=one_of("kind", Kind)),
            models.CheckConstraint(name="fact_polarity_is_known", condition=one_of("polarity", Polarity)),
            models.CheckConstraint(name="fact_basis_is_known", condition=one_of("basis", Basis)),
            models.CheckConstraint(
                name="fact_confidence_in_range", condition=models.Q(confidence__gte=0, confidence__lte=0.99)
            ),
            models.CheckConstraint(
                name="fact_live_has_no_successor",
                condition=~models.Q(status__in=LIVE) | models.Q(superseded_by=None),
            ),
            models.CheckConstraint(
                name="fact_is_not_its_own_successor",
                condition=models.Q(superseded_by=None) | ~models.Q(superseded_by=models.F("id")),
            ),
            models.CheckConstraint(
                name="fact_embedding_names_its_model",
                condition=models.Q(embedding=None) | ~models.Q(embedding_model=""),
            ),
        )
        indexes = (
            models.Index(fields=("user", "status"), name="fact_by_status"),
            models.Index("user", "entity", "predicate", MD5("object_key"), name="fact_by_key"),
            models.Index(fields=("user", "superseded_by"), name="fact_by_successor"),
            models.Index(
                fields=("user",),
                condition=models.Q(status=Status.LAPSED, status_reason=OVER_CEILING),
                name="fact_over_ceiling",
            ),
            models.Index(fields=("fades_at",), condition=models.Q(status=Status.ACTIVE), name="fact_fading"),
            models.Index(fields=("expires_on",), condition=models.Q(status=Status.ACTIVE), name="fact_expiring"),
        )

    def __str__(self) -> str:
        return self.text


class Derivation(Owned):
    """That a fact was inferred from another: goes when its base is erased. Not lineage."""

    fact = belongs_to("memory.Fact", related_name="derivations")
    base = belongs_to("memory.Fact")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "fact", "base"), name="derivation_is_told_once"),
            models.CheckConstraint(name="derivation_is_from_another", condition=~models.Q(fact=models.F("base"))),
        )

    def __str__(self) -> str:
        return f"{self.fact_id} from {self.base_id}"


class ConflictQuerySet(models.QuerySet["Conflict"]):
    def open(self) -> Self:
        """Unsettled ones; one whose sides have all lapsed asks nobody anything until it is revived."""
        sides = ConflictSide.objects.filter(conflict=models.OuterRef("pk"), user=models.OuterRef("user"))
        return self.filter(models.Exists(sides.filter(fact__status__in=LIVE)), settled_by="")


class Conflict(Owned):
    """An open question: live facts on one key that cannot all be true."""

    entity = belongs_to("memory.Entity")
    predicate = models.CharField(max_length=200, blank=True)
    why = models.CharField(max_length=500)
    settled_by = models.CharField(max_length=10, blank=True, help_text="user, member, reviewer or policy")
    winner = belongs_to("memory.Fact", null=True)
    opened_at = models.DateTimeField(default=clock.now, db_default=Now())
    settled_at = models.DateTimeField(null=True)
    asked_at = models.DateTimeField(null=True, help_text="when a reviewer put it to its person")
    note = models.TextField(blank=True, default="", db_default="", help_text="what they wrote to their person with it")

    objects = ConflictQuerySet.as_manager()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "id"), name="conflict_owner_key"),)
        indexes = (
            models.Index(fields=("user", "entity", "predicate"), name="conflict_by_key"),
            models.Index(fields=("user",), condition=models.Q(settled_by=""), name="conflict_open"),
        )

    def __str__(self) -> str:
        return self.why


class ConflictSide(Owned):
    conflict = belongs_to("memory.Conflict", related_name="sides")
    fact = belongs_to("memory.Fact", related_name="conflict_sides")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "conflict", "fact"), name="conflict_side_stands_once"),)

    def __str__(self) -> str:
        return f"{self.fact_id} in {self.conflict_id}"


class PersonsRuling(Owned):
    """What a person decided about a fact: folded with its claims whenever its key is."""

    entity = belongs_to("memory.Entity")
    predicate = models.CharField(max_length=200, blank=True)
    verb = models.CharField(max_length=8, choices=choices(Verb))
    claims = ArrayField(models.BigIntegerField())
    by = models.CharField(max_length=8, help_text="member or reviewer")
    actor = models.ForeignKey("memory.User", on_delete=models.DB_SET_NULL, null=True, related_name="+")
    as_of = models.DateField(null=True)
    conflict = belongs_to("memory.Conflict", null=True, related_name="rulings")
    note = models.TextField(blank=True, help_text="what the person wrote beside it")
    at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "id"), name="ruling_owner_key"),
            models.CheckConstraint(name="ruling_verb_is_known", condition=one_of("verb", Verb)),
        )
        indexes = (models.Index(fields=("user", "entity", "predicate"), name="ruling_by_key"),)

    def __str__(self) -> str:
        return self.verb
