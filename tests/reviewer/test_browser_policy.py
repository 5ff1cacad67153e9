"""The pages of the policy in a real browser: for assistive technology, in narrow windows, without scripts."""

from datetime import timedelta

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from memory import policies, scope
from memory.review import building, previewing, reports
from tests import factories, labelled
from tests.factories import WHEN
from tests.labelled import CORRECT, INCORRECT
from tests.memory.review.quarrels import tell
from tests.reviewer.looking import barriers, too_wide
from tests.reviewer.test_browser import context, home, sign_in

__all__ = ["context", "home"]  # fixtures


@pytest.fixture
def paths(home: str) -> list[str]:
    """The pages with something in every part of them."""
    factories.make_login("admin", "rita", display_name="Rita")
    user = factories.make_login(external_id="maya", display_name="Maya")
    for number, city in enumerate(["Oslo", "Bergen", "Turku"]):
        tell(user, city, at=WHEN + timedelta(days=9 * number))
    sample = labelled.closed_sample()
    labelled.add_items(sample, *[CORRECT] * 80, confidence=0.9)
    labelled.add_items(sample, *[INCORRECT] * 30, confidence=0.4)
    examples = [{"text": "I live in Oslo.", "is_kept": True}, {"text": "I like tea.", "is_kept": False}]
    with scope.staff():
        policies.change({"examples": examples, "markers.hedged.en": ["so to speak"]}, note="ours")
        about = previewing.ask(policies.propose({"cardinality.lives_in": "many", "min_confidence": 0.5})).about
    building.build(reports.CURVE)
    building.build(reports.PREVIEW, about)
    return ["/policy/?try=1", f"/policy/preview/{about}/", "/policy/versions/1/"]


def test_policy_has_no_barrier_that_axe_knows(context: BrowserContext, home: str, paths: list[str]):
    page = context.new_page()
    sign_in(page, home)

    found = {path: barriers(page, home + path) for path in paths}

    assert {path: violations for path, violations in found.items() if violations} == {}


def test_policy_fits_a_narrow_window(context: BrowserContext, home: str, paths: list[str]):
    page = context.new_page()
    sign_in(page, home)

    found = {path: too_wide(page, home + path) for path in paths}

    assert {path: widths for path, widths in found.items() if widths} == {}


def test_policy_is_previewed_and_applied_without_scripts(browser: Browser, home: str, paths: list[str]):
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        sign_in(page, home)
        page.goto(f"{home}/policy/")
        page.get_by_label("Most facts a person").fill("7")
        page.get_by_role("button", name="Preview", exact=True).click()
        _build(page)
        page.get_by_label("Why, for whoever").fill("Fewer is better.")

        page.get_by_role("button", name="Apply").click()

        expect(page.get_by_text("Version 2 is in force.").first).to_be_visible()
        expect(page.get_by_text("Fewer is better.")).to_be_visible()


def _build(page: Page) -> None:
    """As a worker would, while the page waits."""
    building.build(reports.PREVIEW, page.url.rstrip("/").rpartition("/")[2])
    page.reload()
