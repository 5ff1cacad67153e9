"""Takes screenshots of pages, light and dark, wide and narrow, so that somebody can look at them.

    uv run benchmarks/screenshots.py OUT /people/ /conflicts/          as the reviewer, the demo in a directory of its own
    uv run benchmarks/screenshots.py OUT --as admin                    every page an admin has; `member` for the member's
    uv run benchmarks/screenshots.py OUT "/ > key Control+k"           a page after steps: key KEY, click CSS, follow CSS
    uv run benchmarks/screenshots.py OUT /people/ --keep .data/shots   a demo that is kept, and used again by the next run
    uv run benchmarks/screenshots.py OUT --running SAID.json           a site that runs already, by what `quickstart --json` said

Starts `quickstart` with the demo, waits until it is read, signs in by the form, and writes one file for each page,
colour scheme and width. Prints the files, and what the browser complained of on the way.
"""

import argparse
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
PATIENCE = 180  # seconds until the demo must be read
STAFF = {
    "home": "/",
    "queue": "/review/",
    "queue-item": "/review/ > follow main a[href^='/review/']",
    "queue-context": "/review/ > follow main a[href^='/review/'] > key c",
    "queue-note": "/review/ > follow main a[href^='/review/'] > key n",
    "queue-keys": "/review/ > follow main a[href^='/review/'] > key ?",
    "samples": "/samples/",
    "sample": "/samples/ > follow main a[href^='/samples/']:not([href$='new/'])",
    "sample-new": "/samples/new/",
    "conflicts": "/conflicts/",
    "conflicts-none": "/conflicts/?standing=asked",
    "conflict": "/conflicts/ > follow main a[href*='/conflicts/']",
    "conflict-times": "/conflicts/ > follow main a[href*='/conflicts/'] > click details summary",
    "refused": "/refused/",
    "refusal": "/refused/ > follow main a[href*='/refused/']:not([href*='?'])",
    "resolutions": "/resolutions/",
    "people": "/people/",
    "people-none": "/people/?q=nobody-by-that-name",
    "person": "/people/{member}/",
    "person-all": "/people/{member}/?status=all",
    "person-none": "/people/{member}/?status=superseded&kind=constraint",
    "person-conflicts": "/people/{member}/conflicts/",
    "person-refused": "/people/{member}/refused/",
    "episodes": "/people/{member}/episodes/",
    "episode": "/people/{member}/episodes/ > follow tbody a",
    "names": "/people/{member}/names/",
    "leaving": "/people/{member}/leaving/",
    "facts": "/facts/",
    "facts-found": "/facts/?q=bergen",
    "facts-none": "/facts/?q=zzzz",
    "fact": "/people/{member}/ > follow #facts a[href*='/facts/']",
    "fact-past": "/people/{member}/?status=superseded > follow #facts a[href*='/facts/']",
    "fact-edit": "/people/{member}/ > follow #facts a[href*='/facts/'] > follow a[href$='/edit/']",
    "fact-erase": "/people/{member}/ > follow #facts a[href*='/facts/'] > follow a[href$='/erase/']",
    "fact-erase-dialog": "/people/{member}/ > follow #facts a[href*='/facts/'] > click a[href$='/erase/']",
    "palette": "/people/ > key Control+k",
    "palette-page": "/palette/?q=a",
    "menu": "/people/ > click [popovertarget=menu]",
    "reports": "/reports/",
    "report-contradictions": "/reports/contradictions/",
    "report-reviewers": "/reports/reviewers/",
    "health": "/health/",
    "policy": "/policy/",
    "jobs": "/jobs/",
    "jobs-none": "/jobs/?state=failed",
    "account": "/account/",
    "password": "/account/password/",
    "factor": "/account/second-factor/on/",
    "missing": "/nowhere/",
    "refused-entry": "/logins/",
}
ADMIN = {
    "logins": "/logins/",
    "leaving-everything": "/people/{member}/leaving/everything/",
    "inviting": "/logins/ > click .inviting summary",
    "reads": "/reads/",
    "reads-none": "/reads/?person=nobody-by-that-name",
}
MEMBER = {
    "mine": "/mine/",
    "mine-why": "/mine/ > click main details summary",
    "mine-past": "/mine/past/",
    "mine-questions": "/mine/questions/",
    "mine-conversations": "/mine/conversations/",
    "mine-conversation": "/mine/conversations/ > follow main a[href^='/mine/conversations/']",
    "mine-forget": "/mine/forget/",
    "mine-everything": "/mine/forget/everything/",
    "mine-never": "/mine/never/",
    "mine-along": "/mine/along/",
    "mine-readers": "/mine/readers/",
    "mine-settings": "/mine/settings/",
    "mine-menu": "/mine/ > click [popovertarget=menu]",
    "missing": "/nowhere/",
    "refused-entry": "/people/",
}
PAGES = {"reviewer": STAFF, "admin": ADMIN, "member": MEMBER}
CUT = """() => [...document.querySelectorAll('main *')].filter((each) => each.scrollWidth > each.clientWidth + 1
    && each.clientWidth > 20 && getComputedStyle(each).overflowX !== 'visible'
    && !each.matches('.unseen, pre, input, textarea, select')).map((each) => `${each.tagName}.${each.className}`).slice(0, 5)"""


