"""Settling, taking in and auditing in a real browser: by keys, with hostile content, for assistive technology."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from memory import scope
from memory.models import User
from memory.review import settling
from memory.review.settling import Answer, Choice
from tests import factories
from tests.factories import WHEN
from tests.memory.review.quarrels import beliefs, conflict_of, quarrel, refuse, tell
from tests.reviewer.looking import barriers, too_wide
from tests.reviewer.test_browser import PAYLOAD, sign_in

LONG = "أسكن في أوسلو \N{RIGHT-TO-LEFT OVERRIDE}" + "x" * 5_000
PATHS = [
    "/conflicts/",
    "/conflicts/?standing=asked",
    "/people/maya/conflicts/",
    "/people/maya/conflicts/{open}/",
    "/people/maya/conflicts/{asked}/",
    "/people/maya/conflicts/{settled}/",
    "/refused/",
    "/refused/?q=nothing+of+the+kind",
    "/people/maya/refused/{refused}/",
    "/people/maya/refused/{secret}/",
    "/resolutions/",
    "/resolutions/?standing=wrong",
    "/people/maya/resolutions/{claim}/",
]


@pytest.fixture
def home(live_server: Any) -> str:
    return str(live_server.url)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context() as context:
        context.set_default_timeout(30_000)
        yield context


@pytest.fixture
def user(home: str) -> User:
    factories.make_login("reviewer", "rita", display_name="Rita")
    factories.make_login("admin", "ada", display_name="Ada")
    return factories.make_login(external_id="maya", display_name="Maya Okafor")


@pytest.fixture
def memory(user: User) -> dict[str, int]:
    """Something to decide on every page, all of it hostile; ids for the addresses."""
    ids: dict[str, int] = {}
    for name in ("open", "asked", "settled"):
        quarrel(user, f"{name} {PAYLOAD}", LONG, predicate={"open": "lives_in", "asked": "works_at"}.get(name, "diet"))
        ids[name] = conflict_of(user).pk
    with scope.user(user.pk):
        settling.settle(ids["settled"], Answer(Choice.BOTH), by=user, note=PAYLOAD)
    with scope.staff():
        reviewer = User.objects.get(external_id="rita")
        settling.settle(ids["asked"], Answer(Choice.ASK), by=reviewer, note=PAYLOAD)
    ids["refused"] = refuse(user, f"Maybe I like {PAYLOAD}", PAYLOAD, predicate="likes")
    ids["secret"] = factories.make_refusal(user, reason="secret").pk
    tell(user, f"tea {PAYLOAD}", predicate="uses_tool", text=f"Uses tea {PAYLOAD}")
    ids["claim"] = tell(user, LONG, at=WHEN.replace(year=2027), predicate="uses_tool", text=LONG).pk
    return ids


def test_reviewer_settles_and_undoes_from_the_keyboard(context: BrowserContext, home: str, user: User):
    quarrel(user, "Oslo", "Bergen")
    page = context.new_page()
    sign_in(page, home)
    page.goto(f"{home}/people/maya/conflicts/{conflict_of(user).pk}/")

    page.keyboard.press("n")
    page.keyboard.type("1 x 2 b u")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    expect(page.locator(".outcome")).to_contain_text("Settled by Rita")
    settled = beliefs(user)
    note = page.locator(".outcome .note").inner_text()
    page.keyboard.press("u")
    expect(page.get_by_role("button", name="Both true")).to_be_visible()

    assert (settled, note) == ([("Oslo", "superseded", "Bergen"), ("Bergen", "active", None)], "1 x 2 b u")
    assert beliefs(user) == [("Oslo", "conflicted", None), ("Bergen", "conflicted", None)]


def test_reviewer_goes_from_one_conflict_to_the_next_by_keys(context: BrowserContext, home: str, user: User):
    quarrel(user, "Acme", "Foo", predicate="works_at")
    first = conflict_of(user).pk
    quarrel(user, "Oslo", "Bergen")
    page = context.new_page()
    sign_in(page, home)
    page.goto(f"{home}/people/maya/conflicts/{conflict_of(user).pk}/")

    page.keyboard.press("b")
    expect(page.get_by_role("link", name="Next conflict")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{home}/people/maya/conflicts/{first}/")
    page.keyboard.press("x")
    expect(page.get_by_role("link", name="That was the last one")).to_be_focused()
    page.keyboard.press("j")

    expect(page).to_have_url(f"{home}/conflicts/")


@pytest.mark.parametrize(("path", "right"), [("/refused/", "Rightly refused"), ("/resolutions/", "Right")])
def test_reviewer_audits_and_takes_back_without_losing_the_place(  # noqa: PLR0917 - a table of pages
    path: str, right: str, context: BrowserContext, home: str, user: User
):
    refuse(user)
    for n, city in enumerate(("Oslo", "Bergen")):
        tell(user, city, at=WHEN.replace(year=2027 + n))
    page = context.new_page()
    sign_in(page, home)
    page.goto(f"{home}{path}")

    page.get_by_role("button", name=re.compile(rf"^{right}\b")).first.press("Enter")
    expect(page.get_by_role("button", name=re.compile(r"^Undo\b"))).to_be_focused()
    expect(page.locator(".htmx-added, .htmx-settling")).to_have_count(0)  # the browser focuses before htmx listens
    page.keyboard.press("Enter")

    expect(page.get_by_role("button", name=re.compile(rf"^{right}\b")).first).to_be_focused()


def test_reviewer_says_when_each_was_true_by_keys(context: BrowserContext, home: str, user: User):
    quarrel(user, "Oslo", "Bergen")
    page = context.new_page()
    sign_in(page, home)
    page.goto(f"{home}/people/maya/conflicts/{conflict_of(user).pk}/")

    page.keyboard.press("t")
    page.keyboard.type("05312025")
    page.get_by_role("button", name="They followed each other").press("Enter")

    expect(page.locator(".outcome")).to_contain_text("true at different times")
    assert beliefs(user) == [("Oslo", "superseded", "Bergen"), ("Bergen", "active", None)]


def test_tabs_are_counted_anew_after_settling(context: BrowserContext, home: str, user: User):
    quarrel(user, "Oslo", "Bergen")
    page = context.new_page()
    sign_in(page, home)
    page.goto(f"{home}/people/maya/conflicts/{conflict_of(user).pk}/")
    tabs = page.get_by_role("navigation", name="Memory of Maya Okafor")
    expect(tabs).to_contain_text("Conflicts 1")

    page.keyboard.press("x")

    expect(tabs).to_contain_text("Conflicts 0")
    expect(tabs).to_contain_text("Facts 0")


def test_stale_tab_is_told_who_was_quicker(context: BrowserContext, home: str, user: User):
    quarrel(user, "Oslo", "Bergen")
    page = context.new_page()
    sign_in(page, home)
    page.goto(f"{home}/people/maya/conflicts/{conflict_of(user).pk}/")
    with scope.user(user.pk):
        settling.settle(conflict_of(user).pk, Answer(Choice.BOTH), by=user)

    page.keyboard.press("x")

    expect(page.locator(".outcome")).to_contain_text("Settled by Maya Okafor")
    assert beliefs(user) == [("Oslo", "active", None), ("Bergen", "active", None)]


def test_reviewer_takes_in_what_was_refused_by_keys(context: BrowserContext, home: str, user: User):
    candidate = refuse(user)
    page = context.new_page()
    sign_in(page, home)
    page.goto(f"{home}/people/maya/refused/{candidate}/")

    page.keyboard.press("n")
    page.keyboard.type("They mean it: p u n")
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    expect(page.locator(".outcome")).to_contain_text("A reviewer took it in.")
    taken = beliefs(user)
    page.keyboard.press("u")
    expect(page.get_by_role("button", name="Take it in as a fact")).to_be_visible()

    assert (taken, beliefs(user)) == ([("Oslo", "active", None)], [])


def test_reviewer_audits_in_the_list(context: BrowserContext, home: str, user: User):
    tell(user, "Oslo")
    tell(user, "Bergen", at=WHEN.replace(year=2027))
    page = context.new_page()
    sign_in(page, home)
    page.goto(f"{home}/resolutions/")

    page.get_by_role("button", name="Wrong").click()
    expect(page.locator("#standings")).to_contain_text("Found wrong 1")
    wrong = beliefs(user)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#standings")).to_contain_text("Found wrong 0")

    assert [status for _, status, _ in wrong] == ["conflicted", "conflicted"]
    assert [status for _, status, _ in beliefs(user)] == ["superseded", "active"]


def test_settles_without_scripts(browser: Browser, home: str, user: User):
    quarrel(user, "Oslo", "Bergen")
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        sign_in(page, home)
        page.goto(f"{home}/people/maya/conflicts/{conflict_of(user).pk}/")

        page.get_by_role("button", name="Both true").click()
        expect(page.locator(".outcome")).to_contain_text("Settled by Rita")
        page.get_by_role("button", name="Undo").click()

        expect(page.get_by_role("button", name="Both true")).to_be_visible()


def test_hostile_content_runs_nothing_and_asks_nobody(context: BrowserContext, home: str, memory: dict[str, int]):
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    sign_in(page, home, "ada")
    ran = {}

    for path in PATHS:
        page.goto(home + path.format(**memory), wait_until="networkidle")
        ran[path] = page.evaluate("window.ran")

    assert set(ran.values()) == {None}
    assert [url for url in asked if not url.startswith(f"{home}/")] == []


def test_pages_fit_a_narrow_window(context: BrowserContext, home: str, memory: dict[str, int]):
    page = context.new_page()
    sign_in(page, home, "ada")

    found = {path: too_wide(page, home + path.format(**memory)) for path in PATHS}

    assert {path: widths for path, widths in found.items() if widths} == {}


def test_pages_have_no_barrier_that_axe_knows(context: BrowserContext, home: str, memory: dict[str, int]):
    page = context.new_page()
    sign_in(page, home, "ada")

    found = {path: barriers(page, home + path.format(**memory)) for path in PATHS}

    assert {path: violations for path, violations in found.items() if violations} == {}
