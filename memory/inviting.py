"""Invitations: links by which people make their own login, or set a new password. Good for a week and once.

Kept as hashes. Of one name only the newest link is good, so that nobody's password is changed by an old one.
"""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from memory import scope
from memory.errors import NotFound, Unanswerable
from memory.marks import mark_of_user
from memory.models import Access, Departure, History, Invitation, User

GOOD_FOR = timedelta(days=7)
MOST_SHOWN = 100
TAKEN = "There is a login of this name already. Choose another name; its role and password are changed below."
SHUT = "This login is shut. Open it first."
GONE = "This person was forgotten at their wish. Lift that first: `manage.py forget --lift`."
NAMELESS = "Give the name that they will sign in with."


@dataclass(frozen=True, slots=True)
class Link:
    """What is handed out once: the token itself is not kept."""

    token: str
    expires_at: datetime


def issue(external_id: str, *, access: Access, by: User | None = None, display_name: str = "") -> Link:
    """A link for a new login, or for a person without a password. Raises Unanswerable with what to do instead."""
    if not external_id.strip():
        raise Unanswerable(NAMELESS)
    with scope.staff():
        _check(external_id, access)
        return _made(external_id, by, access=access, display_name=display_name)


def renew(login_id: int, *, by: User) -> Link:
    """A link by which a login gets a new password; the old one works until then. Raises NotFound, Unanswerable."""
    with scope.staff():
        login = User.objects.filter(pk=login_id).first()
        if login is None:
            raise NotFound("There is no such login.")
        if not login.is_active:
            raise Unanswerable(SHUT)
        History.objects.create(
            user=login, actor=str(by.pk), action="renew", table="user", row=login.pk, fields=["password"]
        )
        return _made(login.external_id, by, access=login.access, display_name=login.display_name)


def revoke(invitation_id: int) -> None:
    """Ends a link at once; what is used or ended stays as it is. Raises NotFound."""
    with scope.staff():
        rows = Invitation.objects.filter(pk=invitation_id)
        if not rows.exists():
            raise NotFound("There is no such invitation.")
        rows.filter(used_at=None, revoked_at=None).update(revoked_at=timezone.now())


def pending() -> Sequence[Invitation]:
    """Links that are still good, the newest first. In the staff scope."""
    rows = Invitation.objects.filter(_usable()).select_related("invited_by")
    return list(rows.order_by("-created_at", "-pk")[:MOST_SHOWN])


def find(token: str) -> Invitation | None:
    """What the link is for, while it is good. As the login role, in no scope."""
    return Invitation.objects.filter(_usable(), digest=_digest(token)).first()


def accept(token: str, *, display_name: str, password: str) -> User | None:
    """Uses the link up and makes the login; None when the link is not good, or its name was taken meanwhile.

    As the login role, in no scope: whoever follows a link is nobody yet.
    """
    with transaction.atomic():
        now = timezone.now()
        if not Invitation.objects.filter(_usable(), digest=_digest(token)).update(used_at=now):
            return None
        invitation = Invitation.objects.get(digest=_digest(token))
        user, is_new = User.objects.get_or_create(
            external_id=invitation.external_id, defaults={"password": "!", "access": invitation.access}
        )
        if not is_new and not (user.is_active and user.access == invitation.access):
            return None
        user.display_name = display_name or user.display_name
        user.set_password(password)
        user.save(update_fields=["display_name", "password"])
    return user


def _made(external_id: str, by: User | None, *, access: str, display_name: str) -> Link:
    link, now = Link(secrets.token_urlsafe(32), timezone.now() + GOOD_FOR), timezone.now()
    Invitation.objects.filter(_usable(), external_id=external_id).update(revoked_at=now)
    Invitation.objects.create(
        digest=_digest(link.token),
        external_id=external_id,
        display_name=display_name,
        access=access,
        invited_by=by,
        expires_at=link.expires_at,
    )
    return link


def _check(external_id: str, access: str) -> None:
    if Departure.objects.filter(mark=mark_of_user(external_id)).exists():
        raise Unanswerable(GONE)
    user = User.objects.filter(external_id=external_id).first()
    if user is None:
        return
    if user.has_usable_password() or user.access != access or not user.is_active:
        raise Unanswerable(TAKEN)


def _usable() -> Q:
    return Q(used_at=None, revoked_at=None, expires_at__gt=timezone.now())


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogateescape")).hexdigest()
