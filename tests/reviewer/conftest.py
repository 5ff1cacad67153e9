"""The cast that pages are tried with, and a browser."""

import os
from collections.abc import Callable, Iterator
from contextlib import nullcontext

import pytest
from django.test import Client
from playwright.sync_api import Browser, sync_playwright

from memory.models import User
from tests import factories
from tests.reviewer.watching import watched


@pytest.fixture(autouse=True)
def _every_look_is_noted(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever page a test opens as staff: all whose content it shows are noted, or the test fails."""
    with nullcontext() if "unwatched" in request.fixturenames else watched():
        yield


@pytest.fixture
def unwatched() -> None:
    """For a test of the watching itself."""


@pytest.fixture
def member(db: None) -> User:
    return factories.make_login(external_id="maya", display_name="Maya Okafor")


@pytest.fixture
def other_member(db: None) -> User:
    return factories.make_login(external_id="jonas", display_name="Jonas Brandt")


@pytest.fixture
def staff(db: None) -> dict[str, User]:
    return {
        "reviewer": factories.make_login("reviewer", "rita", display_name="Rita"),
        "admin": factories.make_login("admin", "ada", display_name="Ada"),
    }


@pytest.fixture
def as_(member: User, other_member: User, staff: dict[str, User]) -> Callable[[str], Client]:
    """`as_("member").get(…)`: a client of one of the cast, or of someone "anonymous"."""
    cast = {"member": member, "other_member": other_member, **staff}

    def sign_in(role: str) -> Client:
        client = Client()
        if role != "anonymous":
            client.force_login(cast[role])
        return client

    return sign_in


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium. Playwright's loop runs in this thread, which Django would take for async code."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    try:
        with sync_playwright() as playwright:
            arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
            chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=arguments)
            yield chromium
            chromium.close()
    finally:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
