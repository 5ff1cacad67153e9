"""One-time links: a look costs nothing, the button works once, and the same browser may go on."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.utils import timezone

from memory import keys, portal, scope
from memory.errors import NotAMember
from memory.models import PortalLink, User
from tests import factories
from tests.reviewer.reading import As

GONE = 410


@pytest.fixture
def address(member: User) -> str:
    """Asked for by an agent, as they do it."""
    _, token = keys.create("agent", scopes=[keys.Scope.MANAGE])
    response = Client().post("/api/v1/users/maya/portal", headers={"Authorization": f"Bearer {token}"})
    url = response.json()["url"]
    return str(url).removeprefix("http://testserver")


def is_in(client: Client) -> bool:
    return SESSION_KEY in client.session


def test_look_shows_a_button_and_uses_nothing_up(address: str):
    client = Client()

    answers = [client.get(address), client.head(address), client.get(address)]

    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert ("Open my memory" in answers[0].content.decode(), is_in(client)) == (True, False)


def test_button_signs_the_member_in_to_their_own_page(address: str):
    client = Client()

    answer = client.post(address, follow=True)

    assert (answer.status_code, answer.redirect_chain[-1][0]) == (200, "/mine/")


def test_signing_in_changes_the_session(address: str):
    client = Client()
    client.session["kept"] = "by whoever planted it"
    client.session.save()
    client.cookies["sessionid"] = before = client.session.session_key or ""

    client.post(address)

    assert (client.session.session_key != before, is_in(client)) == (True, True)


def test_link_used_again_elsewhere_is_refused(address: str):
    Client().post(address)
    elsewhere = Client()

    looked, pressed = elsewhere.get(address), elsewhere.post(address)

    assert (looked.status_code, pressed.status_code, is_in(elsewhere)) == (GONE, GONE, False)


def test_same_browser_may_go_on(address: str):
    client = Client()
    client.post(address)

    looked, pressed = client.get(address), client.post(address)

    assert [(answer.status_code, answer["Location"]) for answer in (looked, pressed)] == [(302, "/"), (302, "/")]


def test_other_member_with_a_used_link_is_refused_and_stays_who_they_are(address: str, as_: As):
    Client().post(address)
    client = as_("other_member")

    answer = client.post(address)

    assert (answer.status_code, client.session[SESSION_KEY]) == (GONE, str(User.objects.get(external_id="jonas").pk))


def test_other_member_with_an_unused_link_becomes_whom_it_is_for(address: str, as_: As):
    client = as_("other_member")

    client.post(address)

    assert client.session[SESSION_KEY] == str(User.objects.get(external_id="maya").pk)


def test_expired_link_is_refused(address: str):
    with scope.staff():
        PortalLink.objects.update(expires_at=timezone.now())
    client = Client()

    assert (client.get(address).status_code, client.post(address).status_code, is_in(client)) == (GONE, GONE, False)


@pytest.mark.parametrize("token", ["x", "%00", "ü" * 50, "x" * 5_000, "..", "%2F"])
def test_link_that_never_was_is_refused(token: str, db: None):
    assert Client().get(f"/portal/{token}").status_code in {GONE, 404}


def test_link_of_one_who_may_not_sign_in_any_more_is_refused(address: str, member: User):
    with scope.staff():
        User.objects.filter(pk=member.pk).update(is_active=False)

    assert Client().post(address).status_code == GONE


def test_link_made_before_a_member_became_staff_opens_nothing(address: str, member: User):
    with scope.staff():
        User.objects.filter(pk=member.pk).update(access="admin")
    client = Client()

    assert (client.post(address).status_code, is_in(client)) == (GONE, False)


def test_button_pressed_from_another_site_does_nothing(address: str):
    client = Client(enforce_csrf_checks=True)

    answer = client.post(address)

    assert (answer.status_code, is_in(client)) == (403, False)


def test_button_with_its_token_works(address: str):
    client = Client(enforce_csrf_checks=True)
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', client.get(address).content.decode())
    assert found

    answer = client.post(address, {"csrfmiddlewaretoken": found[1]})

    assert (answer.status_code, is_in(client)) == (302, True)


def test_link_is_kept_as_a_hash_and_for_fifteen_minutes(member: User):
    link = portal.issue(member)

    with scope.staff():
        kept = PortalLink.objects.get()
    assert (link.token in kept.digest, len(kept.digest)) == (False, 64)
    assert timedelta(minutes=14) < kept.expires_at - timezone.now() <= timedelta(minutes=15)


@pytest.mark.parametrize("access", ["reviewer", "admin"])
def test_staff_get_no_link(access: str, db: None):
    user = factories.make_login(access, "rita")

    with pytest.raises(NotAMember):
        portal.issue(user)
