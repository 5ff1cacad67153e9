from enum import StrEnum
from typing import ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.db import models

from memory.models.ownership import choices, one_of


class Access(StrEnum):
    """What a login may do on the site."""

    MEMBER = "member"
    REVIEWER = "reviewer"
    ADMIN = "admin"


class UserManager(BaseUserManager["User"]):
    def named(self, external_id: str) -> "User":
        """The user with this external id, made when missing."""
        user, _ = self.get_or_create(external_id=external_id, defaults={"password": "!"})
        return user


class User(AbstractBaseUser):
    """A person: a login, and the owner of memory. `external_id` is the name agents know them by."""

    external_id = models.CharField(max_length=200, unique=True)
    display_name = models.CharField(max_length=200, blank=True)
    access = models.CharField(max_length=10, choices=choices(Access), default=Access.MEMBER)
    subject = models.CharField(max_length=200, default="user", help_text="what facts about themselves are about")
    language = models.CharField(max_length=10, default="en")
    time_zone = models.CharField(max_length=64, default="UTC")
    is_active = models.BooleanField(default=True)
    is_paused = models.BooleanField(default=False, help_text="nothing is learnt while paused")
    epoch = models.PositiveIntegerField(
        default=0, help_text="raised by forgetting; work begun before it writes nothing"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "external_id"

    class Meta:
        constraints = (models.CheckConstraint(name="user_access_is_known", condition=one_of("access", Access)),)

    def __str__(self) -> str:
        return self.display_name or self.external_id

    @property
    def is_staff(self) -> bool:
        """Whether they may see other people's memory."""
        return self.access in (Access.REVIEWER, Access.ADMIN)
