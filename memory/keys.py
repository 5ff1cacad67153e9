"""Agents' keys: shown once, kept as a hash, and good for what they were made for."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from datetime import timedelta
from enum import StrEnum

from django.db.models import QuerySet
from django.utils import timezone

from memory.errors import NotFound
from memory.models import ApiKey, User

FORM = "assay_<prefix>_<secret>"
NOTED_EVERY = timedelta(minutes=1)
_NOBODY = hashlib.sha256(b"nobody").hexdigest()


class Scope(StrEnum):
    """What a key may be used for; one of them includes no other."""

    INGEST = "ingest"
    RECALL = "recall"
    MANAGE = "manage"


def create(name: str, *, scopes: Iterable[Scope], user: User | None = None) -> tuple[ApiKey, str]:
    """A new key, good for one user's memory or for everybody's, and its token, which is nowhere kept."""
    secret, prefix = secrets.token_urlsafe(32), secrets.token_hex(4)
    key = ApiKey.objects.create(name=name, prefix=prefix, digest=_digest(secret), scopes=sorted(set(scopes)), user=user)
    return key, f"assay_{prefix}_{secret}"


def find(token: str) -> ApiKey | None:
    """The key of this token, with its user; None when it is none, not ours, or revoked."""
    mark, _, rest = token.partition("_")
    prefix, _, secret = rest.partition("_")
    key = ApiKey.objects.select_related("user").filter(prefix=prefix).first() if _is_plain(prefix) else None
    is_right = hmac.compare_digest(_digest(secret), key.digest if key else _NOBODY)
    if key is None or not is_right or mark != "assay" or key.revoked_at:
        return None
    _note_use(key)
    return key


def revoke(prefix: str) -> ApiKey:
    """Ends a key at once; one that has ended stays as it is."""
    key = ApiKey.objects.select_related("user").filter(prefix=prefix).first()
    if key is None:
        raise NotFound(f"no key begins with {prefix!r}: see `key list`")
    if key.revoked_at is None:
        key.revoked_at = timezone.now()
        key.save(update_fields=["revoked_at"])
    return key


def listed() -> QuerySet[ApiKey]:
    return ApiKey.objects.select_related("user").order_by("pk")


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="surrogateescape")).hexdigest()


def _is_plain(prefix: str) -> bool:
    return prefix.isascii() and prefix.isalnum()


def _note_use(key: ApiKey) -> None:
    """At most once a minute: a key in use would otherwise be one hot row."""
    now = timezone.now()
    if key.last_used_at is None or now - key.last_used_at > NOTED_EVERY:
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)
