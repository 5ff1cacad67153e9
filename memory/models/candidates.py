from typing import Self

from django.db import models
from django.db.models.functions import MD5, Now

from memory import clock
from memory.models.ownership import Owned, belongs_to, choices, one_of
from memory.types import AUTOMATIC, TEXTLESS, Basis, Kind, Polarity, Reason, Relation, Role, Speech, Verdict

ERASED_KEY = "erased_key"
"""Why a claim is held whose subject and predicate were erased before: until its person says yes."""


WORDS = ("text", "subject", "subject_note", "subject_key", "note_key", "object", "object_key", "slot", "detail")
"""The columns that hold what was said."""


class CandidateQuerySet(models.QuerySet["Candidate"]):
    def refused(self) -> Self:
        return self.filter(verdict=Verdict.REFUSED)

    def claims(self) -> Self:
        """Those that the gate let through and their user lets be believed: what the resolver folds."""
        return self.exclude(verdict=Verdict.REFUSED).exclude(reason=ERASED_KEY)


class Candidate(Owned):
    """One claim as proposed, with what the gate said. Accepted ones are the claims that facts rest on."""

    episode = belongs_to("memory.Episode", related_name="candidates")
    place = models.PositiveIntegerField(help_text="its place among the candidates of its episode")
    turn = models.PositiveIntegerField(help_text="the turn it was said in")
    said_at = models.DateTimeField()
    text = models.TextField(blank=True)
    subject = models.CharField(max_length=300, blank=True)
    subject_note = models.CharField(max_length=300, blank=True)
    subject_key = models.CharField(max_length=300, blank=True)
    note_key = models.CharField(max_length=300, blank=True)
    predicate = models.CharField(max_length=200, blank=True)
    object = models.TextField(blank=True)
    object_key = models.TextField(blank=True)
    kind = models.CharField(max_length=12, choices=choices(Kind))
    polarity = models.CharField(max_length=8, choices=choices(Polarity))
    basis = models.CharField(max_length=8, choices=choices(Basis))
    speech = models.CharField(max_length=8, choices=choices(Speech))
    valid_from = models.CharField(max_length=21, null=True)
    valid_to = models.CharField(max_length=21, null=True)
    expires_on = models.DateField(null=True)
    source = models.CharField(max_length=220, blank=True)
    verdict = models.CharField(max_length=8, choices=choices(Verdict))
    reason = models.CharField(max_length=14, blank=True, help_text="why it was refused or held")
    detail = models.CharField(max_length=500, blank=True)
    refused_for = models.CharField(
        max_length=14, blank=True, default="", db_default="", help_text="why the gate refused what a reviewer took in"
    )
    refused_detail = models.CharField(
        max_length=500, blank=True, default="", db_default="", help_text="what the gate had said of it then"
    )
    digest = models.CharField(max_length=64, blank=True, help_text="keyed hash, of those whose text is not kept")
    extractor = models.CharField(max_length=100)
    policy_version = models.PositiveIntegerField()
    call = belongs_to("memory.ModelCall", null=True)
    slot = models.TextField(blank=True, help_text="of a claim without key: its normalised text, else empty")
    entity = belongs_to("memory.Entity", null=True, related_name="claims")
    about = belongs_to("memory.Candidate", null=True)
    fact = belongs_to("memory.Fact", null=True, related_name="claims")
    created_at = models.DateTimeField(default=clock.now, db_default=Now())

    objects = CandidateQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "id"), name="candidate_owner_key"),
            models.CheckConstraint(name="candidate_verdict_is_known", condition=one_of("verdict", Verdict)),
            models.CheckConstraint(name="candidate_kind_is_known", condition=one_of("kind", Kind)),
            models.CheckConstraint(name="candidate_polarity_is_known", condition=one_of("polarity", Polarity)),
            models.CheckConstraint(name="candidate_basis_is_known", condition=one_of("basis", Basis)),
            models.CheckConstraint(name="candidate_speech_is_known", condition=one_of("speech", Speech)),
            models.CheckConstraint(
                name="candidate_refused_has_reason",
                condition=~models.Q(verdict=Verdict.REFUSED) | one_of("reason", Reason),
            ),
            models.CheckConstraint(
                name="candidate_secret_keeps_no_text",
                condition=~models.Q(reason__in=[reason.value for reason in TEXTLESS])
                | models.Q(**dict.fromkeys(WORDS, "")) & ~models.Q(digest=""),
            ),
            models.CheckConstraint(
                name="candidate_refused_supports_nothing",
                condition=~models.Q(verdict=Verdict.REFUSED) | models.Q(fact=None),
            ),
        )
        indexes = (
            models.Index("user", "entity", "predicate", MD5("slot"), name="candidate_by_key"),
            models.Index(
                fields=("user", "subject_key"),
                condition=~models.Q(verdict=Verdict.REFUSED),
                name="candidate_by_subject",
            ),
            models.Index(
                fields=("user", "note_key"),
                condition=~models.Q(verdict=Verdict.REFUSED) & ~models.Q(note_key=""),
                name="candidate_by_note",
            ),
            models.Index(fields=("user", "fact"), name="candidate_by_fact"),
            models.Index(fields=("user", "episode", "place"), name="candidate_by_episode"),
            models.Index(fields=("user", "said_at"), condition=models.Q(verdict=Verdict.HELD), name="candidate_held"),
            models.Index(
                fields=("reason", "id"), condition=models.Q(verdict=Verdict.REFUSED), name="candidate_refused"
            ),
        )

    def __str__(self) -> str:
        return self.text


