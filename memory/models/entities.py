from django.db import models
from django.db.models.functions import Now

from memory import clock
from memory.models.ownership import Owned, belongs_to


class Entity(Owned):
    """What facts are about: a name and what tells it apart ("Anna", "sister"). Never merged on likeness."""

    name = models.CharField(max_length=300)
    name_key = models.CharField(max_length=300)
    note = models.CharField(max_length=300, blank=True)
    note_key = models.CharField(max_length=300, blank=True)
    is_owner = models.BooleanField(default=False, help_text="the user themselves")
    created_at = models.DateTimeField(default=clock.now, db_default=Now())

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "name_key", "note_key"), name="entity_is_told_apart"),
            models.UniqueConstraint(fields=("user", "id"), name="entity_owner_key"),
            models.UniqueConstraint(
                fields=("user",), condition=models.Q(is_owner=True), name="entity_owner_is_one_per_user"
            ),
        )

    def __str__(self) -> str:
        return f"{self.name} ({self.note})" if self.note else self.name


class Alias(Owned):
    """Another name for an entity, said so by a person."""

    entity = belongs_to("memory.Entity", related_name="aliases")
    alias = models.CharField(max_length=300)
    alias_key = models.CharField(max_length=300)
    created_at = models.DateTimeField(default=clock.now, db_default=Now())

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "alias_key"), name="alias_means_one_entity"),)

    def __str__(self) -> str:
        return self.alias
