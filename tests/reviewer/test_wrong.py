"""What did not work, said where its reader is at home."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client, RequestFactory

from memory.models import User
from reviewer.views import wrong
from tests.reviewer.reading import As, found, text

BRAND = r'<a class="brand"[^>]*>(?:<span[^>]*></span>)?(.*?)</a>'


@pytest.mark.parametrize("path", ["/mine/999999/", "/nowhere/", "/people/nobody/", "/people/nobody/facts/1/"])
def test_missing_page_of_a_member_stands_in_their_room(path: str, as_: As):
    response = as_("member").get(path)

    assert (response.status_code, found(response, BRAND)) == (404, ["My memory"])


@pytest.mark.parametrize("path", ["/nowhere/", "/people/nobody/"])
def test_missing_page_of_staff_stands_on_the_site(path: str, as_: As):
    response = as_("reviewer").get(path)

    assert (response.status_code, found(response, BRAND)) == (404, ["Assay"])


def test_missing_page_of_staff_in_their_room_stands_there(as_: As):
    assert found(as_("reviewer").get("/mine/999999/"), BRAND) == ["My memory"]


@pytest.mark.parametrize("role", ["anonymous", "member", "reviewer"])
def test_missing_page_is_ours_while_developing_too(role: str, as_: As, settings: Any):
    client = as_(role)
    usual = client.get("/nowhere/")

    settings.DEBUG = True
    response = client.get("/nowhere/")

    assert (response.status_code, found(response, "<h1>(.*?)</h1>")) == (404, found(usual, "<h1>(.*?)</h1>"))


def test_missing_thing_is_ours_while_developing_too(as_: As, settings: Any):
    settings.DEBUG = True

    response = as_("member").get("/mine/999999/")

    assert found(response, "<h1>(.*?)</h1>") == ["There is nothing here"]


def test_address_without_its_slash_leads_to_the_page_while_developing_too(as_: As, settings: Any):
    settings.DEBUG = True

    assert as_("reviewer").get("/people")["Location"] == "/people/"


@pytest.mark.parametrize(
    ("role", "path", "told"),
    [
        ("member", "/people/", "This page is for others"),
        ("reviewer", "/logins/", "This page is for admins"),
    ],
)
def test_page_for_others_says_for_whom_it_is(role: str, path: str, told: str, as_: As):
    response = as_(role).get(path)

    assert (response.status_code, found(response, "<h1>(.*?)</h1>")) == (403, [told])


def test_page_for_others_is_in_the_members_language(as_: As, member: User):
    User.objects.filter(pk=member.pk).update(language="de")

    response = as_("member").get("/people/")

    assert found(response, "<h1>(.*?)</h1>") == ["Diese Seite ist für andere"]


@pytest.mark.parametrize(
    ("path", "told"), [("/mine/pause/", "That page was too old"), ("/login/", "The form was too old")]
)
def test_form_without_its_token_changes_nothing_and_says_what_to_do(path: str, told: str, db: None):
    response = Client(enforce_csrf_checks=True).post(path)

    assert (response.status_code, found(response, "<h1>(.*?)</h1>")) == (403, [told])


def test_too_many_tries_of_a_member_are_said_in_their_room(as_: As):
    cache.clear()
    client = as_("member")

    answers = [client.post("/account/password/") for _ in range(6)]

    assert (answers[-1].status_code, found(answers[-1], BRAND)) == (429, ["My memory"])


@pytest.mark.parametrize(
    ("path", "told"),
    [("/mine/", "It is not your fault, and nothing of yours is lost."), ("/people/", "It is our fault")],
)
def test_failure_says_whose_fault_it_is_and_looks_nothing_up(path: str, told: str):
    response = wrong.failed(RequestFactory().get(path))

    assert (response.status_code, told in text(response)) == (500, True)


def test_icon_where_browsers_look_leads_to_the_sign(client: Client):
    assert client.get("/favicon.ico")["Location"] == "/static/favicon.svg"
