"""Facts, names, leaving and going places in a real browser: by keyboard, with hostile content, without scripts."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from memory import scope
from memory.models import Alias, Decided, Derivation, Fact, Recalled, SavedView, Transfer, User
from memory.review import retiring
from tests import factories
from tests.factories import WHEN
from tests.reviewer.looking import barriers, barriers_here
from tests.reviewer.test_browser import PAYLOAD, press_through_to, sign_in

LONG = "أسكن في أوسلو \N{RIGHT-TO-LEFT OVERRIDE}" + "x" * 5_000
PATHS = [
    "/palette/",
    "/palette/?q=say",
    "/facts/",
    "/facts/?q=nothing+like+it",
    "/facts/?status=all&sureness=firm&flag=pinned",
    "/facts/retire/?fact={old}&fact={new}&fact={retired}",
    "/facts/retire/",
    "/people/maya/",
    "/people/maya/facts/{old}/",
    "/people/maya/facts/{new}/",
    "/people/maya/facts/{retired}/",
    "/people/maya/facts/{new}/edit/",
    "/people/maya/facts/{new}/erase/",
    "/people/maya/names/",
    "/people/maya/leaving/",
    "/people/maya/leaving/subject/?subject=Katherine",
    "/people/maya/leaving/subject/?subject=nobody",
    "/people/maya/leaving/everything/",
    "/jobs/",
]


@pytest.fixture
def home(live_server: Any) -> str:
    return str(live_server.url)


@pytest.fixture
def admin(home: str) -> User:
    return factories.make_login("admin", "ada", display_name="Ada")


@pytest.fixture
def memory(admin: User) -> dict[str, int]:
    """Something on every page, all of it hostile; ids for the addresses."""
    user = factories.make_login(external_id="maya", display_name=f"Maya {PAYLOAD}"[:200])
    episode = factories.make_episode(user, f"I say {PAYLOAD} now.", session=PAYLOAD, state="failed", error=PAYLOAD)
    new = factories.make_believed(user, f"Says {PAYLOAD}", "says", PAYLOAD)
    factories.add_evidence(new, episode, PAYLOAD)
    old = factories.make_fact(
        user, LONG, predicate="told", status="superseded", superseded_by=new, status_reason=PAYLOAD, is_unjudged=True
    )
    retired = factories.make_believed(user, f"Works at {PAYLOAD}", "works_at", PAYLOAD)
    retiring.retire([retired.pk], actor=admin, note=PAYLOAD)
    _name(user, new)
    with scope.user(user.pk):
        Fact.objects.filter(pk=new.pk).update(is_pinned=True)
        Derivation.objects.create(user=user, fact=new, base=retired)
        Recalled.objects.create(user=user, facts=[new.pk], actor=PAYLOAD[:50])
        Decided.objects.create(
            user=user, dimension="tone", value=PAYLOAD[:50], without="x", because=[new.pk], actor="key"
        )
        Transfer.objects.create(
            user=user, kind="import", state="running", name=PAYLOAD, done=1, total=3, error=PAYLOAD, expires_at=WHEN
        )
    with scope.staff():
        SavedView.objects.create(holder=admin, name=PAYLOAD[:100], page="facts", query="status=all")
    return {"old": old.pk, "new": new.pk, "retired": retired.pk}


def _name(user: User, fact: Fact) -> None:
    """Two names that may be one, one of them with an alias; and a conflict."""
    katherine = factories.make_entity(user, "Katherine", PAYLOAD)
    kate = factories.make_entity(user, "Kate")
    one = factories.make_fact(user, f"Tea {PAYLOAD}", entity=katherine, source=f"tool:{PAYLOAD}")
    other = factories.make_fact(user, f"Coffee {PAYLOAD}", entity=kate, kind="preference")
    factories.make_conflict(user, one, other, why=PAYLOAD)
    with scope.user(user.pk):
        Alias.objects.create(user=user, entity=katherine, alias=PAYLOAD, alias_key=PAYLOAD.lower())


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context() as context:
        context.set_default_timeout(30_000)
        yield context


@pytest.fixture
def page(context: BrowserContext, home: str, memory: dict[str, int]) -> Page:
    page = context.new_page()
    sign_in(page, home, "ada")
    expect(page.get_by_role("heading", level=1)).to_have_text("People")
    return page


def test_hostile_content_runs_nothing_and_asks_nobody(page: Page, home: str, memory: dict[str, int]):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    ran = {}

    for path in PATHS:
        page.goto(home + path.format(**memory), wait_until="networkidle")
        ran[path] = page.evaluate("window.ran")

    assert set(ran.values()) == {None}
    assert [url for url in asked if not url.startswith(f"{home}/")] == []


@pytest.mark.parametrize("width", [320, 720, 1440])
def test_pages_fit_their_window(width: int, page: Page, home: str, memory: dict[str, int]):
    page.set_viewport_size({"width": width, "height": 800})
    widths = {}

    for path in PATHS:
        page.goto(home + path.format(**memory))
        widths[path] = page.evaluate("document.documentElement.scrollWidth")

    assert {path: found for path, found in widths.items() if found > width} == {}


def test_pages_have_no_barrier_that_axe_knows(page: Page, home: str, memory: dict[str, int]):
    found = {path: barriers(page, home + path.format(**memory)) for path in PATHS}

    assert {path: violations for path, violations in found.items() if violations} == {}


def test_box_that_goes_places_has_no_barrier(page: Page, home: str):
    page.keyboard.press("Control+k")
    expect(page.locator("#jump-found li")).not_to_have_count(0)

    assert barriers_here(page) == []


def test_keyboard_goes_to_a_fact_by_its_words(page: Page, home: str, memory: dict[str, int]):
    page.keyboard.press("Control+k")
    page.keyboard.type("coffee")
    expect(page.locator("#jump-found li")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    with page.expect_navigation():
        page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Lineage")).to_be_visible()


def test_arrows_walk_around_and_escape_leaves(page: Page, home: str):
    page.keyboard.press("Control+k")
    expect(page.locator("#jump-found li")).not_to_have_count(0)

    page.keyboard.press("ArrowUp")
    last = page.evaluate("document.activeElement === [...document.querySelectorAll('#jump-found a')].at(-1)")
    page.keyboard.press("ArrowDown")
    first = page.evaluate("document.activeElement.id")
    page.keyboard.press("Escape")

    assert (last, first) == (True, "jump-q")
    expect(page.locator("#jump")).to_be_hidden()


def test_pages_behind_the_menu_are_reached_in_a_narrow_window(page: Page, home: str):
    page.set_viewport_size({"width": 390, "height": 800})
    page.get_by_role("button", name="Menu").focus()

    page.keyboard.press("Enter")
    press_through_to(page, "Facts")

    expect(page).to_have_url(f"{home}/facts/")


def test_search_swaps_the_list_and_tells_how_many(page: Page, home: str):
    page.goto(f"{home}/facts/")

    page.get_by_label("Words", exact=True).fill("coffee")

    expect(page.locator(".rows > li")).to_have_count(1)
    expect(page.locator("#announced")).to_have_text("1 fact")
    expect(page).to_have_url(
        f"{home}/facts/?q=coffee&person=&status=live&kind=&sureness=&age=&source=&basis=&predicate=&language=&flag="
    )


def test_pinning_tells_what_was_done_and_keeps_the_focus(page: Page, home: str, memory: dict[str, int]):
    page.goto(f"{home}/people/maya/facts/{memory['new']}/")

    page.get_by_role("button", name="Unpin").focus()
    page.keyboard.press("Enter")

    expect(page.locator(".toast")).to_contain_text("Not pinned any more.")
    expect(page.get_by_role("button", name="Pin", exact=True)).to_be_focused()


def test_counts_agree_after_retiring_by_htmx(page: Page, home: str, memory: dict[str, int]):
    page.goto(f"{home}/people/maya/facts/{memory['new']}/")
    page.get_by_text("Retire…").click()
    page.get_by_label("Why was it never true?").fill("wrong")
    page.get_by_role("button", name="Retire", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("Retired.")
    shown = page.locator(".tabs a").first.text_content()

    page.goto(f"{home}/people/maya/")

    assert page.locator(".tabs a").first.text_content() == shown
    expect(page.locator(".chips [aria-current] .count")).to_have_text(str(shown).split()[-1])


def test_facts_are_retired_and_brought_back_without_scripts(browser: Browser, home: str, memory: dict[str, int]):
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        sign_in(page, home, "ada")
        page.goto(f"{home}/facts/?status=all")

        page.locator(f"#pick-{memory['new']}").check()
        page.get_by_role("button", name="Retire the chosen…").click()
        page.get_by_label("Why").fill("wrong")
        page.get_by_role("button", name="Retire 1 fact").click()
        expect(page.locator(".notice.success")).to_have_text("1 fact is retired.")
        page.get_by_role("button", name="Undo what I retired of these").click()

        expect(page.locator(".notice.success")).to_have_text("1 fact is back.")


TITLES = {"Edit": "A new version", "Erase…": "Erase for good"}


@pytest.mark.parametrize("link", TITLES)
def test_link_opens_a_dialog_without_barriers(link: str, page: Page, home: str, memory: dict[str, int]):
    page.goto(f"{home}/people/maya/facts/{memory['new']}/")

    page.get_by_role("link", name=link).click()

    expect(page.get_by_role("dialog", name=TITLES[link])).to_be_visible()
    assert barriers_here(page) == []


def test_dialog_is_left_without_a_trace(page: Page, home: str, memory: dict[str, int]):
    address = f"{home}/people/maya/facts/{memory['new']}/"
    page.goto(address)

    page.get_by_role("link", name="Erase…").click()
    page.get_by_role("link", name="Cancel").click()

    expect(page.locator("#dialog")).to_be_hidden()
    expect(page).to_have_url(address)


def test_fact_is_edited_in_its_dialog(page: Page, home: str, memory: dict[str, int]):
    page.goto(f"{home}/people/maya/facts/{memory['new']}/")
    page.get_by_role("link", name="Edit").click()

    page.get_by_label("Sentence").fill("Says hello")
    page.get_by_label("Value of “says”").fill("hello")
    page.get_by_role("button", name="Save as new version").click()

    expect(page.locator(".notice.success")).to_have_text("This is the new version. The old one is retired.")
    expect(page.locator(".alone .sentence")).to_have_text("Says hello")
