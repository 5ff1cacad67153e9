"""The pages in a real browser: by keyboard, with hostile content, for assistive technology."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from memory import jobs
from memory.models import User
from tests import factories
from tests.factories import WHEN
from tests.reviewer.looking import barriers, barriers_here, too_wide

PAYLOAD = (
    "<img src='//evil.example/i.png' onerror='window.ran=1'><script>window.ran=1</script>![x](//evil.example/m.png)"
)
PATHS = [
    "/people/",
    "/people/?q=nobody-by-that-name",
    "/people/maya/",
    "/people/maya/?status=all",
    "/people/maya/?status=lapsed&kind=goal",
    "/people/maya/facts/{fact}/",
    "/people/maya/refused/",
    "/people/maya/conflicts/",
    "/people/maya/episodes/",
    "/people/maya/episodes/{episode}/",
    "/people/jonas/",
    "/refused/",
    "/conflicts/",
    "/jobs/",
    "/nowhere/",
]


@pytest.fixture
def home(live_server: Any) -> str:
    return str(live_server.url)


@pytest.fixture
def memory(home: str) -> dict[str, int]:
    """A memory with something on every page, all of it hostile; ids for the addresses."""
    reviewer = factories.make_login("reviewer", "rita", display_name="Rita")
    user = factories.make_login(external_id="maya", display_name=f"Maya {PAYLOAD}"[:200])
    factories.make_login(external_id="jonas")
    episode = factories.make_episode(user, f"I say {PAYLOAD} now.", session=PAYLOAD)
    fact = _fill(user, episode)
    jobs.request([user.pk, reviewer.pk])
    return {"fact": fact, "episode": episode.pk}


def _fill(user: User, episode: Any) -> int:
    anna = factories.make_entity(user, f"Anna {PAYLOAD}", "sister")
    new = factories.make_fact(user, f"Bergen {PAYLOAD}", object=PAYLOAD, predicate="lives_in", episode=episode)
    old = factories.make_fact(user, f"Oslo {PAYLOAD}", status="superseded", superseded_by=new, status_reason=PAYLOAD)
    left = factories.make_fact(user, f"Tea {PAYLOAD}", entity=anna, source=f"tool:{PAYLOAD}", confidence=0.5)
    right = factories.make_fact(user, f"Coffee {PAYLOAD}", entity=anna, confidence=0.3, kind="preference")
    factories.make_conflict(user, left, right, why=PAYLOAD)
    factories.make_conflict(user, new, old, settled_by="user", settled_at=WHEN, winner=new)
    factories.make_refusal(user, f"Maybe {PAYLOAD}", detail=PAYLOAD, episode=episode, place=2)
    factories.make_refusal(user, reason="secret", place=3, episode=episode)
    factories.make_episode(user, PAYLOAD, state="failed", error=PAYLOAD, occurred_at=WHEN - timedelta(days=1))
    return int(old.pk)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context() as context:
        context.set_default_timeout(30_000)
        yield context


def sign_in(page: Page, home: str, name: str = "rita") -> None:
    page.goto(f"{home}/login/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill("open sesame")
    page.get_by_role("button", name="Sign in").click()


def press_through_to(page: Page, name: str) -> None:
    """Tabs from wherever the focus is to the link of this name, and follows it."""
    for _ in range(60):
        page.keyboard.press("Tab")
        told = page.evaluate("document.activeElement.textContent.replace(/\\s+/g, ' ').trim()")
        if told.startswith(name):
            with page.expect_navigation():
                page.keyboard.press("Enter")
            return
    pytest.fail(f"no Tab leads to {name}")


def test_reviewer_reaches_every_page_by_keyboard(context: BrowserContext, home: str, memory: dict[str, int]):
    page = context.new_page()
    page.goto(home)

    page.keyboard.type("rita")
    page.keyboard.press("Tab")
    page.keyboard.type("open sesame")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("People")
    press_through_to(page, "Maya")
    expect(page.get_by_role("article")).to_have_count(3)
    press_through_to(page, "Refused 2")
    expect(page).to_have_url(f"{home}/people/maya/refused/")
    press_through_to(page, "Conflicts 1")

    expect(page).to_have_url(f"{home}/people/maya/conflicts/")
    expect(page.get_by_role("heading", name="Open")).to_be_visible()


def test_skip_link_comes_first_and_leads_to_the_content(context: BrowserContext, home: str, memory: dict[str, int]):
    page = context.new_page()
    sign_in(page, home)

    page.goto(f"{home}/people/maya/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    assert page.evaluate("document.activeElement.id") == "main"


def test_details_open_by_keyboard_and_show_the_turn(context: BrowserContext, home: str, memory: dict[str, int]):
    page = context.new_page()
    sign_in(page, home)
    page.goto(f"{home}/people/maya/facts/{memory['fact']}/")

    page.locator("summary").first.focus()
    page.keyboard.press("Enter")

    expect(page.locator(".around mark")).to_be_visible()


def test_filter_swaps_the_facts_and_keeps_the_address(context: BrowserContext, home: str, memory: dict[str, int]):
    page = context.new_page()
    sign_in(page, home)
    page.goto(f"{home}/people/maya/")

    page.get_by_label("Kind").select_option("preference")

    expect(page.get_by_role("article")).to_have_count(1)
    expect(page).to_have_url(f"{home}/people/maya/?subject=&kind=preference")
    expect(page.locator("#announced")).to_have_text("Live: 1 fact on this page")


def test_filter_works_without_scripts(browser: Browser, home: str, memory: dict[str, int]):
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        sign_in(page, home)
        page.goto(f"{home}/people/maya/")

        page.get_by_label("Kind").select_option("preference")
        page.get_by_role("button", name="Filter").click()

        expect(page.get_by_role("article")).to_have_count(1)


def test_failed_request_is_told(context: BrowserContext, home: str, memory: dict[str, int]):
    page = context.new_page()
    sign_in(page, home)
    context.route("**/people/?q=*", lambda route: route.fulfill(status=500, body=""))

    page.wait_for_load_state()  # until then nothing listens
    page.get_by_label("Name").fill("maya")

    expect(page.get_by_role("alert")).to_have_text("That did not work. Reload the page and try again.")


def test_hostile_content_runs_nothing_and_asks_nobody(context: BrowserContext, home: str, memory: dict[str, int]):
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    sign_in(page, home)
    ran = {}

    for path in PATHS:
        page.goto(home + path.format(**memory), wait_until="networkidle")
        ran[path] = page.evaluate("window.ran")

    assert set(ran.values()) == {None}
    assert [url for url in asked if not url.startswith(f"{home}/")] == []


def test_pages_fit_a_narrow_window(context: BrowserContext, home: str, memory: dict[str, int]):
    page = context.new_page()
    sign_in(page, home)

    found = {path: too_wide(page, home + path.format(**memory)) for path in PATHS}

    assert {path: widths for path, widths in found.items() if widths} == {}


def test_pages_have_no_barrier_that_axe_knows(context: BrowserContext, home: str, memory: dict[str, int]):
    page = context.new_page()
    found = {"/login/": barriers(page, f"{home}/login/")}
    sign_in(page, home)

    for path in PATHS:
        found[path] = barriers(page, home + path.format(**memory))

    assert {path: violations for path, violations in found.items() if violations} == {}


def test_axe_finds_a_barrier_where_there_is_one(context: BrowserContext):
    page = context.new_page()

    page.set_content("<html><body><main><img src='data:,'></main></body></html>")

    assert {found.split(":")[0] for found in barriers_here(page)} >= {"light image-alt", "dark html-has-lang"}
