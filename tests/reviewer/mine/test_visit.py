"""A whole visit in a real browser: from the keyboard, on a phone, without scripts, with hostile content, for axe."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from memory import portal, scope, tasks
from memory.mine import transfers
from memory.models import Conflict, ErasureRequest, Fact, Transfer, User
from tests import factories
from tests.factories import make_believed
from tests.reviewer.looking import barriers, too_wide
from tests.reviewer.test_browser import PAYLOAD, sign_in

PHONE: Any = {"width": 390, "height": 844}
PATHS = [
    "/mine/",
    "/mine/?q=nothing-like-it",
    "/mine/past/",
    "/mine/{fact}/",
    "/mine/{fact}/forget/",
    "/mine/questions/",
    "/mine/conversations/",
    "/mine/conversations/{episode}/",
    "/mine/forget/",
    "/mine/forget/topic/?topic=say",
    "/mine/forget/conversation/{episode}/",
    "/mine/forget/everything/",
    "/mine/never/?topic=say",
    "/mine/along/",
    "/mine/readers/",
    "/mine/settings/",
]


@pytest.fixture
def home(live_server: Any) -> str:
    return str(live_server.url)


@pytest.fixture
def visitor(home: str) -> User:
    """Someone with a contradiction, something to forget and something to put right."""
    user = factories.make_login(external_id="maya", display_name="Maya Okafor")
    make_believed(user, "Lives in Oslo")
    make_believed(user, "Lives in Bergen", value="Bergen")
    make_believed(user, "Likes oat milk", "likes", "oat milk")
    make_believed(user, "Was divorced in 2019", "divorced_in", "2019")
    return user


@pytest.fixture
def hostile(home: str) -> dict[str, int]:
    """Something on every page, all of it hostile; ids for the addresses."""
    user = factories.make_login(external_id="maya", display_name=f"Maya {PAYLOAD}"[:200])
    long = "أسكن في أوسلو \N{RIGHT-TO-LEFT OVERRIDE}" + "x" * 3_000
    episode = factories.make_episode(user, f"I say {PAYLOAD} now.", session=PAYLOAD)
    fact = factories.make_fact(user, f"I say {PAYLOAD} now.", object=PAYLOAD, predicate="says", episode=episode)
    anna = factories.make_entity(user, f"Anna {PAYLOAD}"[:300], "sister")
    left = factories.make_fact(user, f"Tea {PAYLOAD}", entity=anna, source=f"tool:{PAYLOAD}")
    right = factories.make_fact(user, long, entity=anna)
    factories.make_conflict(user, left, right)
    factories.make_fact(user, f"Old {PAYLOAD}", status="superseded", kind="preference")
    with scope.user(user.pk):
        ErasureRequest.objects.create(user=user, facts=[left.pk])
    return {"fact": fact.pk, "episode": episode.pk}


@pytest.fixture
def phone(browser: Browser, tmp_path: Path) -> Iterator[BrowserContext]:
    with browser.new_context(viewport=PHONE, accept_downloads=True, locale="en-GB") as context:
        context.set_default_timeout(30_000)
        yield context


def press_through_to(page: Page, name: str, *, key: str = "Enter") -> None:
    """Tabs to what is called so, and presses it."""
    for _ in range(120):
        page.keyboard.press("Tab")
        told = page.evaluate("document.activeElement.textContent.replace(/\\s+/g, ' ').trim()")
        if told.startswith(name):
            page.keyboard.press(key)
            return
    pytest.fail(f"no Tab leads to {name}")


def type_into(page: Page, label: str, words: str) -> None:
    """Tabs to the field of this label and writes into it."""
    for _ in range(120):
        page.keyboard.press("Tab")
        found = page.evaluate("[...(document.activeElement.labels || [])].map((each) => each.textContent).join()")
        if found.strip().startswith(label):
            page.keyboard.press("Control+A")
            page.keyboard.type(words)
            return
    pytest.fail(f"no Tab leads to {label}")


def go(page: Page, name: str) -> None:
    """By the menu, which a phone opens first."""
    page.get_by_role("button", name="Menu").focus()
    page.keyboard.press("Enter")
    press_through_to(page, name)
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_whole_visit_from_the_keyboard_on_a_phone(phone: BrowserContext, home: str, visitor: User):
    page = phone.new_page()
    page.goto(f"{home}/portal/{portal.issue(visitor).token}")
    press_through_to(page, "Open my memory")
    expect(page).to_have_url(f"{home}/mine/")

    _look_why(page)
    _correct(page)
    _answer(page, visitor)
    _forget(page, visitor)
    _take_along(page, visitor)
    _leave(page, home)


def _look_why(page: Page) -> None:
    press_through_to(page, "Why do you think that? Likes oat milk")
    expect(page.locator("details[open] mark")).to_have_text("Likes oat milk")


def _correct(page: Page) -> None:
    press_through_to(page, "Put it right Likes oat milk")
    type_into(page, "Say it as it is", "Likes barley milk")
    page.keyboard.press("Enter")
    expect(page.locator("#announced")).to_have_text("You put this right.")
    expect(page.get_by_text("Likes barley milk").first).to_be_visible()


def _answer(page: Page, visitor: User) -> None:
    go(page, "Questions")
    press_through_to(page, "Lives in Bergen")
    expect(page.get_by_text("Thank you. That is settled.").first).to_be_visible()
    with scope.user(visitor.pk):
        assert Conflict.objects.get().settled_by == "member"


def _forget(page: Page, visitor: User) -> None:
    go(page, "Forget & pause")
    type_into(page, "What shall be forgotten?", "divorced")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Was divorced in 2019")).to_be_visible()
    press_through_to(page, "See what would go")
    expect(page.get_by_role("heading", name="Forget this?")).to_be_visible()
    press_through_to(page, "Forget for good")
    expect(page.get_by_role("heading", name="It is forgotten")).to_be_visible()
    assert "divorced" not in page.content()
    with scope.user(visitor.pk):
        assert not Fact.objects.filter(text__icontains="divorced").exists()


def _take_along(page: Page, visitor: User) -> None:
    go(page, "Take along")
    press_through_to(page, "Make my export")
    expect(page.get_by_text("Being made …")).to_be_visible()
    with scope.user(visitor.pk):
        waiting = Transfer.objects.get()
    tasks.transfer(visitor.pk, waiting.pk)
    fetch = page.get_by_role("button", name="Fetch the ZIP")
    expect(fetch).to_be_visible()
    with page.expect_download() as download:
        fetch.focus()
        page.keyboard.press("Enter")
    assert re.fullmatch(r"memory-\d{4}-\d\d-\d\d\.zip", download.value.suggested_filename)
    assert Path(download.value.path()).read_bytes()[:2] == b"PK"
    assert list(transfers.chunks(visitor.pk, waiting.pk)) == []
    expect(page.get_by_role("button", name="Make a new one")).to_be_focused()
    expect(page.locator("#announced")).to_contain_text("You fetched it on")


def _leave(page: Page, home: str) -> None:
    page.get_by_role("button", name="Menu").focus()
    page.keyboard.press("Enter")
    with page.expect_navigation():
        press_through_to(page, "Sign out")
    page.goto(f"{home}/mine/")
    expect(page).to_have_url(re.compile(r"/login/"))


def test_skip_link_comes_first_and_leads_to_the_content(phone: BrowserContext, home: str, visitor: User):
    page = phone.new_page()
    sign_in(page, home, "maya")
    page.goto(f"{home}/mine/")

    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    assert page.evaluate("document.activeElement.id") == "main"


def test_undo_is_under_the_finger_after_a_change(phone: BrowserContext, home: str, visitor: User):
    page = phone.new_page()
    sign_in(page, home, "maya")
    page.goto(f"{home}/mine/")
    press_through_to(page, "Put it right Likes oat milk")

    press_through_to(page, "Not true")
    expect(page.locator("#announced")).to_have_text("You said this is not true.")
    expect(page.get_by_role("button", name=re.compile("^Undo"))).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.locator("#announced")).to_have_text("Undone.")


def test_everything_works_without_scripts(browser: Browser, home: str, visitor: User):
    with browser.new_context(viewport=PHONE, java_script_enabled=False) as context:
        page = context.new_page()
        sign_in(page, home, "maya")
        page.goto(f"{home}/mine/?q=oat")
        page.get_by_text("Put it right").click()
        page.get_by_role("button", name="Not true").click()
        expect(page.locator(".notice.success")).to_have_text("You said this is not true.")
        page.get_by_role("button", name=re.compile("Undo")).click()
        expect(page.locator(".notice.success")).to_have_text("Undone.")
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("link", name=re.compile("Questions")).click()
        page.get_by_role("button", name="Both are true").click()

        expect(page.get_by_role("heading", name="No question")).to_be_visible()


def test_hostile_content_runs_nothing_and_asks_nobody(phone: BrowserContext, home: str, hostile: dict[str, int]):
    asked: list[str] = []
    complaints: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    page = phone.new_page()
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    sign_in(page, home, "maya")
    ran = {}

    for path in PATHS:
        page.goto(home + path.format(**hostile))
        ran[path] = page.evaluate("window.ran")

    assert set(ran.values()) == {None}
    assert ([url for url in asked if not url.startswith(f"{home}/")], complaints) == ([], [])


def test_pages_fit_a_narrow_window(phone: BrowserContext, home: str, hostile: dict[str, int]):
    page = phone.new_page()
    sign_in(page, home, "maya")

    found = {path: too_wide(page, home + path.format(**hostile)) for path in PATHS}

    assert {path: widths for path, widths in found.items() if widths} == {}


def test_pages_have_no_barrier_that_axe_knows(phone: BrowserContext, home: str, hostile: dict[str, int]):
    page = phone.new_page()
    sign_in(page, home, "maya")

    found = {path: barriers(page, home + path.format(**hostile)) for path in PATHS}

    assert {path: violations for path, violations in found.items() if violations} == {}


def test_pages_hold_from_right_to_left(
    phone: BrowserContext, home: str, hostile: dict[str, int], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("reviewer.language.language", lambda _request: "ar")
    page = phone.new_page()
    sign_in(page, home, "maya")
    page.goto(f"{home}/mine/")

    mark, menu = (page.locator(name).first.bounding_box() for name in (".mark", ".menu-button"))

    assert mark
    assert menu
    assert (mark["x"] > menu["x"], page.evaluate("document.documentElement.scrollWidth")) == (True, PHONE["width"])
    assert barriers(page, f"{home}/mine/") == []
