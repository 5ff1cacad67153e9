from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from memory import clock
from memory.models.ownership import Owned


class Recalled(Owned):
    """One recall: which facts it gave to whom. Ids only."""

    facts = ArrayField(models.BigIntegerField())
    needs_episodes = models.BooleanField(default=False)
    actor = models.CharField(max_length=50, help_text="the agent's key, or a command")
    at = models.DateTimeField(default=clock.now, db_default=Now())

    class Meta:
        indexes = (models.Index(fields=("user", "at"), name="recalled_by_time"),)

    def __str__(self) -> str:
        return f"{len(self.facts)} facts"


class Decided(Owned):
    """One decision for an agent, with what it would have been without the facts that moved it."""

    dimension = models.CharField(max_length=50)
    value = models.CharField(max_length=50)
    without = models.CharField(max_length=50)
    because = ArrayField(models.BigIntegerField())
    actor = models.CharField(max_length=50)
    at = models.DateTimeField(default=clock.now, db_default=Now())

    class Meta:
        indexes = (models.Index(fields=("user", "at"), name="decided_by_time"),)

    def __str__(self) -> str:
        return f"{self.dimension}: {self.value}"


class ApiKey(models.Model):
    """An agent's key: shown once, kept as a hash. `user` limits it to one person, null is everybody."""

    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=12, unique=True)
    digest = models.CharField(max_length=64)
    scopes = ArrayField(models.CharField(max_length=10))
    user = models.ForeignKey("memory.User", on_delete=models.DB_CASCADE, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class PortalLink(Owned):
    """A one-time link that signs a member in to their own memory; kept as a hash."""

    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"until {self.expires_at:%H:%M}"