def main() -> None:
    """Shoots what was asked for."""
    asked = _asked()
    asked.out.mkdir(parents=True, exist_ok=True)
    with _running(asked) as site, _chromium() as browser:
        _await_read(browser, site)
        for scheme in asked.schemes:
            for width in asked.widths:
                _shoot(browser, site, asked, scheme=scheme, width=width)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Take screenshots of pages of the demo.")
    parser.add_argument("out", type=Path, help="the folder to write to")
    parser.add_argument("paths", nargs="*", help="addresses, such as /people/, or names of pages; all unless said")
    parser.add_argument("--as", dest="access", default="reviewer", choices=["admin", "reviewer", "member"])
    parser.add_argument("--schemes", nargs="+", default=["light", "dark"], choices=["light", "dark"])
    parser.add_argument("--widths", nargs="+", type=int, default=[1440, 390])
    parser.add_argument("--keep", type=Path, help="keep the demo's data here, for the next run")
    parser.add_argument("--port", type=int, default=8123)
    parser.add_argument("--running", type=Path, help="what `quickstart --json` printed of a site that runs already")
    return parser.parse_args()


@contextlib.contextmanager
def _running(asked: argparse.Namespace) -> Iterator[Mapping[str, Any]]:
    if asked.running is not None:
        yield json.loads(asked.running.read_text())
        return
    with _directory(asked.keep) as data, _site(data, asked.port) as site:
        yield site


@contextlib.contextmanager
def _directory(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="assay-shots-") as folder:
        yield Path(folder)


@contextlib.contextmanager
def _site(data: Path, port: int) -> Iterator[Mapping[str, Any]]:
    """The demo, served until the block ends: its address and logins."""
    command = [sys.executable, "manage.py", "quickstart", "--json", f"--port={port}"]
    env = {**os.environ, "ASSAY_DATA_DIR": str(data), "ASSAY_EMBEDDING_MODEL": "none"}
    child = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
    try:
        yield _introduction(child)
    finally:
        child.send_signal(signal.SIGINT)
        child.wait(timeout=60)


def _introduction(child: subprocess.Popen[str]) -> Mapping[str, Any]:
    said = ""
    for line in child.stdout or ():
        said += line
        if line.startswith("}"):
            return dict(json.loads(said))
    raise SystemExit("quickstart did not start")


@contextlib.contextmanager
def _chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def _await_read(browser: Browser, site: Mapping[str, Any]) -> None:
    """Until no job waits or runs."""
    page = browser.new_page()
    _sign_in(page, site, "admin")
    deadline = time.monotonic() + PATIENCE
    for state in ("waiting", "running"):
        while page.goto(f"{site['address']}/jobs/?state={state}") and page.locator("article").count():
            if time.monotonic() > deadline:
                raise SystemExit("the demo was not read in time")
            time.sleep(1)
    page.close()


def _sign_in(page: Page, site: Mapping[str, Any], access: str) -> None:
    login = next(login for login in site["logins"] if login["access"] == access)
    page.goto(f"{site['address']}/login/")
    page.locator("input[name=username], input[name=login]").fill(login["name"])
    page.locator("input[name=password]").fill(login["password"])
    page.locator("main button[type=submit]").first.click()
    page.wait_for_load_state()


def _shoot(browser: Browser, site: Mapping[str, Any], asked: argparse.Namespace, *, scheme: Any, width: int) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900 if width > 600 else 844})
    page = context.new_page()
    page.on("console", lambda said: said.type in {"error", "warning"} and print(f"! {page.url}: {said.text}"))
    _sign_in(page, site, asked.access)
    for name in asked.paths or PAGES[asked.access]:
        steps = PAGES[asked.access].get(name, name)
        try:
            found = _go(page, site, steps)
        except Error as error:
            print(f"! {name} at {width}: {str(error).splitlines()[0]}")
            continue
        file = asked.out / f"{_name(name)}-{asked.access}-{scheme}-{width}.png"
        page.screenshot(path=file, full_page=True)
        print(file, found, _faults(page, width))
    context.close()


def _go(page: Page, site: Mapping[str, Any], steps: str) -> str:
    """Goes to a page and does what is to be done there; the answer's status, if the page was fetched whole."""
    address, *rest = steps.split(" > ")
    member = next(login["name"] for login in site["logins"] if login["access"] == "member")
    response = page.goto(site["address"] + address.format(member=member), wait_until="networkidle")
    for step in rest:
        verb, what = step.split(" ", maxsplit=1)
        if verb == "follow":
            there = page.locator(what).first.get_attribute("href", timeout=2000)
            response = page.goto(f"{site['address']}{there}", wait_until="networkidle")
        elif verb == "click":
            page.locator(what).first.click(timeout=2000)
        else:
            page.keyboard.press(what)
        page.wait_for_timeout(400)
    return str(response.status) if response else "?"


def _faults(page: Page, width: int) -> str:
    wide = page.evaluate("document.documentElement.scrollWidth")
    cut = page.evaluate(CUT)
    return " ".join([f"WIDER THAN ITS WINDOW: {wide}" if wide > width else "", f"CUT: {cut}" if cut else ""]).strip()


def _name(path: str) -> str:
    return re.sub(r"[^\w.=-]+", "_", path).strip("_") or "home"


if __name__ == "__main__":
    main()
