"""What reviewers are asked and what they answered.

A sample outlives what was drawn into it: an item keeps its place, its slices and its labels when its fact is
erased or its person leaves, and loses its words, which stand in a table of their own and go with their owner.
"""

from typing import Any, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from memory.models.ownership import Owned, belongs_to, choices, one_of
from memory.types import LabelVerdict, SampleMethod, SampleSubject


def _whoever_stays(**options: Any) -> Any:
    """The person it is about; null once they have left, since the row counts on."""
    return models.ForeignKey(
        "memory.User", on_delete=models.DB_SET_NULL, null=True, db_index=False, related_name="+", **options
    )


WHOLE = {"status": "live"}
"""What a sample of all that is believed is limited to; of what has no status, to nothing."""


class SampleQuerySet(models.QuerySet["Sample"]):
    def open(self) -> Self:
        return self.filter(closed_at=None)

    def closed(self) -> Self:
        return self.exclude(closed_at=None)

    def whole(self) -> Self:
        """Drawn by chance from all there is: what says something of memory as a whole."""
        return self.filter(is_random=True, filters__contained_by=WHOLE)


class Sample(models.Model):
    """A frozen draw to be labelled: of facts, of refused candidates, or of automatic resolutions.

    `strata` maps each stratum to [its share of the population, how many of it were drawn]; a simple
    sample has the one stratum "". `look` counts the looks at a sample that was extended, from 1.
    """

    name = models.CharField(max_length=200)
    subject = models.CharField(max_length=11, choices=choices(SampleSubject), default=SampleSubject.FACTS)
    is_random = models.BooleanField(default=True, help_text="false: targeted review, counted apart from precision")
    filters = models.JSONField(default=dict, help_text="what the population was limited to")
    method = models.CharField(max_length=10, choices=choices(SampleMethod), default=SampleMethod.SIMPLE)
    stratify_by = models.CharField(max_length=20, blank=True)
    strata = models.JSONField(default=dict)
    population = models.PositiveIntegerField(help_text="how many there were to draw from")
    size = models.PositiveIntegerField(help_text="how many were drawn; gold items are not counted")
    seed = models.BigIntegerField()
    overlap = models.FloatField(default=0, help_text="the share of items that two reviewers label")
    guidelines = models.TextField(blank=True, help_text="Markdown")
    reviewers = ArrayField(models.BigIntegerField(), default=list, help_text="whom it is assigned to; empty: any")
    look = models.PositiveSmallIntegerField(default=1)
    policy_version = models.PositiveIntegerField()
    created_by = models.ForeignKey("memory.User", on_delete=models.DB_SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    objects = SampleQuerySet.as_manager()

    class Meta:
        constraints = (
            models.CheckConstraint(name="sample_subject_is_known", condition=one_of("subject", SampleSubject)),
            models.CheckConstraint(name="sample_method_is_known", condition=one_of("method", SampleMethod)),
            models.CheckConstraint(
                name="sample_is_no_larger_than_its_population", condition=models.Q(size__lte=models.F("population"))
            ),
            models.CheckConstraint(
                name="sample_overlap_is_a_share", condition=models.Q(overlap__gte=0, overlap__lte=1)
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def is_narrowed(self) -> bool:
        """Whether it was drawn from a part of memory, and so speaks for that alone."""
        return not self.filters.items() <= WHOLE.items()


class SampleText(Owned):
    """What an item said when it was drawn. Goes with its fact, its candidate or its person."""

    fact = belongs_to("memory.Fact", null=True)
    candidate = belongs_to("memory.Candidate", null=True)
    text = models.TextField()
    subject = models.CharField(max_length=300, blank=True)
    object = models.TextField(blank=True)
    polarity = models.CharField(max_length=8, blank=True)
    valid_from = models.CharField(max_length=21, null=True)
    valid_to = models.CharField(max_length=21, null=True)
    detail = models.CharField(max_length=500, blank=True, help_text="why it was refused, or resolved so")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "id"), name="sampletext_owner_key"),)
        indexes = (
            models.Index(fields=("user", "fact"), name="sampletext_by_fact"),
            models.Index(fields=("user", "candidate"), name="sampletext_by_candidate"),
        )

    def __str__(self) -> str:
        return self.text


