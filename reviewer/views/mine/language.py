"""The language of the page, for this browser."""

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from reviewer.language import known
from reviewer.views.access import AnyRequest, private

YEAR = 365 * 24 * 3600


@require_POST
@private
def language(request: AnyRequest) -> HttpResponse:
    """Remembers it and goes back; what is no language of ours changes nothing."""
    back = request.POST.get("next", "")
    is_ours = back.startswith("/mine/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    response = redirect(back if is_ours else "mine")
    speak(response, request.POST.get("language", ""))
    return response


def speak(response: HttpResponse, code: str) -> None:
    if known(code):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            known(code),
            max_age=YEAR,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
