"""Keyed hashes of what was erased: enough to know it again, not enough to read it."""

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Marks:
    """The hashes of one claim: of all of it, and of its subject and predicate alone, "" where it has no predicate."""

    claim: str
    key: str


def marks_of(user_id: int, *, subject: str, predicate: str, object_key: str) -> Marks:
    """`subject` is "" for the user themselves, else the normalised name; predicate and object are normalised too."""
    key = (str(user_id), subject, predicate)
    return Marks(claim=_hash("claim", *key, object_key), key=_hash("key", *key) if predicate else "")


def marks_of_words(user_id: int, stems: Iterable[str]) -> dict[str, str]:
    """By stem: of a topic, or of a claim that may be about one."""
    return {stem: _hash("stem", str(user_id), stem) for stem in stems}


def mark_of_self(user_id: int) -> str:
    """Of the topic that is everything about the user themselves."""
    return _hash("self", str(user_id))


def mark_of_user(external_id: str) -> str:
    """What is left of a forgotten user."""
    return _hash("user", external_id)


def digest(content: str) -> str:
    """Of a text that is not kept: enough to see that it came again."""
    return _hash("text", content)


def _hash(*parts: str) -> str:
    message = b"".join(len(part.encode()).to_bytes(4) + part.encode() for part in parts)
    return hmac.new(settings.ASSAY_ERASURE_KEY.encode(), message, hashlib.sha256).hexdigest()
