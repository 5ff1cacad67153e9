"""What did not work, said where its reader is at home: members in their own room and language, everyone else on the site.

Django finds these by their names in `reviewer.urls`, or by a setting. Of the request's address they look at the
room alone, so that a stranger learns nothing from what is missing.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation

from reviewer.language import ROOMS, language

type Respond = Callable[[HttpRequest], HttpResponse]


def missing(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001 - Django names it
    """There is no such page, or it is not theirs."""
    return _show(request, HTTPStatus.NOT_FOUND)


def refused(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001 - Django names it
    """It is for others."""
    return _show(request, HTTPStatus.FORBIDDEN)


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django says why, for developers
    """A form came without the token of its page."""
    return _show(request, HTTPStatus.FORBIDDEN, page="403_csrf")


def hurried(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001 - Django names it
    """There were too many tries."""
    return _show(request, HTTPStatus.TOO_MANY_REQUESTS)


def failed(request: HttpRequest) -> HttpResponse:
    """Something broke: whoever asks may not be known any more, so nothing is looked up."""
    page = "mine/500.html" if _is_in_room(request) else "500.html"
    return HttpResponse(render_to_string(page), status=HTTPStatus.INTERNAL_SERVER_ERROR)


def developing(get_response: Respond) -> Respond:
    """Middleware: what is missing is our page while developing too, and so in the demo. Django's own lists every address."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if settings.DEBUG and is_page and response.status_code == HTTPStatus.NOT_FOUND:
            return missing(request)
        return response

    return middleware


def _show(request: HttpRequest, status: HTTPStatus, *, page: str = "") -> HttpResponse:
    user: Any = getattr(request, "user", None)
    is_member = user is not None and user.is_authenticated and not user.is_staff
    place = "mine/" if is_member or _is_in_room(request) else ""
    with translation.override(language(request) if is_member else translation.get_language()):
        return render(request, f"{place}{page or status.value}.html", status=status)


def _is_in_room(request: HttpRequest) -> bool:
    return request.path_info.startswith(ROOMS)
