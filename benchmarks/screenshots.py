"""Takes screenshots of pages, light and dark, wide and narrow, so that somebody can look at them.

    uv run benchmarks/screenshots.py OUT /people/ /conflicts/          as the reviewer, the demo in a directory of its own
    uv run benchmarks/screenshots.py OUT /jobs/ --as admin             as an admin; `member` for the member
    uv run benchmarks/screenshots.py OUT /people/ --keep .data/shots   a demo that is kept, and used again by the next run

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

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
PATIENCE = 180  # seconds until the demo must be read


def main() -> None:
    """Shoots what was asked for."""
    asked = _asked()
    asked.out.mkdir(parents=True, exist_ok=True)
    with _directory(asked.keep) as data, _site(data, asked.port) as site, _chromium() as browser:
        _await_read(browser, site)
        for scheme in asked.schemes:
            for width in asked.widths:
                _shoot(browser, site, asked, scheme=scheme, width=width)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Take screenshots of pages of the demo.")
    parser.add_argument("out", type=Path, help="the folder to write to")
    parser.add_argument("paths", nargs="+", help="addresses, such as /people/")
    parser.add_argument("--as", dest="access", default="reviewer", choices=["admin", "reviewer", "member"])
    parser.add_argument("--schemes", nargs="+", default=["light", "dark"], choices=["light", "dark"])
    parser.add_argument("--widths", nargs="+", type=int, default=[1440, 390])
    parser.add_argument("--keep", type=Path, help="keep the demo's data here, for the next run")
    parser.add_argument("--port", type=int, default=8123)
    return parser.parse_args()


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
    for path in asked.paths:
        response = page.goto(site["address"] + path, wait_until="networkidle")
        file = asked.out / f"{_name(path)}-{asked.access}-{scheme}-{width}.png"
        page.screenshot(path=file, full_page=True)
        wide = page.evaluate("document.documentElement.scrollWidth")
        print(file, response.status if response else "?", f"WIDER THAN ITS WINDOW: {wide}" if wide > width else "")
    context.close()


def _name(path: str) -> str:
    return re.sub(r"[^\w.=-]+", "_", path).strip("_") or "home"


if __name__ == "__main__":
    main()