class Evidence(Owned):
    """A verbatim quote from one turn of one episode, behind a candidate and the fact it supports."""

    candidate = belongs_to("memory.Candidate", related_name="evidence")
    episode = belongs_to("memory.Episode")
    turn = models.PositiveIntegerField()
    role = models.CharField(max_length=10, choices=choices(Role))
    at = models.DateTimeField()
    quote = models.TextField()

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("user", "candidate"), name="evidence_by_candidate"),)

    def __str__(self) -> str:
        return self.quote


class GateAudit(Owned):
    """What a reviewer said of a refusal in passing. Counts in no report: what is met in a list is no random draw."""

    candidate = belongs_to("memory.Candidate")
    is_right = models.BooleanField(help_text="false: it should have been kept")
    actor = models.ForeignKey("memory.User", on_delete=models.DB_SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=clock.now, db_default=Now())

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "candidate"), name="gateaudit_is_one_per_refusal"),)

    def __str__(self) -> str:
        return "right" if self.is_right else "wrong"


class Resolution(Owned):
    """How a claim was resolved against what was known, open to audit."""

    candidate = belongs_to("memory.Candidate", related_name="resolutions")
    relation = models.CharField(max_length=10, choices=choices(Relation))
    why = models.CharField(max_length=500)
    fact = belongs_to("memory.Fact", null=True)
    against = belongs_to("memory.Fact", null=True)
    policy_version = models.PositiveIntegerField()
    created_at = models.DateTimeField(default=clock.now, db_default=Now())

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "candidate"), name="resolution_is_one_per_claim"),
            models.CheckConstraint(name="resolution_relation_is_known", condition=one_of("relation", Relation)),
        )
        indexes = (
            models.Index(
                fields=("relation", "id"),
                condition=models.Q(relation__in=[relation.value for relation in AUTOMATIC]),
                name="resolution_automatic",
            ),
        )

    def __str__(self) -> str:
        return f"{self.relation}: {self.why}"


class JudgedPairQuerySet(models.QuerySet["JudgedPair"]):
    def open(self) -> Self:
        """Those still to be asked."""
        return self.filter(answer="", why="")

    def given_up(self) -> Self:
        """Those that the judge had no usable answer to; `why` says what was wrong with it."""
        return self.filter(answer="").exclude(why="")


class JudgedPair(Owned):
    """A judge's answer about two claims, kept so that folding again asks nobody again.

    A person's answer stands beside the model's and above it, and above the rules.
    """

    known = belongs_to("memory.Candidate")
    new = belongs_to("memory.Candidate")
    answer = models.CharField(max_length=10, blank=True, help_text="empty until there is one")
    why = models.CharField(max_length=500, blank=True)
    call = belongs_to("memory.ModelCall", null=True)
    by = models.CharField(
        max_length=8, blank=True, default="", db_default="", help_text="member or reviewer; empty for the model"
    )
    actor = models.ForeignKey("memory.User", on_delete=models.DB_SET_NULL, null=True, related_name="+")
    was = models.CharField(
        max_length=10, blank=True, default="", db_default="", help_text="of a person's answer: what had been decided"
    )
    at = models.DateTimeField(null=True, help_text="when the person said so")

    objects = JudgedPairQuerySet.as_manager()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "known", "new", "by"), name="pair_is_judged_once"),)
        indexes = (models.Index(fields=("user", "new"), condition=~models.Q(by=""), name="pair_judged_by_people"),)

    def __str__(self) -> str:
        return self.answer
