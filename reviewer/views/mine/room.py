"""How a member comes in: whoever is signed in sees their own memory and nobody else's, staff too."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from memory import people, scope
from memory.errors import NotFound
from memory.mine import asking
from reviewer.views.access import HtmxRequest, View, signed_in
from reviewer.views.answering import respond

type Build = Callable[[], Mapping[str, Any]]


def page(view: View) -> View:
    """A page that reads in the member's own scope and time zone."""

    @require_safe
    @signed_in
    @wraps(view)
    def wrapped(request: HtmxRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        with inside(request), scope.user(request.user.pk):
            return view(request, *args, **kwargs)

    return wrapped


def act(view: View) -> View:
    """Something that a member does, by a verb that opens their scope itself."""

    @require_POST
    @signed_in
    @wraps(view)
    def wrapped(request: HtmxRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        with inside(request):
            return view(request, *args, **kwargs)

    return wrapped


@contextmanager
def inside(request: HtmxRequest) -> Iterator[None]:
    """In their time zone; what is not theirs is missing."""
    try:
        with timezone.override(people.zone(request.user.time_zone)):
            yield
    except NotFound as error:
        raise Http404 from error


def show(request: HtmxRequest, name: str, context: Mapping[str, Any]) -> HttpResponse:
    """A page, or the part that htmx asked for, with what every page of the room shows. Inside the scope."""
    frame = {"person": request.user, "questions": asking.count(request.user.pk)}
    return respond(request, f"mine/{name}", frame | dict(context))


def after(request: HtmxRequest, name: str, build: Build, *, back: str) -> HttpResponse:
    """What an act leads to: back to a page without htmx, else the part that has changed."""
    if not request.htmx:
        return redirect(back)
    with scope.user(request.user.pk):
        return show(request, name, build())