class SampleItem(models.Model):
    """One thing drawn. No words: what a report slices by, as it was when drawn, and how it is handed out.

    `owner` and `episode_id_drawn` are numbers that stay, so that what is not independent is still known.
    """

    sample = models.ForeignKey(Sample, on_delete=models.DB_CASCADE, db_index=False, related_name="items")
    place = models.PositiveIntegerField(help_text="its place in the queue, from 1; random")
    user = _whoever_stays()
    fact = belongs_to("memory.Fact", null=True)
    candidate = belongs_to("memory.Candidate", null=True)
    words = belongs_to("memory.SampleText", null=True, related_name="items")
    wanted = models.PositiveSmallIntegerField(default=1, help_text="how many reviewers label it")
    lacking = models.PositiveSmallIntegerField(default=1, help_text="how many of these labels it lacks still")
    gold = models.CharField(max_length=10, blank=True, help_text="the known answer; such items measure reviewers")
    stratum = models.CharField(max_length=200, blank=True)
    owner = models.BigIntegerField()
    first_episode = models.BigIntegerField(null=True)
    kind = models.CharField(max_length=12, blank=True)
    source = models.CharField(max_length=220, blank=True)
    basis = models.CharField(max_length=8, blank=True)
    predicate = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=10, blank=True)
    extractor = models.CharField(max_length=200, blank=True)
    prompt_version = models.CharField(max_length=50, blank=True)
    policy_version = models.PositiveIntegerField(null=True)
    outcome = models.CharField(
        max_length=14, blank=True, help_text="the reason of a refusal, the relation of a resolution"
    )
    said_at = models.DateTimeField(null=True)
    confidence = models.FloatField(null=True, help_text="effective, when it was drawn")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("sample", "place"), name="sampleitem_has_its_place"),
            models.UniqueConstraint(
                fields=("sample", "fact"),
                condition=models.Q(candidate=None) & ~models.Q(fact=None),
                name="sampleitem_fact_is_drawn_once",
            ),
            models.UniqueConstraint(fields=("sample", "candidate"), name="sampleitem_candidate_is_drawn_once"),
            models.CheckConstraint(
                name="sampleitem_gold_is_an_answer",
                condition=models.Q(gold="") | one_of("gold", LabelVerdict),
            ),
        )
        indexes = (
            models.Index(fields=("user", "fact"), name="sampleitem_by_fact"),
            models.Index(fields=("user", "candidate"), name="sampleitem_by_candidate"),
            models.Index(
                fields=("sample", "place"),
                condition=models.Q(lacking__gt=0, words__isnull=False),
                name="sampleitem_to_label",
            ),
        )

    def __str__(self) -> str:
        return f"{self.place} of {self.sample_id}"

    @property
    def is_erased(self) -> bool:
        """Whether its words are gone. With its person gone, what points at them points at nothing."""
        return self.words_id is None or self.user_id is None


class Handout(models.Model):
    """An item in a reviewer's hands. A slot is taken by one at a time; a skipped item gives its slot back."""

    item = models.ForeignKey(SampleItem, on_delete=models.DB_CASCADE, db_index=False, related_name="handouts")
    slot = models.PositiveSmallIntegerField(null=True, help_text="from 1 to the number wanted; null when given back")
    reviewer = models.ForeignKey("memory.User", on_delete=models.DB_SET_NULL, null=True, related_name="+")
    leased_until = models.DateTimeField()
    taken_at = models.DateTimeField(db_default=Now())
    skipped_at = models.DateTimeField(null=True)
    labelled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("item", "slot"), name="handout_slot_is_taken_once"),
            models.UniqueConstraint(fields=("item", "reviewer"), name="handout_is_one_per_reviewer"),
        )
        indexes = (
            models.Index(
                fields=("reviewer",),
                condition=models.Q(labelled_at=None, slot__isnull=False),
                name="handout_in_hand",
            ),
        )

    def __str__(self) -> str:
        return f"item {self.item_id}"


class Remark(Owned):
    """What a reviewer wrote beside a label: a note, or how the claim should read."""

    fact = belongs_to("memory.Fact", null=True)
    candidate = belongs_to("memory.Candidate", null=True)
    note = models.TextField(blank=True)
    suggestion = models.TextField(blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "id"), name="remark_owner_key"),)
        indexes = (
            models.Index(fields=("user", "fact"), name="remark_by_fact"),
            models.Index(fields=("user", "candidate"), name="remark_by_candidate"),
        )

    def __str__(self) -> str:
        return self.note or self.suggestion


