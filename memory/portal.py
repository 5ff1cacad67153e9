"""One-time links that sign a member in to their own memory, asked for by their agent."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from memory import scope
from memory.errors import NotAMember
from memory.models import Access, PortalLink, User

GOOD_FOR = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Link:
    """What is handed out once: the token itself is not kept."""

    token: str
    expires_at: datetime


def issue(user: User) -> Link:
    """A link for a member. Raises NotAMember for staff, whose sign-in opens more than their own memory."""
    if user.access != Access.MEMBER or not user.is_active:
        raise NotAMember("Only members are let in by a link. Staff sign in with their password.")
    link = Link(secrets.token_urlsafe(32), timezone.now() + GOOD_FOR)
    with scope.user(user.pk):
        PortalLink.objects.create(user=user, digest=_digest(link.token), expires_at=link.expires_at)
    return link


def owner(token: str) -> User | None:
    """Whose link it is, while it is unused and not expired."""
    with scope.staff():
        link = PortalLink.objects.select_related("user").filter(**_usable(token)).first()
    return link.user if link and _is_member(link.user) else None


def was_of(token: str, user_id: int) -> bool:
    """Whether it is, or was, this user's: whoever came in by it may go on."""
    with scope.staff():
        return PortalLink.objects.filter(digest=_digest(token), user=user_id).exclude(used_at=None).exists()


def consume(token: str) -> User | None:
    """Uses the link up and says whose it was; None when it was used before, has expired, or is none."""
    with scope.staff():
        link = (
            PortalLink.objects.select_for_update(of=("self",)).select_related("user").filter(**_usable(token)).first()
        )
        if link is None or not _is_member(link.user):
            return None
        link.used_at = timezone.now()
        link.save(update_fields=["used_at"])
        return link.user


def _usable(token: str) -> dict[str, object]:
    return {"digest": _digest(token), "used_at": None, "expires_at__gt": timezone.now()}


def _is_member(user: User) -> bool:
    return user.access == Access.MEMBER and user.is_active


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogateescape")).hexdigest()
