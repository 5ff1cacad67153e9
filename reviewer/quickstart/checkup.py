"""`quickstart --check`: whether the demo gets processed and the pages open."""

import http.cookiejar
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver

from memory import jobs, scope, totals
from memory.demo import Login
from memory.models import Episode, User
from memory.models.users import Access
from reviewer.celery import app
from reviewer.supervision import Child

_PATIENCE = 300  # seconds until the demo must be processed
_CANARY_PATIENCE = 20  # seconds
_FIRST_ERROR = 400
_FORBIDDEN = 403
_NOT_FOR_GET = 405
_ELSEWHERE = ("api/", "login/", "logout/", "account/")
"""For agents, or about one's own way in."""


def check(address: str, logins: Sequence[Login], *, children: Sequence[Child]) -> dict[str, Any]:
    """Waits until the worker has processed all there is, opens the pages, and says what came of it."""
    started = time.monotonic()
    is_processed = _await_processed(children)
    with scope.staff():
        found = totals.totals(list(User.objects.values_list("pk", flat=True)))
    pages = {login.access.value: _open_pages(address, login) for login in logins}
    canary = _canary()
    problems = [*_problems(found, is_processed=is_processed, is_alive=canary["alive"]), *_unopened(pages)]
    return {
        "ok": not problems,
        "problems": problems,
        "address": address,
        "processed": is_processed,
        "seconds": round(time.monotonic() - started, 1),
        **found,
        "pages": pages,
        "worker_canary": canary,
    }


def _problems(found: Mapping[str, Any], *, is_processed: bool, is_alive: bool) -> Iterator[str]:
    if not is_processed:
        yield f"After {_PATIENCE} s there is still work to be done; worker.log in the data directory may say why."
    if found["failed_episodes"]:
        yield f"{found['failed_episodes']} episodes failed; the page Jobs says why."
    if not is_alive:
        yield f"No worker took up a task within {_CANARY_PATIENCE} s."


def _unopened(pages: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    for access, statuses in pages.items():
        for path, status in statuses.items():
            if not _is_good(status, is_admin=access == Access.ADMIN):
                yield f"{path} answered {status} to the {access}."


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
    """The status of the answer; 401 where it is the sign-in page once more."""
    try:
        with browser.open(url, data, timeout=30) as response:
            is_sign_in = urllib.parse.urlsplit(response.url).path == settings.LOGIN_URL
            is_wanted = data is None and url.endswith(settings.LOGIN_URL)
            return 401 if is_sign_in and not is_wanted else int(response.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


def _paths(patterns: Sequence[URLPattern | URLResolver] | None = None, before: str = "") -> Iterator[str]:
    """Every address of the site without an id in it, but for what is elsewhere."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        path = before + str(pattern.pattern)
        if "<" in path or path.startswith(_ELSEWHERE):
            continue
        if isinstance(pattern, URLResolver):
            yield from _paths(pattern.url_patterns, path)
        else:
            yield path


def _is_good(status: int, *, is_admin: bool) -> bool:
    """Opened, or an action that wants a POST, or kept from this role."""
    return status < _FIRST_ERROR or status == _NOT_FOR_GET or (status == _FORBIDDEN and not is_admin)


def _canary() -> dict[str, Any]:
    """How long a worker took to begin a task sent to it now."""
    before, started = _canaries(), time.monotonic()
    app.send_task("memory.tasks.canary")
    while time.monotonic() - started < _CANARY_PATIENCE:
        if _canaries() > before:
            return {"alive": True, "seconds": round(time.monotonic() - started, 1)}
    return {"alive": False, "seconds": None}


def _canaries() -> int:
    """How many canaries the workers have begun."""
    workers = app.control.inspect(timeout=1).stats() or {}
    return sum(worker["total"].get("memory.tasks.canary", 0) for worker in workers.values())
