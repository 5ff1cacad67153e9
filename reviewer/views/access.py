"""Who may open which page, and the scope that the page reads in.

Pages read inside a scope that these decorators open and close around the view; views that
act call domain verbs, which open their own, and take `reviewer_required` alone.

Whose content staff saw is noted when the view has answered: a `persons_page` knows whose it is,
every other view that shows people's content says so with `seen`.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from http import HTTPStatus
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from memory import people, scope, visiting
from memory.browsing import people as browsing
from memory.errors import NotFound
from memory.models import Access, User

type View = Callable[..., HttpResponse]


class AnyRequest(HttpRequest):
    """A request from anyone."""

    htmx: HtmxDetails


class HtmxRequest(AnyRequest):
    """A request from someone who is signed in."""

    user: User


def seen(request: HttpRequest, user_ids: Iterable[int]) -> None:
    """Says whose content this answer shows; doubles and one's own don't matter. May be called more than once.

    `seen(request, (row.user_id for row in page.rows))`. The decorator writes it down after the view.
    """
    _unnoted(request).update(user_ids)


private = cache_control(private=True, no_store=True)


def signed_in(view: View) -> View:
    """Anyone with a login; others are sent to sign in and come back."""

    @private
    @wraps(view)
    def wrapped(request: AnyRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.htmx:
            back = request.htmx.current_url_abs_path or settings.LOGIN_REDIRECT_URL
            return HttpResponseClientRedirect(redirect_to_login(back).url)
        back = request.get_full_path() if request.method in {"GET", "HEAD"} else settings.LOGIN_REDIRECT_URL
        return cast(HttpResponse, redirect_to_login(back))

    return wrapped


def reviewer_required(view: View) -> View:
    """Reviewers and admins, in no scope."""

    @signed_in
    @wraps(view)
    def wrapped(request: HtmxRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_staff:
            raise PermissionDenied
        with _found():
            response = view(request, *args, **kwargs)
        if _unnoted(request):
            with scope.staff():
                _note(request, response)
        return response

    return wrapped


def staff_page(view: View) -> View:
    """Reviewers and admins, reading across people."""

    @reviewer_required
    @wraps(view)
    def wrapped(request: HtmxRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        with scope.staff():
            response = view(request, *args, **kwargs)
            _note(request, response)
            return response

    return wrapped


def admin_required(view: View) -> View:
    """Admins alone, in no scope."""

    @reviewer_required
    @wraps(view)
    def wrapped(request: HtmxRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.access != Access.ADMIN:
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return wrapped


def admin_page(view: View) -> View:
    """Admins alone, reading across people."""
    return admin_required(staff_page(view))


def persons_page(view: View) -> View:
    """A page about one person, for staff and for them: `view(request, person, …)`, in the person's time zone.

    To a member everyone else's page is as missing as one of nobody: the database is not even asked.
    """

    @signed_in
    @wraps(view)
    def wrapped(request: HtmxRequest, external_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_staff and request.user.external_id != external_id:
            raise Http404
        reading = scope.staff() if request.user.is_staff else scope.user(request.user.pk)
        with _found(), reading:
            person = browsing.person(external_id)
            with timezone.override(people.zone(person.time_zone)):
                response = view(request, person, *args, **kwargs)
            if request.user.is_staff:
                seen(request, [person.pk])
                _note(request, response)
            return response

    return wrapped


def _note(request: HtmxRequest, response: HttpResponse) -> None:
    """Inside the staff scope. Being sent on, or told that something is missing, shows nobody's content."""
    persons = _unnoted(request)
    is_sent_on = HTTPStatus.MULTIPLE_CHOICES <= response.status_code < HTTPStatus.BAD_REQUEST
    if persons and not is_sent_on and response.status_code != HTTPStatus.NOT_FOUND:
        visiting.note(request.user.pk, persons, page=_name(request))
    request.__dict__["noted"] = request.__dict__.get("noted", set()) | persons
    persons.clear()


def _unnoted(request: HttpRequest) -> set[int]:
    found: set[int] = request.__dict__.setdefault("unnoted", set())
    return found


def _name(request: HttpRequest) -> str:
    match = request.resolver_match
    return (match and match.url_name) or request.path


@contextmanager
def _found() -> Iterator[None]:
    try:
        yield
    except NotFound as error:
        raise Http404 from error
