"""`quickstart --check`: whether the demo gets processed and the pages open."""

import http.cookiejar
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.urls import URLPattern, get_resolver

from memory import jobs, scope, totals
from memory.demo import Login
from memory.models import Episode, User
from reviewer.celery import app
from reviewer.supervision import Child

_PATIENCE = 300  # seconds until the demo must be processed
_FIRST_ERROR = 400
_NOT_FOR_GET = 405


def check(address: str, logins: Sequence[Login], *, children: Sequence[Child]) -> dict[str, Any]:
    """Waits until the worker has processed all there is, opens the pages, and says what came of it."""
    started = time.monotonic()
    is_processed = _await_processed(children)
    with scope.staff():
        found = totals.totals(list(User.objects.values_list("pk", flat=True)))
    pages = {login.access.value: _open_pages(address, login) for login in logins}
    bad = [status for statuses in pages.values() for status in statuses.values() if not _is_good(status)]
    worker = _worker()
    return {
        "ok": is_processed and not bad and not found["failed_episodes"] and worker["answers"],
        "address": address,
        "processed": is_processed,
        "seconds": round(time.monotonic() - started, 1),
        **found,
        "pages": pages,
        "worker": worker,
    }


def _await_processed(children: Sequence[Child]) -> bool:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        for child in children:
            child.look_after()
        if _is_idle():
            return True
        time.sleep(0.5)
    return False


def _is_idle() -> bool:
    with scope.staff():
        is_waiting = Episode.objects.filter(state__in=["pending", "running"]).exists()
    return not is_waiting and jobs.next_run() is None


def _open_pages(address: str, login: Login) -> dict[str, int]:
    """Signs in by the form and opens every page whose address needs no id."""
    jar = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    signed_in = _sign_in(browser, jar, address, login)
    return {settings.LOGIN_URL: signed_in} | {f"/{path}": _get(browser, f"{address}/{path}") for path in _paths()}


def _sign_in(browser: urllib.request.OpenerDirector, jar: http.cookiejar.CookieJar, address: str, login: Login) -> int:
    url = address + settings.LOGIN_URL
    status = _get(browser, url)
    if status >= _FIRST_ERROR:
        return status
    token = next((cookie.value or "" for cookie in jar if cookie.name == settings.CSRF_COOKIE_NAME), "")
    fields = {"username": login.external_id, "password": login.password, "csrfmiddlewaretoken": token}
    return _get(browser, url, urllib.parse.urlencode(fields).encode())


def _get(browser: urllib.request.OpenerDirector, url: str, data: bytes | None = None) -> int:
    try:
        with browser.open(url, data, timeout=30) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


def _paths() -> Iterator[str]:
    """Every address of the site without an id in it, but for signing out."""
    for pattern in get_resolver().url_patterns:
        if isinstance(pattern, URLPattern):
            path = str(pattern.pattern)
            if "<" not in path and "logout" not in path and f"/{path}" != settings.LOGIN_URL:
                yield path


def _is_good(status: int) -> bool:
    """Opened, kept from this role, or an action that wants a POST."""
    return status < _FIRST_ERROR or status in (403, _NOT_FOR_GET)


def _worker() -> dict[str, Any]:
    """Which workers answer."""
    names = [name for reply in app.control.ping(timeout=3) or [] for name in reply]
    return {"answers": bool(names), "names": names}