class LabelQuerySet(models.QuerySet[Any]):
    def standing(self) -> Self:
        """Those not taken back."""
        return self.filter(undone_at=None)

    def given(self) -> Self:
        """Those that somebody gave here, in some time; what a restore brought along says nothing of reviewers."""
        return self.exclude(seconds=None)


class Label(models.Model):
    """A reviewer's judgement of a sampled item.

    `ruling` is what it did to the fact, so that taking it back takes back just that.
    """

    item = models.ForeignKey(SampleItem, on_delete=models.DB_CASCADE, db_index=False, related_name="labels")
    user = _whoever_stays(help_text="whose memory it is about")
    reviewer = models.ForeignKey("memory.User", on_delete=models.DB_SET_NULL, null=True, related_name="+")
    verdict = models.CharField(max_length=10, choices=choices(LabelVerdict))
    as_of = models.DateField(null=True, help_text="of a stale one: since when")
    ruling = belongs_to("memory.PersonsRuling", null=True)
    remark = belongs_to("memory.Remark", null=True, related_name="labels")
    key = models.UUIDField(null=True, help_text="the form it came by: sent twice, saved once")
    seconds = models.FloatField(null=True, help_text="from handing out to answer")
    at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)

    objects = LabelQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("item", "reviewer"),
                condition=models.Q(undone_at=None),
                name="label_is_one_open_per_reviewer_and_item",
            ),
            models.UniqueConstraint(fields=("reviewer", "key"), name="label_form_is_saved_once"),
            models.CheckConstraint(name="label_verdict_is_known", condition=one_of("verdict", LabelVerdict)),
        )
        indexes = (
            models.Index(fields=("item",), name="label_by_item"),
            models.Index(fields=("reviewer", "at"), name="label_by_reviewer"),
            models.Index(fields=("user",), name="label_by_user"),
        )

    def __str__(self) -> str:
        return self.verdict


class Correction(Owned):
    """What a member said of a fact of their own: a label too, kept apart from samples. Stands above any inference."""

    fact = belongs_to("memory.Fact", null=True, related_name="corrections")
    verdict = models.CharField(max_length=10, choices=choices(LabelVerdict))
    as_of = models.DateField(null=True, help_text="of a stale one: since when")
    ruling = belongs_to("memory.PersonsRuling", null=True)
    claim = belongs_to("memory.Candidate", null=True)
    at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)

    objects = LabelQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("user", "fact"),
                condition=models.Q(undone_at=None),
                name="correction_is_one_open_per_fact",
            ),
            models.CheckConstraint(name="correction_verdict_is_known", condition=one_of("verdict", LabelVerdict)),
        )
        indexes = (models.Index(fields=("user", "at"), name="correction_by_time"),)

    def __str__(self) -> str:
        return self.verdict


class PredicateOffer(models.Model):
    """Someone found two values of a one-valued predicate both true: an admin may make it many-valued."""

    predicate = models.CharField(max_length=200)
    offered_by = models.ForeignKey("memory.User", on_delete=models.DB_SET_NULL, null=True, related_name="+")
    offered_at = models.DateTimeField()
    answer = models.CharField(max_length=8, blank=True, help_text="accepted or declined; empty while open")
    answered_at = models.DateTimeField(null=True)
    spread_at = models.DateTimeField(null=True, help_text="of an accepted one: when everybody's facts followed")

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("predicate",), condition=models.Q(answer=""), name="predicateoffer_is_open_once"
            ),
        )

    def __str__(self) -> str:
        return self.predicate


class Report(models.Model):
    """A stored result, computed off the request. Counts and ids only; texts are looked up where it is shown."""

    kind = models.CharField(max_length=40)
    about = models.CharField(max_length=200, blank=True, help_text="of which sample, people or settings")
    data = models.JSONField(null=True, help_text="null until it is built")
    pictures = models.JSONField(null=True, help_text="apart from the numbers, which every page reads")
    so_far = models.JSONField(null=True, help_text="of work that takes long: where it stands, until it is done")
    ground = models.CharField(max_length=200, blank=True, help_text="what it rests on and people change; see grounds")
    error = models.CharField(max_length=500, blank=True)
    policy_version = models.PositiveIntegerField(default=0)
    requested_at = models.DateTimeField(db_default=Now())
    built_at = models.DateTimeField(null=True)
    took_ms = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("kind", "about"), name="report_is_stored_once"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.about}"
