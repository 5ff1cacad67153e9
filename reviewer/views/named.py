"""Whose memory a page or an act of staff is about, where they open the scopes they need themselves."""

from django.http import HttpRequest

from memory import scope
from memory.browsing import people as browsing
from memory.models import User
from reviewer.views.access import seen


def person(request: HttpRequest, external_id: str) -> User:
    """The person of the address, whose content staff will see. Raises NotFound."""
    with scope.staff():
        found = browsing.person(external_id)
    seen(request, [found.pk])
    return found
