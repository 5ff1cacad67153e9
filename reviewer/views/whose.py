"""Who may act on what is one person's."""

from functools import wraps
from typing import Any

from django.http import Http404, HttpResponse

from memory import scope
from memory.browsing import people as browsing
from memory.errors import NotFound
from reviewer.views.access import HtmxRequest, View, persons_page, signed_in


def persons_act(view: View) -> View:
    """An act on what is one person's, by them or by staff: `view(request, person, …)`, in no scope."""

    @signed_in
    @wraps(view)
    def wrapped(request: HtmxRequest, external_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_staff and request.user.external_id != external_id:
            raise Http404
        try:
            reading = scope.staff() if request.user.is_staff else scope.user(request.user.pk)
            with reading:
                person = browsing.person(external_id)
            return view(request, person, *args, **kwargs)
        except NotFound as error:
            raise Http404 from error

    return wrapped


def staffs_act(view: View) -> View:
    """The same by staff alone: to a member it is missing."""
    return persons_act(_by_staff(view))


def staffs_page(view: View) -> View:
    """A page about one person for staff alone: `view(request, person, …)`."""
    return persons_page(_by_staff(view))


def _by_staff(view: View) -> View:
    @wraps(view)
    def wrapped(request: HtmxRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_staff:
            raise Http404
        return view(request, *args, **kwargs)

    return wrapped
