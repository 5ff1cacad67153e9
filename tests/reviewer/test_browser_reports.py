"""The reports in a real browser: for assistive technology, in narrow windows, without scripts, on paper."""

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from memory import scope
from memory.models import Decided
from memory.review import building, reports
from tests import factories, labelled
from tests.factories import WHEN
from tests.labelled import CORRECT, INCORRECT
from tests.reviewer.looking import SCHEMES, barriers, too_wide
from tests.reviewer.test_browser import context, home, sign_in

__all__ = ["context", "home"]  # fixtures

PATHS = [
    "/reports/",
    "/reports/contradictions/",
    "/reports/reviewers/",
    "/reports/gate/",
    "/reports/decisions/",
    "/reports/cost/",
    "/health/",
]


@pytest.fixture
def built(home: str) -> None:
    """A report of every kind with something in every table and every picture."""
    both = [factories.make_login(access, name, display_name=name) for access, name in _STAFF]
    user = factories.make_login(external_id="maya", display_name="Maya")
    labelled.closed_sample(*[CORRECT] * 27, *[INCORRECT] * 3)
    sample = labelled.closed_sample(*[CORRECT] * 12, *[INCORRECT] * 3)
    labelled.add_items(sample, *[CORRECT] * 9, kind="goal", confidence=0.5, source="tool:x", predicate="x" * 60)
    fact = factories.make_fact(user, "Lives in Oslo.")
    labelled.add_items(sample, (CORRECT, INCORRECT), (CORRECT, CORRECT), user=user, fact_id=None, by=both)
    audit = labelled.make_sample(subject="resolutions", size=9, strata={"": [90, 9]})
    labelled.add_items(audit, *[CORRECT] * 9, outcome="update")
    settled = {"settled_by": "member", "settled_at": WHEN, "opened_at": WHEN, "winner": fact}
    factories.make_conflict(user, fact, factories.make_fact(user, "In Bergen."), **settled)
    building.build(reports.PRECISION, str(sample.pk))
    factories.make_refusal(user, "Maybe I like tea.")
    factories.make_call(user, model="m", prompt_version="p-1")
    with scope.user(user.pk):
        Decided.objects.create(user=user, dimension="tone", value="dry", without="", because=[fact.pk], actor="x")
    for kind in (
        *(reports.COURSE, reports.CONTRADICTIONS, reports.REVIEWERS),
        *(reports.GATE, reports.DECISIONS, reports.COST, reports.HEALTH),
    ):
        building.build(kind)


_STAFF = [("reviewer", "rita"), ("admin", "ada")]


def test_reports_have_no_barrier_that_axe_knows(context: BrowserContext, home: str, built: None):
    page = context.new_page()
    sign_in(page, home)

    found = {path: barriers(page, home + path) for path in PATHS}

    assert {path: violations for path, violations in found.items() if violations} == {}


def test_reports_fit_a_narrow_window(context: BrowserContext, home: str, built: None):
    page = context.new_page()
    sign_in(page, home)

    found = {path: too_wide(page, home + path) for path in PATHS}

    assert {path: widths for path, widths in found.items() if widths} == {}


def test_pictures_are_shown_in_the_colours_of_the_page(context: BrowserContext, home: str, built: None):
    page = context.new_page()
    sign_in(page, home)
    shown = {}

    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{home}/reports/", wait_until="networkidle")
        shown[scheme] = page.evaluate(
            "[...document.images].map((image) => [image.naturalWidth > 0, image.currentSrc.includes('dark')])"
        )

    assert len(shown["light"]) > 3
    assert {scheme: {tuple(each) for each in images} for scheme, images in shown.items()} == {
        "light": {(True, False)},
        "dark": {(True, True)},
    }


def test_page_fills_by_itself_once_the_report_is_built(context: BrowserContext, home: str, built: None):
    sample = labelled.closed_sample(*[CORRECT] * 30)
    page = context.new_page()
    sign_in(page, home)
    page.goto(f"{home}/reports/?sample={sample.pk}")
    expect(page.get_by_text("The report is being built.")).to_be_visible()

    building.build(reports.PRECISION, str(sample.pk))

    expect(page.locator(".headline")).to_contain_text("All 30 sampled facts were right.")


def test_another_sample_is_shown_without_scripts(browser: Browser, home: str, built: None):
    sample = labelled.closed_sample(*[CORRECT] * 30, is_random=False, name="Chosen")
    building.build(reports.PRECISION, str(sample.pk))
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        sign_in(page, home)
        page.goto(f"{home}/reports/")

        page.get_by_label("Sample", exact=True).select_option(str(sample.pk))
        page.get_by_role("button", name="Show").click()

        expect(page.locator(".headline")).to_contain_text("drawn by risk and not by chance")


def test_paper_has_the_report_and_no_controls(context: BrowserContext, home: str, built: None):
    page = context.new_page()
    page.emulate_media(media="print", color_scheme="dark")
    sign_in(page, home)

    page.goto(f"{home}/reports/", wait_until="networkidle")

    assert [
        page.locator(each).is_visible() for each in (".headline", ".multiples", ".site", ".choose", ".foot .acts")
    ] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert page.evaluate("[...document.images].some((image) => image.currentSrc.includes('dark'))") is False
