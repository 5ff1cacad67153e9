"""Agents' keys: shown once, kept as a hash, and good for what they were made for."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from django.db import DEFAULT_DB_ALIAS
from django.db.models import QuerySet
from django.utils import timezone

from memory import prepared
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


@dataclass(frozen=True, slots=True)
class Held:
    """A valid key, and the person asked for, if there is one and the key is for them."""

    key: ApiKey
    person: User | None


def find(token: str, *, person: str | None = None) -> Held | None:
    """The key of this token, and whom it is used for by their external id; None when it is none, not ours, or revoked.

    One statement. Without `person` the key's own is given, where it is for one alone.
    """
    mark, _, rest = token.partition("_")
    prefix, _, secret = rest.partition("_")
    held = _held(prefix, person) if _is_plain(prefix) else None
    is_right = hmac.compare_digest(_digest(secret), held.key.digest if held else _NOBODY)
    if held is None or not is_right or mark != "assay" or held.key.revoked_at:
        return None
    _note_use(held.key)
    return held


_KEY = [field.attname for field in ApiKey._meta.concrete_fields]
_USER = [field.attname for field in User._meta.concrete_fields]
FIND = f"""
    SELECT {", ".join(f"key.{name}" for name in _KEY)}, {", ".join(f"person.{name}" for name in _USER)}
    FROM memory_apikey key
    LEFT JOIN memory_user person ON person.id = CASE WHEN %(person)s::text IS NULL THEN key.user_id ELSE (
        SELECT id FROM memory_user WHERE external_id = %(person)s AND id = coalesce(key.user_id, id)
    ) END
    WHERE key.prefix = %(prefix)s
"""  # noqa: S608 - columns of our own


def _held(prefix: str, person: str | None) -> Held | None:
    found = prepared.rows(FIND, {"prefix": prefix, "person": person})
    if not found:
        return None
    key, user = found[0][: len(_KEY)], found[0][len(_KEY) :]
    return Held(ApiKey.from_db(DEFAULT_DB_ALIAS, _KEY, key), user[0] and User.from_db(DEFAULT_DB_ALIAS, _USER, user))


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
