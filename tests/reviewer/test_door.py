"""The door in a real browser: every page of signing in, its list of logins and its log, for everyone and without scripts."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from playwright.sync_api import Browser, BrowserContext, Page, expect

from memory import inviting, scope
from memory.models import Access, StaffRead, User
from tests.reviewer.looking import barriers, too_wide
from tests.reviewer.test_browser import sign_in

PASSWORD = "open sesame"
WIDTHS = (390, 320)


@pytest.fixture
def home(live_server: Any, staff: dict[str, User], member: User) -> str:
    cache.clear()
    with scope.staff():
        StaffRead.objects.create(reader=staff["reviewer"], user=member, page="person")
    return str(live_server.url)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context() as context:
        context.set_default_timeout(30_000)
        yield context


def lock(page: Page, home: str) -> None:
    page.goto(f"{home}/login/")
    for _ in range(5):
        page.get_by_label("Name").fill("rita")
        page.get_by_label("Password").fill("wrong")
        page.get_by_role("button", name="Sign in").click()


def prove(page: Page, home: str, path: str) -> None:
    """Opens what asks for the password once more."""
    page.goto(f"{home}{path}")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()


def test_door_has_no_barrier_that_axe_knows(context: BrowserContext, home: str):
    page = context.new_page()
    invited = f"/invited/{inviting.issue('noor', access=Access.REVIEWER).token}"
    found = {path: barriers(page, home + path) for path in ("/login/", invited, "/invited/gone")}
    sign_in(page, home, "ada")

    for path in ("/account/", "/account/password/", "/login/again/", "/logins/", "/logins/?q=zz", "/reads/"):
        found[path] = barriers(page, home + path)
    prove(page, home, "/account/second-factor/on/")
    found["on"] = barriers(page, f"{home}/account/second-factor/on/")

    assert {path: violations for path, violations in found.items() if violations} == {}


def test_door_fits_a_narrow_window(context: BrowserContext, home: str):
    page = context.new_page()
    sign_in(page, home, "ada")
    prove(page, home, "/account/second-factor/on/")

    paths = ("/account/", "/account/second-factor/on/", "/logins/", "/reads/")
    found = {path: too_wide(page, home + path) for path in paths}

    assert {path: widths for path, widths in found.items() if widths} == {}


def test_lock_says_what_to_do(context: BrowserContext, home: str):
    page = context.new_page()

    lock(page, home)

    expect(page.get_by_role("heading", level=1)).to_have_text("Locked for a while")
    expect(page.get_by_role("alert")).to_contain_text("tell an admin")


def test_second_factor_is_shown_to_scan_under_the_policy(context: BrowserContext, home: str):
    page, heard = context.new_page(), list[str]()
    page.on("console", lambda message: heard.append(message.text) if message.type == "error" else None)
    sign_in(page, home, "ada")

    prove(page, home, "/account/second-factor/on/")

    assert page.locator(".scan svg path").bounding_box()["width"] > 100  # type: ignore[index]
    assert heard == []


def test_invitation_works_without_scripts(browser: Browser, home: str):
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        sign_in(page, home, "ada")
        page.goto(f"{home}/logins/")
        page.get_by_text("Invite someone").click()
        page.get_by_label("Name to sign in with").fill("noor")
        page.get_by_role("button", name="Make a link").click()
        link = page.get_by_label("The link").input_value()
        page.get_by_role("button", name="Sign out").click()

        page.goto(link)
        page.get_by_label("What you are called").fill("Noor")
        page.get_by_label("Password, at least 8 characters").fill("a long sesame")
        page.get_by_label("The password again").fill("a long sesame")
        page.get_by_role("button", name="Set the password and come in").click()

        expect(page.get_by_role("heading", level=1)).to_have_text("People")


def test_ones_own_sign_in_is_a_click_away(context: BrowserContext, home: str):
    page = context.new_page()
    sign_in(page, home, "ada")

    page.get_by_role("link", name="Ada", exact=True).click()

    expect(page).to_have_url(f"{home}/account/")
