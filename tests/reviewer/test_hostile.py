"""Every page that the access matrix knows, in a browser, with all stored text hostile: nothing runs, nobody else is asked.

A new route is visited as soon as it has its row and its ids there.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.db import models
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from memory import scope
from memory.models import User
from tests.reviewer.test_access import MATRIX, Ids, address, ids  # noqa: F401 - a fixture
from tests.reviewer.test_browser import sign_in

EVIL = "//evil.example"
SHORT = "<img src=x onerror=alert(1)>"
PAYLOAD = (
    f"{SHORT}<script>alert(1)</script><svg onload=alert(1)>![x](https:{EVIL}/m.png) [y](javascript:alert(1))"
    f" <{EVIL}/auto> <img src={EVIL}/i.png><style>@import '{EVIL}/c.css'</style>\"'><iframe src={EVIL}></iframe>{{{{ 7 }}}}"
)
# Names in addresses, codes that the database checks, and hashes stay what they are.
KEPT = {
    *("external_id", "source", "subject_key", "object_key", "note_key", "name_key", "alias_key", "topic_key", "slot"),
    *("predicate", "kind", "polarity", "basis", "speech", "status", "verdict", "reason", "relation", "state", "step"),
    *("digest", "mark", "claim_mark", "key_mark", "content_hash", "password", "prefix", "format", "page", "key"),
    *("language", "time_zone", "valid_from", "valid_to", "expires_on", "extractor", "prompt_version", "settled_by"),
    *(
        "about",
        "embedding_model",
        "policy_version",
        "stratify_by",
        "role",
        "act",
        "action",
        "table",
        "actor",
        "by",
        "verb",
    ),
}


def poison() -> int:
    """Makes every text that anybody can bring into the database hostile; returns how many columns that were."""
    columns = 0
    with scope.staff():
        for model in apps.get_app_config("memory").get_models():
            hostile = {field.name: PAYLOAD[: field.max_length or 2000] for field in _texts(model)}
            if hostile and model._meta.model_name != "policyversion":
                columns += len(hostile)
                model._default_manager.update(**hostile)
    return columns


def _texts(model: type[models.Model]) -> Iterator[Any]:
    for field in model._meta.concrete_fields:
        is_text = isinstance(field, models.CharField | models.TextField) and not field.choices and not field.unique
        if is_text and field.name not in KEPT and (field.max_length or 2000) >= len(SHORT):
            yield field


@contextmanager
def listening(context: BrowserContext, home: str) -> Iterator[list[str]]:
    """Everything that a page should not do, as it happens."""
    heard: list[str] = []

    def ask(request: Any) -> None:
        if not request.url.startswith((f"{home}/", "about:", "data:,")):
            heard.append(f"asked {request.url}")

    def open_page(page: Page) -> None:
        page.on("dialog", lambda dialog: (heard.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("console", lambda message: heard.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: heard.append(f"error {error.message}"))

    context.route("**/favicon.ico", lambda route: route.fulfill(status=204))  # what no page links to is asked for
    context.on("request", ask)
    context.on("page", open_page)
    yield heard


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context(accept_downloads=False) as context:
        context.set_default_timeout(30_000)
        yield context


def visit(page: Page, url: str) -> None:
    try:
        page.goto(url)
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
        expect(page.locator(".htmx-request")).to_have_count(0)
    except Error as error:  # a file to take along is no page
        if "Download is starting" not in error.message:
            raise


@pytest.mark.usefixtures("staff")
@pytest.mark.parametrize("who", [("ada", "admin"), ("maya", "owner")])
def test_no_page_runs_or_fetches_what_is_stored(
    who: tuple[str, str],
    context: BrowserContext,
    live_server: Any,
    ids: Ids,  # noqa: F811
):
    name, role = who
    home, columns = str(live_server.url), poison()
    found: dict[str, list[str]] = {}
    shown = set()

    with listening(context, home) as heard:
        page = context.new_page()
        sign_in(page, home, name)
        for route in [route for route, row in MATRIX.items() if row.method == "get" and getattr(row, role) == 200]:
            heard.clear()
            visit(page, home + address(route, ids))
            found[route] = [*heard]
            shown |= {route} if SHORT in page.evaluate("document.body?.textContent ?? ''") else set()

    assert {route: problems for route, problems in found.items() if problems} == {}
    assert (columns > 30, len(shown) > 10) == (True, True)  # it was there to be seen


def test_listening_hears_what_a_page_should_not_do(context: BrowserContext, live_server: Any, staff: dict[str, User]):
    home = str(live_server.url)
    body = f"<script>alert(1)</script><img src='https:{EVIL}/i.png'><script>nothing.there()</script>"
    context.route(f"{home}/bad/", lambda route: route.fulfill(body=body, content_type="text/html"))
    context.route(f"https:{EVIL}/**", lambda route: route.abort())

    with listening(context, home) as heard:
        context.new_page().goto(f"{home}/bad/", wait_until="networkidle")

    assert [what.split(" ")[0] for what in sorted(heard)] == ["Failed", "asked", "dialog", "error"]


def test_policy_is_heard_when_it_forbids(context: BrowserContext, live_server: Any, staff: dict[str, User]):
    home, headers = str(live_server.url), {"Content-Security-Policy": "script-src 'self'", "Content-Type": "text/html"}
    context.route(f"{home}/bad/", lambda route: route.fulfill(body="<script>alert(1)</script>", headers=headers))

    with listening(context, home) as heard:
        context.new_page().goto(f"{home}/bad/", wait_until="networkidle")

    assert ["Content Security Policy" in what for what in heard] == [True]
