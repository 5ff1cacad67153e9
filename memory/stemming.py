"""Whose words search stems in which language: after somebody changes theirs, what is stored follows.

A few rows at once, in the transaction of the change; the rest of a long memory by a worker, a batch at a time. Until
then search still finds the rest by the old language's stems, by letters and by meaning. Doing it twice changes nothing.
"""

from collections.abc import Sequence

from django.db import connection
from django.db.models import QuerySet

from memory import scope
from memory.models import Fact, Turn, User

AT_ONCE = 500
"""Rows of each table that whoever changes their language waits for."""
BATCH = 2_000
_BEHIND = """
    SELECT usr.id FROM memory_user usr WHERE EXISTS (
        SELECT FROM memory_turn turn WHERE turn.user_id = usr.id AND turn.language <> usr.language
    ) OR EXISTS (
        SELECT FROM memory_fact fact WHERE fact.user_id = usr.id AND fact.language <> usr.language
    ) ORDER BY usr.id LIMIT %(limit)s
"""


def follow(user_id: int, language: str, *, limit: int = AT_ONCE) -> bool:
    """Stems up to `limit` rows of each table anew; whether that was all. Inside the user's scope, their row locked."""
    done = True
    for model in (Fact, Turn):
        chosen = list(_others(model._default_manager.filter(user=user_id), language)[:limit])
        model._default_manager.filter(user=user_id, pk__in=chosen).update(language=language)
        done = done and len(chosen) < limit
    return done


def catch_up(user_id: int) -> None:
    """Stems all that is left, a batch a transaction, in whatever their language is by then. Opens the scopes."""
    is_done = False
    while not is_done:
        with scope.user(user_id):
            user = User.objects.select_for_update(no_key=True).filter(pk=user_id).first()
            is_done = user is None or follow(user_id, user.language, limit=BATCH)


def is_behind(user: User) -> bool:
    """Whether some of their words are still stemmed in another language. Inside the scope."""
    tables = (model._default_manager.filter(user=user.pk) for model in (Fact, Turn))
    return any(_others(rows, user.language).exists() for rows in tables)


def behind(*, limit: int = 200) -> Sequence[int]:
    """Whose words are: what a lost message left. Inside the staff scope; looks through all that is stored."""
    with connection.cursor() as cursor:
        cursor.execute(_BEHIND, {"limit": limit})
        return [pk for (pk,) in cursor.fetchall()]


def _others[M: (Fact, Turn)](rows: QuerySet[M], language: str) -> QuerySet[M, int]:
    return rows.exclude(language=language).order_by("pk").values_list("pk", flat=True)
