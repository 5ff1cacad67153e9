"""The documents of the API, and the page that shows them, in a browser under our own policy."""

import pytest
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from reviewer.api import api
from tests.reviewer.api.conftest import Agent
from tests.reviewer.api.test_access import CALLS


@pytest.mark.django_db(transaction=True)
def test_docs_in_browser_show_every_call_and_load_nothing_from_elsewhere(browser: Browser, live_server: LiveServer):
    page = browser.new_page()
    complaints: list[str] = []
    addresses: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: addresses.append(request.url))

    page.goto(f"{live_server.url}/api/v1/docs")
    page.wait_for_selector(".opblock")
    shown = page.locator(".opblock").count()
    page.close()

    assert (shown, complaints) == (len(CALLS), [])
    assert [one for one in addresses if not one.startswith(live_server.url)] == []


def test_docs_need_no_key_and_no_cookie(agent: Agent):
    stranger = Agent()

    page, document = stranger("get", "/api/v1/docs"), stranger("get", "/api/v1/openapi.json")

    assert (page.status, document.status, document.body["openapi"]) == (200, 200, "3.1.0")


def test_document_names_the_key_that_every_call_needs():
    paths = api.get_openapi_schema()["paths"]

    needed = {str(call["security"]) for calls in paths.values() for call in calls.values()}

    assert needed == {"[{'Bearer': []}]"}
