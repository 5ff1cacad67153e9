from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from memory import clock
from memory.models.ownership import Owned


class Rule(Owned):
    """A topic that the user asked never to be remembered."""

    topic = models.CharField(max_length=200)
    topic_key = models.CharField(max_length=200)
    created_at = models.DateTimeField(default=clock.now, db_default=Now())

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "topic_key"), name="rule_topic_stands_once"),)

    def __str__(self) -> str:
        return self.topic


class Erasure(Owned):
    """The keyed hashes of an erased claim, which keep it from being learnt again until its user lifts them."""

    claim_mark = models.CharField(max_length=64, help_text="of owner, subject, predicate and object")
    key_mark = models.CharField(max_length=64, help_text="of owner, subject and predicate")
    erased_at = models.DateTimeField(default=clock.now, db_default=Now())
    lifted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "claim_mark"), name="erasure_marks_a_claim_once"),)
        indexes = (models.Index(fields=("user", "key_mark"), name="erasure_by_key"),)

    def __str__(self) -> str:
        return self.claim_mark[:8]


class ErasureRequest(Owned):
    """What a user asked in a chat to be forgotten: retired at once, and waiting on their page to be erased.

    It stands as of when it was said: what was said before and comes here later falls under it too, known by the marks
    of the topic's stems. The topic itself is there to travel, and goes with the answer. An empty one is everything about
    themselves; without `said_at` it asks for nothing more than its facts.
    """

    facts = ArrayField(models.BigIntegerField())
    topic = models.TextField(blank=True, default="", db_default="")
    marks = ArrayField(models.CharField(max_length=64), default=list, help_text="of the topic's stems; none: no topic")
    language = models.CharField(max_length=10, blank=True, default="", db_default="")
    said_at = models.DateTimeField(null=True)
    asked_at = models.DateTimeField(default=clock.now, db_default=Now())
    answered_at = models.DateTimeField(null=True)

    class Meta:
        indexes = (
            models.Index(fields=("user",), condition=models.Q(said_at__isnull=False), name="erasurerequest_standing"),
        )

    def __str__(self) -> str:
        return f"{len(self.facts)} facts"


class Receipt(models.Model):
    """What a forgetting took: counts by table, when, by whom; no content. Outlives the user, so no key to them."""

    user_id = models.BigIntegerField(help_text="the id they have or had")
    act = models.CharField(max_length=10, help_text="erase or forget")
    counts = models.JSONField()
    actor = models.CharField(max_length=50)
    at = models.DateTimeField(default=clock.now, db_default=Now())

    class Meta:
        indexes = (models.Index(fields=("user_id", "at"), name="receipt_by_user"),)

    def __str__(self) -> str:
        return f"{self.act} of {self.user_id}"


class Departure(models.Model):
    """The keyed hash of a forgotten user's external id: resends are refused until an admin lifts it."""

    mark = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField(default=clock.now, db_default=Now())

    def __str__(self) -> str:
        return self.mark[:8]
