"""Which language members' pages are in: as chosen on the page, else as set for the person, else as their browser asks.

English is also what stands in a person's settings when nobody has set anything, so the browser is heard before it.
Staff's pages and agents' answers are English.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header

ROOMS = ("/mine/", "/portal/")


def spoken(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """The middleware; after the one that knows who is signed in."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        is_room = request.path_info.startswith(ROOMS)
        with translation.override(language(request) if is_room else settings.LANGUAGE_CODE):
            response = get_response(request)
        if is_room:
            patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response

    return middleware


def language(request: HttpRequest) -> str:
    """One of the languages there are."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    own = str(getattr(request.user, "language", "")) if request.user.is_authenticated else ""
    asked = [code for code, _ in parse_accept_lang_header(request.headers.get("Accept-Language", ""))]
    wishes = [chosen, own if own != settings.LANGUAGE_CODE else "", *asked]
    return next((code for code in map(known, wishes) if code), settings.LANGUAGE_CODE)


def known(code: str) -> str:
    """The language itself, or what it is a variant of; "" for one that there are no words in."""
    names = dict(settings.LANGUAGES)
    return next((name for name in (code.lower(), code.lower().partition("-")[0]) if name in names), "")
