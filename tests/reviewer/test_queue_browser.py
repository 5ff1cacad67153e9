"""The queue in a real browser: by keyboard, by thumb, without scripts, on a bad line, after a sign-in ran out."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from memory import scope
from memory.models import Label, Remark, Sample, User
from memory.review import sampling
from memory.review.sampling import Plan
from memory.types import SampleSubject
from tests import factories
from tests.reviewer.looking import barriers, barriers_here, too_wide

PAYLOAD = (
    "<img src='//evil.example/i.png' onerror='window.ran=1'><script>window.ran=1</script>![x](//evil.example/m.png)"
)
GUIDE = f"# How to judge\n\nRead the *whole* turn. {PAYLOAD} [more](http://evil.example/)"


@pytest.fixture
def home(live_server: Any) -> str:
    return str(live_server.url)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context() as context:
        context.set_default_timeout(30_000)
        yield context


@pytest.fixture
def rita(home: str) -> User:
    return factories.make_login("admin", "rita", display_name="Rita")


@pytest.fixture
def maya(home: str) -> User:
    return factories.make_login(external_id="maya", display_name="Maya Okafor")


@pytest.fixture
def draw(rita: User, maya: User) -> Callable[..., Sample]:
    """A sample of facts that the engine believes, each with words of its own."""

    def make(count: int, **plan: Any) -> Sample:
        for n in range(count):
            factories.make_believed(maya, f"I collect stamps of kind {n}", "collects", f"stamps {n}")
        return sampling.draw(Plan("Weekly", count, **plan), by=rita)

    return make


def sign_in(page: Page, home: str, path: str) -> None:
    page.goto(f"{home}{path}")
    page.get_by_label("Name").fill("rita")
    page.get_by_label("Password").fill("open sesame")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(f"{home}{path}")


def verdicts() -> list[str]:
    with scope.staff():
        return list(Label.objects.standing().order_by("pk").values_list("verdict", flat=True))


def figure(page: Page, text: str) -> None:
    expect(page.locator("#item .figure")).to_have_text(text)


def test_reviewer_labels_thirty_facts_from_the_keyboard(
    context: BrowserContext, home: str, draw: Callable[..., Sample]
):
    sample = draw(30)
    page = context.new_page()
    sign_in(page, home, f"/review/{sample.pk}/")
    pressed = ["1", "2", "3", "0", "1"] * 6

    for n, key in enumerate(pressed, start=1):
        page.keyboard.press(key)
        figure(page, f"{n} of 30")

    expect(page.get_by_role("heading", name="Done. Every item has its answer.")).to_be_visible()
    names = {"1": "correct", "2": "incorrect", "3": "stale", "0": "cant_tell"}
    assert verdicts() == [names[key] for key in pressed]


def test_typing_in_the_note_triggers_nothing(context: BrowserContext, home: str, draw: Callable[..., Sample]):
    sample = draw(2)
    page = context.new_page()
    sign_in(page, home, f"/review/{sample.pk}/")

    page.keyboard.press("n")
    page.keyboard.type("i s u 1 2 3 0 ? e")

    expect(page.get_by_label("Note", exact=True)).to_have_value("i s u 1 2 3 0 ? e")
    figure(page, "0 of 2")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    figure(page, "1 of 2")
    expect(page.get_by_label("Note", exact=True)).to_have_value("")
    with scope.staff():
        assert [remark.note for remark in Remark.objects.all()] == ["i s u 1 2 3 0 ? e"]


def test_suggestion_begins_with_the_claim(context: BrowserContext, home: str, draw: Callable[..., Sample]):
    sample = draw(1)
    page = context.new_page()
    sign_in(page, home, f"/review/{sample.pk}/")

    page.keyboard.press("e")

    expect(page.get_by_label("How the claim should read")).to_have_value("I collect stamps of kind 0")
    expect(page.get_by_label("How the claim should read")).to_be_focused()


def test_expired_sign_in_keeps_the_note(context: BrowserContext, home: str, draw: Callable[..., Sample]):
    sample = draw(2)
    page = context.new_page()
    sign_in(page, home, f"/review/{sample.pk}/")
    page.keyboard.press("n")
    page.keyboard.type("not what she said")
    Session.objects.all().delete()

    page.get_by_role("button", name="Incorrect").click()
    page.wait_for_url(re.compile("/login/"))
    page.get_by_label("Name").fill("rita")
    page.get_by_label("Password").fill("open sesame")
    page.get_by_role("button", name="Sign in", exact=True).click()

    page.wait_for_url(f"{home}/review/{sample.pk}/")
    expect(page.get_by_label("Note", exact=True)).to_have_value("not what she said")
    assert verdicts() == []


def test_undo_brings_the_item_back_and_the_label_away(context: BrowserContext, home: str, draw: Callable[..., Sample]):
    sample = draw(3)
    page = context.new_page()
    sign_in(page, home, f"/review/{sample.pk}/")
    first = page.locator("#sentence").inner_text()
    page.keyboard.press("2")
    figure(page, "1 of 3")

    page.keyboard.press("u")

    figure(page, "0 of 3")
    expect(page.locator("#sentence")).to_have_text(first)
    expect(page.locator("#saved")).to_have_text("Taken back. It is before you again.")
    assert verdicts() == []


def test_undo_while_an_answer_is_on_its_way_takes_back_that_answer(
    context: BrowserContext, home: str, draw: Callable[..., Sample]
):
    sample = draw(3)
    page = context.new_page()
    sign_in(page, home, f"/review/{sample.pk}/")
    first = page.locator("#sentence").inner_text()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/label/", hold)

    page.keyboard.press("2")
    expect(page.locator("#saved")).to_have_text("Saving…")
    page.keyboard.press("u")
    expect(page.locator("#saved")).to_have_text("Saving, then undoing…")
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()

    expect(page.locator("#saved")).to_have_text("Taken back. It is before you again.")
    expect(page.locator("#sentence")).to_have_text(first)
    assert verdicts() == []


def test_double_click_is_one_label(context: BrowserContext, home: str, draw: Callable[..., Sample]):
    sample = draw(3)
    page = context.new_page()
    sign_in(page, home, f"/review/{sample.pk}/")

    page.get_by_role("button", name=re.compile("Correct$")).dblclick()

    figure(page, "1 of 3")
    assert verdicts() == ["correct"]


def test_two_clicks_on_undo_take_back_one_label(context: BrowserContext, home: str, draw: Callable[..., Sample]):
    sample = draw(3)
    page = context.new_page()
    sign_in(page, home, f"/review/{sample.pk}/")
    for done in ("1 of 3", "2 of 3"):
        page.keyboard.press("1")
        figure(page, done)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/undo/**", hold)

    page.get_by_role("button", name=re.compile("Undo$")).dblclick()
    expect(page.locator("#saved")).to_have_text("Saving…")
    held[0].continue_()

    expect(page.locator("#saved")).to_have_text("Taken back. It is before you again.")
    page.wait_for_load_state("networkidle")
    assert (len(held), verdicts()) == (1, ["correct"])


def test_held_key_is_one_label(context: BrowserContext, home: str, draw: Callable[..., Sample]):
    sample = draw(3)
    page = context.new_page()
    sign_in(page, home, f"/review/{sample.pk}/")

    for _ in range(4):
        page.keyboard.down("1")  # the second and later ones repeat
    figure(page, "1 of 3")
    page.keyboard.up("1")

    assert verdicts() == ["correct"]


def test_lost_connection_is_told_and_the_answer_saved_once_it_is_back(
    context: BrowserContext, home: str, draw: Callable[..., Sample]
):
    sample = draw(2)
    page = context.new_page()
    sign_in(page, home, f"/review/{sample.pk}/")

    context.set_offline(True)
    page.keyboard.press("1")
    expect(page.locator("#saved")).to_contain_text("No connection")
    during = verdicts()
    context.set_offline(False)

    figure(page, "1 of 2")
    expect(page.locator("#saved")).to_have_text("Saved: Correct.")
    assert (during, verdicts()) == ([], ["correct"])


def test_answer_that_was_saved_but_not_heard_of_is_saved_once(
    context: BrowserContext, home: str, draw: Callable[..., Sample]
):
    sample = draw(2)
    page = context.new_page()
    sign_in(page, home, f"/review/{sample.pk}/")

    sent: list[str] = []

    def lose_the_first_answer(route: Route) -> None:
        sent.append(route.request.url)
        if len(sent) > 1:
            route.continue_()
        else:
            route.fetch()
            route.abort()

    page.route("**/label/", lose_the_first_answer)
    page.keyboard.press("1")
    expect(page.locator("#saved")).to_contain_text("Not saved.")
    page.get_by_role("button", name="Try again").click()

    figure(page, "1 of 2")
    assert verdicts() == ["correct"]


def test_stale_tab_is_told_what_stands(context: BrowserContext, home: str, draw: Callable[..., Sample]):
    sample = draw(2)
    page, other = context.new_page(), context.new_page()
    sign_in(page, home, f"/review/{sample.pk}/")
    other.goto(f"{home}/review/{sample.pk}/")
    page.keyboard.press("1")
    figure(page, "1 of 2")

    other.keyboard.press("2")

    expect(other.locator("#saved")).to_have_text("You had labelled that one before, as Correct. Nothing was changed.")
    assert verdicts() == ["correct"]


def test_back_shows_what_is_so_now(context: BrowserContext, home: str, draw: Callable[..., Sample]):
    sample = draw(2)
    page = context.new_page()
    sign_in(page, home, f"/review/{sample.pk}/")
    page.keyboard.press("1")
    figure(page, "1 of 2")

    page.goto(f"{home}/samples/")
    page.go_back()

    figure(page, "1 of 2")
    assert verdicts() == ["correct"]


def test_key_can_be_changed_and_stays_changed(context: BrowserContext, home: str, draw: Callable[..., Sample]):
    sample = draw(2)
    page = context.new_page()
    sign_in(page, home, f"/review/{sample.pk}/")

    page.keyboard.press("?")
    page.get_by_role("dialog").get_by_label("Correct", exact=True).fill("j")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Close", exact=True).click()
    page.reload()
    page.keyboard.press("1")
    page.keyboard.press("j")

    figure(page, "1 of 2")
    assert verdicts() == ["correct"]


def test_key_that_is_taken_is_not_given_twice(context: BrowserContext, home: str, draw: Callable[..., Sample]):
    sample = draw(1)
    page = context.new_page()
    sign_in(page, home, f"/review/{sample.pk}/")

    page.keyboard.press("?")
    page.get_by_role("dialog").get_by_label("Correct", exact=True).fill("2")
    page.keyboard.press("Tab")

    expect(page.locator("#key-taken")).to_have_text("That key is taken.")
    expect(page.get_by_role("dialog").get_by_label("Correct", exact=True)).to_have_value("1")


def test_turns_around_are_one_key_away(context: BrowserContext, home: str, rita: User, maya: User):
    episode = factories.make_episode(maya, "Hello there.", "I live in Oslo.", "It rains.")
    fact = factories.make_fact(maya, "I live in Oslo.", episode=factories.make_episode(maya, "x"))
    factories.add_evidence(fact, episode, "I live in Oslo.", turn=2)
    sample = sampling.draw(Plan("Weekly", 1), by=rita)
    page = context.new_page()
    sign_in(page, home, f"/review/{sample.pk}/")
    expect(page.get_by_text("Hello there.")).to_be_hidden()

    page.keyboard.press("c")

    expect(page.get_by_text("Hello there.")).to_be_visible()
    expect(page.locator("mark").last).to_have_text("I live in Oslo.")


def test_queue_works_without_scripts(browser: Browser, home: str, draw: Callable[..., Sample]):
    sample = draw(2)
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        sign_in(page, home, f"/review/{sample.pk}/")

        page.get_by_role("button", name=re.compile("Stale$")).click()
        page.get_by_role("button", name=re.compile("Skip$")).click()
        figure(page, "1 of 2")
        page.get_by_role("button", name=re.compile("Undo$")).click()

        figure(page, "0 of 2")
    assert verdicts() == []


def test_ten_facts_are_drawn_labelled_and_closed_from_an_empty_desk(
    context: BrowserContext, home: str, rita: User, maya: User
):
    for n in range(12):
        factories.make_believed(maya, f"I collect stamps of kind {n}", "collects", f"stamps {n}")
    page = context.new_page()
    sign_in(page, home, "/review/")

    page.get_by_role("link", name="Draw ten facts").click()
    expect(page.locator("#population")).to_have_text("12 to draw from")
    page.get_by_role("button", name="Draw it").click()
    page.get_by_role("link", name="Label", exact=True).click()
    page.wait_for_url(re.compile(r"/review/\d+/$"))
    for n in range(1, 11):
        page.keyboard.press("1")
        figure(page, f"{n} of 10")
    page.get_by_role("button", name="Close the sample").click()

    expect(page.locator("table.items tbody tr")).to_have_count(10)
    assert verdicts() == ["correct"] * 10


def test_population_is_counted_anew_as_the_form_changes(context: BrowserContext, home: str, rita: User, maya: User):
    factories.make_fact(maya)
    factories.make_fact(maya, kind="goal")
    page = context.new_page()
    sign_in(page, home, "/samples/new/")
    expect(page.locator("#population")).to_have_text("2 to draw from")

    page.get_by_text("Only some of them").click()
    page.get_by_label("Kind").select_option("goal")

    expect(page.locator("#population")).to_have_text("1 to draw from")


@pytest.fixture
def hostile(rita: User, maya: User) -> list[str]:
    """Every page of samples and the queue, each with something on it that would run if it could."""
    episode = factories.make_episode(maya, PAYLOAD, f"I say {PAYLOAD} now.", PAYLOAD)
    fact = factories.make_fact(maya, f"I say {PAYLOAD} now.", object=PAYLOAD, predicate="says", subject=PAYLOAD)
    factories.add_evidence(fact, episode, PAYLOAD, turn=2)
    factories.make_refusal(maya, f"Maybe {PAYLOAD}", detail=PAYLOAD)
    plans = [
        Plan(f"Facts {PAYLOAD}", 1, guidelines=GUIDE, stratify_by="predicate"),
        Plan(f"Refusals {PAYLOAD}", 1, subject=SampleSubject.REFUSALS),
        Plan(f"Closed {PAYLOAD}", 1),
    ]
    facts, refusals, closed = (sampling.draw(plan, by=rita).pk for plan in plans)
    sampling.close(closed)
    pages = ["/review/", "/samples/", "/samples/new/", f"/samples/{facts}/", f"/samples/{closed}/"]
    return [*pages, f"/review/{facts}/", f"/review/{refusals}/", f"/review/{closed}/", "/samples/?state=closed"]


def test_hostile_content_runs_nothing_and_asks_nobody(context: BrowserContext, home: str, hostile: list[str]):
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    sign_in(page, home, hostile[0])
    ran = {}

    for path in hostile:
        page.goto(f"{home}{path}", wait_until="networkidle")
        ran[path] = page.evaluate("window.ran")

    assert set(ran.values()) == {None}
    assert [url for url in asked if not url.startswith(f"{home}/")] == []


def test_pages_fit_a_narrow_window(context: BrowserContext, home: str, hostile: list[str]):
    page = context.new_page()
    sign_in(page, home, hostile[0])

    found = {path: too_wide(page, f"{home}{path}") for path in hostile}

    assert {path: widths for path, widths in found.items() if widths} == {}


def test_pages_have_no_barrier_that_axe_knows(context: BrowserContext, home: str, hostile: list[str]):
    page = context.new_page()
    sign_in(page, home, hostile[0])
    found = {}

    for path in hostile:
        found[path] = barriers(page, f"{home}{path}")
    page.goto(f"{home}{hostile[5]}")
    page.keyboard.press("?")
    found["keys"] = barriers_here(page)

    assert {path: violations for path, violations in found.items() if violations} == {}
