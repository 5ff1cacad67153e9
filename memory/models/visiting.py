"""Who comes to the site: who looked at whom, who is invited, and what each keeps at hand."""

from django.db import models
from django.db.models.functions import Now

from memory import clock
from memory.models.ownership import Owned, belongs_to, choices
from memory.models.users import Access
from memory.types import TransferKind, TransferState


class StaffRead(Owned):
    """That a reviewer or admin saw someone's content: who, whom, on which page, when. No content."""

    reader = models.ForeignKey("memory.User", on_delete=models.DB_SET_NULL, null=True, related_name="+")
    page = models.CharField(max_length=60, help_text="the name of the route")
    at = models.DateTimeField(default=clock.now, db_default=Now())

    class Meta:
        indexes = (
            models.Index(fields=("user", "at"), name="staffread_by_person"),
            models.Index(fields=("at",), name="staffread_by_time"),
            models.Index(fields=("reader", "id"), name="staffread_by_reader"),
            models.Index(fields=("page", "id"), name="staffread_by_page"),
        )

    def __str__(self) -> str:
        return self.page


class Invitation(models.Model):
    """A link by which someone makes their own login; kept as a hash."""

    digest = models.CharField(max_length=64, unique=True)
    external_id = models.CharField(max_length=200)
    display_name = models.CharField(max_length=200, blank=True)
    access = models.CharField(max_length=10, choices=choices(Access))
    invited_by = models.ForeignKey("memory.User", on_delete=models.DB_SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.external_id


class SavedView(models.Model):
    """A search that a member of staff wants to find again: a page and what stands behind its question mark."""

    holder = models.ForeignKey("memory.User", on_delete=models.DB_CASCADE, related_name="+")
    name = models.CharField(max_length=100)
    page = models.CharField(max_length=60)
    query = models.CharField(max_length=2000, blank=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = (models.UniqueConstraint(fields=("holder", "page", "name"), name="savedview_name_stands_once"),)

    def __str__(self) -> str:
        return self.name


class Dismissal(Owned):
    """Two entities that a person said are not the same: not suggested again."""

    entity = belongs_to("memory.Entity")
    other = belongs_to("memory.Entity")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "entity", "other"), name="dismissal_stands_once"),)

    def __str__(self) -> str:
        return f"{self.entity_id} is not {self.other_id}"


class Transfer(Owned):
    """An export being made for a member, or a file that they brought along. Its bytes stand in chunks beside it."""

    kind = models.CharField(max_length=6, choices=choices(TransferKind))
    state = models.CharField(max_length=9, choices=choices(TransferState), default=TransferState.WAITING)
    name = models.CharField(max_length=200, blank=True)
    format = models.CharField(max_length=10, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    summary = models.JSONField(default=dict, help_text="counts; no content")
    error = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField()
    fetched_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    fence = models.PositiveIntegerField(default=0, db_default=0, help_text="grows with every start")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "id"), name="transfer_owner_key"),)
        indexes = (models.Index(fields=("expires_at",), name="transfer_by_expiry"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"


class TransferChunk(Owned):
    """A part of the bytes, from 1 on; 0 is the list of what a file that was brought holds."""

    transfer = belongs_to("memory.Transfer", related_name="chunks")
    n = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "transfer", "n"), name="transferchunk_has_its_place"),)

    def __str__(self) -> str:
        return f"{self.n} of {self.transfer_id}"
