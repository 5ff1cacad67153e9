"""Searches that a member of staff keeps: a page, and what stands behind its question mark. In the staff's scope."""

from collections.abc import Sequence

from memory import text
from memory.errors import Refused
from memory.models import SavedView, User

MOST = 50
LONGEST_NAME = 100
LONGEST_QUERY = 2_000


def views(holder: User, page: str) -> Sequence[SavedView]:
    """Theirs for this page, by name."""
    return list(SavedView.objects.filter(holder=holder, page=page).order_by("name")[:MOST])


def save(holder: User, name: str, *, page: str, query: str) -> SavedView:
    """Keeps a search under a name; one of that name is replaced. Raises Refused for no name, or too many."""
    called = " ".join(text.clean(name).text.split())[:LONGEST_NAME]
    query = query.replace("\x00", "")
    if not called:
        raise Refused("Give the search a name, to find it again.")
    if len(query) > LONGEST_QUERY:
        raise Refused("This search is too long to be kept.")
    own = SavedView.objects.filter(holder=holder, page=page)
    if own.exclude(name=called).count() >= MOST:
        raise Refused(f"At most {MOST} searches can be kept. Drop one first.")
    row, _ = SavedView.objects.update_or_create(holder=holder, page=page, name=called, defaults={"query": query})
    return row


def drop(holder: User, view_id: int) -> None:
    """Drops one of theirs; once is enough."""
    SavedView.objects.filter(holder=holder, pk=view_id).delete()
