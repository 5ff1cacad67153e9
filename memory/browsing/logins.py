"""Everybody who can sign in. Read as the login role, in no scope."""

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import models
from django.db.models import Case, F, Q, QuerySet, When
from django.db.models.functions import Lower

from memory.browsing.paging import Cursor, Order, Page, turn
from memory.errors import NotFound
from memory.models import Access, User

ORDER = Order(("label", "id"))


def logins(query: str, cursor: Cursor, *, access: Access | None = None) -> Page[User]:
    """Staff, and members who have a password or came by a link, by name; `query` is part of name or external id."""
    within = _logins()
    rows = within if access is None else within.filter(access=access)
    if query:
        rows = rows.filter(Q(display_name__icontains=query) | Q(external_id__icontains=query))
    return turn(rows, ORDER, cursor, within=within)


def login(login_id: int) -> User:
    found = _logins().filter(pk=login_id).first()
    if found is None:
        raise NotFound("There is no such login.")
    return found


def _logins() -> QuerySet[User]:
    name = Case(When(display_name="", then=F("external_id")), default=F("display_name"))
    has_been_in = (
        Q(last_login__isnull=False) | ~Q(password__startswith=UNUSABLE_PASSWORD_PREFIX) | ~Q(access=Access.MEMBER)
    )
    rows: QuerySet[User] = User.objects.filter(has_been_in)
    return rows.annotate(label=Lower(name, output_field=models.CharField())).fetch_mode(models.FETCH_RAISE)
