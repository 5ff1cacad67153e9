"""Forget me: everything of a user, the login included. A keyed hash of their external id stays."""

from functools import partial
from urllib.parse import parse_qs

from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import Model

from memory import exports, scope
from memory.errors import NotFound
from memory.marks import mark_of_user
from memory.models import ApiKey, Departure, Invitation, Receipt, SavedView, User
from memory.models.ownership import Owned


def preview_departure(user_id: int) -> dict[str, int]:
    """Rows by table that forgetting would take; inside a scope that sees the user."""
    owned: list[type[Model]] = [ApiKey, *Owned.__subclasses__()]
    tables = sorted(model._meta.db_table for model in owned)
    parts = " UNION ALL ".join(
        f"SELECT '{table}', count(*) FROM {table} WHERE user_id = %(user)s"  # noqa: S608 - names of our tables
        for table in tables
    )
    with connection.cursor() as cursor:
        cursor.execute(parts, {"user": user_id})
        return {table.removeprefix("memory_"): count for table, count in cursor.fetchall() if count}


def depart(user: User, *, actor: str) -> Receipt:
    """Removes a user and all that is theirs, in one transaction; resends of their id are refused from then on.

    Raises NotFound when they are gone already.
    """
    with transaction.atomic():
        sessions = _sign_out(user.pk)
        with scope.staff():
            if User.objects.select_for_update().filter(pk=user.pk).first() is None:
                raise NotFound("There is no such user. They may have been forgotten already.")
            counts = preview_departure(user.pk) | ({"session": sessions} if sessions else {})
            User.objects.filter(pk=user.pk).delete()
            _unname(user.external_id)
            Departure.objects.get_or_create(mark=mark_of_user(user.external_id))
            transaction.on_commit(
                partial(exports.remove, user.external_id), robust=True
            )  # what is left, the sweep takes
            return Receipt.objects.create(user_id=user.pk, act="forget", counts=counts, actor=actor)


def _sign_out(user_id: int) -> int:
    """Ends the user's sessions. Whose a session is stands in what it encodes, so that each is looked into."""
    open_sessions = Session.objects.only("session_key", "session_data").iterator(chunk_size=500)
    own = [row.pk for row in open_sessions if row.get_decoded().get("_auth_user_id") == str(user_id)]
    return Session.objects.filter(pk__in=own).delete()[0]


def _unname(external_id: str) -> None:
    """Takes away what names them without being theirs: links that would let them in again, and searches that staff keep."""
    Invitation.objects.filter(external_id=external_id).delete()
    kept = SavedView.objects.filter(query__contains="person=").values_list("pk", "query")
    naming = [pk for pk, query in kept if external_id in parse_qs(query).get("person", ())]
    SavedView.objects.filter(pk__in=naming).delete()


def lift_departure(external_id: str) -> bool:
    """Lets a forgotten person come back, as someone new. For admins."""
    with scope.staff():
        count, _ = Departure.objects.filter(mark=mark_of_user(external_id)).delete()
    return count > 0
