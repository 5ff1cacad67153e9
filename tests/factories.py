"""Rows for tests, made through the same scope as the engine's."""

import itertools
from datetime import UTC, datetime
from typing import Any

from memory import scope
from memory.models import Episode, Turn, User

_numbers = itertools.count(1)
WHEN = datetime(2026, 3, 10, 12, tzinfo=UTC)


def make_user(external_id: str | None = None, **fields: Any) -> User:
    with scope.staff():
        return User.objects.create(external_id=external_id or f"person-{next(_numbers)}", **fields)


def make_episode(user: User, *contents: str, **fields: Any) -> Episode:
    """An episode of user turns, one a content."""
    defaults = {"occurred_at": WHEN, "due_at": WHEN, "content_hash": "0", "is_closed": True}
    with scope.user(user.pk):
        episode = Episode.objects.create(
            user=user, **{"external_id": f"episode-{next(_numbers)}", **defaults, **fields}, turn_count=len(contents)
        )
        Turn.objects.bulk_create(
            Turn(user=user, episode=episode, n=n, role="user", content=content, at=episode.occurred_at)
            for n, content in enumerate(contents, start=1)
        )
    return episode
