"""What is wrong with a page for those who look at it: barriers that axe knows, and what does not fit."""

from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTHS = (320, 390, 720)


def barriers(page: Page, address: str) -> list[str]:
    """What axe has against a page with all its details open, light and dark."""
    page.goto(address)
    open_all(page)
    return barriers_here(page)


def barriers_here(page: Page) -> list[str]:
    """What axe has against what is shown, light and dark."""
    found = []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        violations = Axe().run(page, options=RULES).response["violations"]
        found += [f"{scheme} {rule['id']}: {node['html'][:200]}" for rule in violations for node in rule["nodes"]]
    return found


def too_wide(page: Page, address: str) -> list[int]:
    """The narrow windows that a page with all its details open does not fit."""
    page.goto(address)
    open_all(page)
    return [width for width in WIDTHS if _width(page, width) > width]


def open_all(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")


def _width(page: Page, window: int) -> int:
    page.set_viewport_size({"width": window, "height": 800})
    return int(page.evaluate("document.documentElement.scrollWidth"))
