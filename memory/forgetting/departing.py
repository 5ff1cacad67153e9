"""Forget me: everything of a user, the login included. A keyed hash of their external id stays."""

from django.db import connection

from memory import scope
from memory.marks import mark_of_user
from memory.models import Departure, Receipt, User
from memory.models.ownership import Owned


def preview_departure(user_id: int) -> dict[str, int]:
    """Rows by table that forgetting would take; inside a scope that sees the user."""
    parts = " UNION ALL ".join(
        f"SELECT '{model._meta.db_table}', count(*) FROM {model._meta.db_table} WHERE user_id = %(user)s"  # noqa: S608
        for model in _content()
    )
    with connection.cursor() as cursor:
        cursor.execute(parts, {"user": user_id})
        return {table.removeprefix("memory_"): count for table, count in cursor.fetchall() if count}


def depart(user: User, *, actor: str) -> Receipt:
    """Removes a user and all that is theirs, in one transaction; resends of their id are refused from then on."""
    mark = mark_of_user(user.external_id)
    with scope.staff():
        User.objects.select_for_update().filter(pk=user.pk).first()
        counts = preview_departure(user.pk)
        Receipt.objects.filter(user_id=user.pk).delete()
        User.objects.filter(pk=user.pk).delete()
        Departure.objects.get_or_create(mark=mark)
        return Receipt.objects.create(user_id=user.pk, act="forget", counts=counts, actor=actor)


def lift_departure(external_id: str) -> bool:
    """Lets a forgotten person come back, as someone new. For admins."""
    with scope.staff():
        count, _ = Departure.objects.filter(mark=mark_of_user(external_id)).delete()
    return count > 0


def _content() -> list[type[Owned]]:
    return sorted(Owned.__subclasses__(), key=lambda model: model._meta.db_table)
