"""Who may sign in: the list, roles, shutting, locks, and invitations by link."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth import SESSION_KEY
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from memory import forgetting, inviting, logins, scope
from memory.models import Access, History, Invitation, User
from reviewer.signing import lockout
from tests import factories
from tests.reviewer import reading
from tests.reviewer.reading import As

GONE = 410
WELCOME = {"display_name": "Noor", "password": "a long sesame", "again": "a long sesame"}


@pytest.fixture(autouse=True)
def _uncounted() -> None:
    cache.clear()


def names(response: HttpResponse) -> list[str]:
    return reading.found(response, r'<h2 id="login-\d+"[^>]*>(.*?)</h2>')


def notices(response: Any) -> list[str]:
    return reading.found(response, r'<p class="notice[^>]*>(.*?)</p>')


def invite(client: Client, name: str = "noor", access: str = "reviewer") -> str:
    """The address in the link that an admin gets to see."""
    response = client.post("/logins/invite/", {"external_id": name, "access": access})
    return reading.found(response, r'id="link" type="text" value="http://testserver(.*?)"')[0]  # type: ignore[arg-type]


def fresh(user: User) -> User:
    return User.objects.get(pk=user.pk)


# The list


def test_list_shows_who_can_sign_in_and_nobody_else(as_: As):
    factories.make_user("agent-made", password="!")

    response = as_("admin").get("/logins/")

    assert names(response) == ["Ada", "Jonas Brandt", "Maya Okafor", "Rita"]


@pytest.mark.parametrize(("query", "found"), [("q=rit", ["Rita"]), ("role=admin", ["Ada"]), ("q=rit&role=admin", [])])
def test_list_narrows_by_name_and_role(query: str, found: list[str], as_: As):
    assert names(as_("admin").get(f"/logins/?{query}")) == found


def test_list_by_htmx_answers_with_the_list_alone(as_: As):
    response = as_("admin").get("/logins/?q=rit", headers={"HX-Request": "true"})

    assert response.content.strip().startswith(b'<div id="logins"')


def test_list_of_thirty_logins_takes_as_many_queries_as_of_one(as_: As):
    client = as_("admin")
    few = reading.queries(client, "/logins/?q=rita")
    for n in range(30):
        factories.make_login("reviewer", f"rita-{n}")

    assert reading.queries(client, "/logins/?q=rita") == few


# Roles, shutting, locks


def test_role_is_changed_and_holds_at_once(as_: As, staff: dict[str, User]):
    client = as_("reviewer")

    as_("admin").post(f"/logins/{staff['reviewer'].pk}/role/", {"access": "member"})

    assert (fresh(staff["reviewer"]).access, client.get("/people/").status_code) == ("member", 403)


def test_changes_of_a_login_are_on_record(as_: As, staff: dict[str, User]):
    as_("admin").post(f"/logins/{staff['reviewer'].pk}/role/", {"access": "admin"})

    with scope.staff():
        kept = History.objects.values_list("user", "actor", "action", "fields").get()
    assert kept == (staff["reviewer"].pk, str(staff["admin"].pk), "login", ["access"])


@pytest.mark.parametrize("act", ["role/", "shut/"])
def test_last_admin_stays(act: str, as_: As, staff: dict[str, User]):
    response = as_("admin").post(f"/logins/{staff['admin'].pk}/{act}", {"access": "reviewer"}, follow=True)

    still = fresh(staff["admin"])
    assert (still.access, still.is_active, len(notices(response))) == ("admin", True, 1)


def test_admin_may_step_down_when_there_is_another(as_: As, staff: dict[str, User]):
    factories.make_login("admin", "second")

    as_("admin").post(f"/logins/{staff['admin'].pk}/role/", {"access": "reviewer"})

    assert fresh(staff["admin"]).access == "reviewer"


def test_admin_who_is_shut_does_not_count_as_another(as_: As, staff: dict[str, User]):
    factories.make_login("admin", "second", is_active=False)

    as_("admin").post(f"/logins/{staff['admin'].pk}/role/", {"access": "reviewer"})

    assert fresh(staff["admin"]).access == "admin"


def test_role_that_there_is_not_changes_nothing(as_: As, staff: dict[str, User]):
    response = as_("admin").post(f"/logins/{staff['reviewer'].pk}/role/", {"access": "owner"}, follow=True)

    assert (fresh(staff["reviewer"]).access, notices(response)) == ("reviewer", ["Choose a role."])


def test_shut_login_is_signed_out_at_once_and_can_be_opened_again(as_: As, staff: dict[str, User]):
    client, admin = as_("reviewer"), as_("admin")

    admin.post(f"/logins/{staff['reviewer'].pk}/shut/")
    shut = client.get("/people/").status_code
    admin.post(f"/logins/{staff['reviewer'].pk}/reopen/")

    assert (shut, fresh(staff["reviewer"]).is_active) == (302, True)


def test_shutting_twice_is_shutting_once(as_: As, staff: dict[str, User]):
    admin = as_("admin")

    answers = [admin.post(f"/logins/{staff['reviewer'].pk}/shut/").status_code for _ in range(2)]

    with scope.staff():
        assert (answers, History.objects.count()) == ([302, 302], 1)


def test_lock_is_shown_and_lifted(as_: As, staff: dict[str, User]):
    for _ in range(5):
        Client().post("/login/", {"username": "rita", "password": "wrong"})
    admin = as_("admin")
    shown = reading.found(admin.get("/logins/?q=rita"), r'<span class="badge conflicted">(.*?)</span>')

    admin.post(f"/logins/{staff['reviewer'].pk}/unlock/")

    assert (shown, lockout.locked(["rita"])) == (["Locked: too many wrong passwords"], set())


def test_second_factor_of_a_lost_phone_is_taken_away(as_: As, staff: dict[str, User]):
    Authenticator.objects.create(user=staff["reviewer"], type="totp", data={"secret": ""})

    as_("admin").post(f"/logins/{staff['reviewer'].pk}/factor/")

    assert Authenticator.objects.count() == 0


@pytest.mark.parametrize("act", ["role", "shut", "reopen", "unlock", "factor", "renew"])
def test_login_that_there_is_not_is_missing(act: str, as_: As):
    response = as_("admin").post(f"/logins/{2**40}/{act}/", {"access": "member"})

    assert response.status_code == 404


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"access": "member", "is_active": True}, logins.LAST),
        ({"access": "admin", "is_active": False}, logins.LAST),
        ({"access": "admin", "is_active": True}, ""),
    ],
)
def test_refusal_keeps_the_last_admin(fields: dict[str, Any], why: str):
    admin = User(pk=1, access=Access.ADMIN, is_active=True)

    assert logins.refusal(admin, by=2, other_admins=0, **fields) == why


# Invitations


def test_invited_person_sets_a_password_and_is_in(as_: As):
    address, client = invite(as_("admin")), Client()

    looked = client.get(address)
    done = client.post(address, WELCOME, follow=True)

    user = User.objects.get(external_id="noor")
    assert (looked.status_code, done.redirect_chain[-1][0]) == (200, "/people/")
    assert (user.access, user.display_name, client.session[SESSION_KEY]) == ("reviewer", "Noor", str(user.pk))


def test_invitation_says_what_one_will_be(as_: As):
    address = invite(as_("admin"), access="member")

    response = Client().get(address)

    assert "As a member" in reading.text(response)  # type: ignore[arg-type]


def test_invitation_works_once(as_: As):
    address = invite(as_("admin"))
    Client().post(address, WELCOME)
    elsewhere = Client()

    answers = [elsewhere.get(address).status_code, elsewhere.post(address, WELCOME).status_code]

    assert (answers, SESSION_KEY in elsewhere.session) == ([GONE, GONE], False)


def test_invitation_ends_after_a_week(as_: As):
    address = invite(as_("admin"))
    with scope.staff():
        expires = Invitation.objects.get().expires_at
        Invitation.objects.update(expires_at=timezone.now())

    answer = Client().post(address, WELCOME)

    assert (answer.status_code, User.objects.filter(external_id="noor").exists()) == (GONE, False)
    assert timedelta(days=6, hours=23) < expires - timezone.now() <= timedelta(days=7)


def test_invitation_can_be_taken_back(as_: As):
    admin = as_("admin")
    address = invite(admin)
    with scope.staff():
        pk = Invitation.objects.get().pk

    admin.post(f"/logins/invitations/{pk}/revoke/")

    assert Client().get(address).status_code == GONE


def test_invitation_that_there_is_not_is_missing(as_: As):
    assert as_("admin").post("/logins/invitations/99999/revoke/").status_code == 404


def test_newer_invitation_of_a_name_ends_the_older(as_: As):
    admin = as_("admin")
    first, second = invite(admin), invite(admin, access="admin")

    assert (Client().get(first).status_code, Client().get(second).status_code) == (GONE, 200)


def test_invitation_is_kept_as_a_hash(as_: As):
    address = invite(as_("admin"))

    with scope.staff():
        kept = Invitation.objects.get().digest
    assert (len(kept), kept in address) == (64, False)


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"password": "short", "again": "short"}, "This password is too short. It must contain at least 8 characters."),
        ({"again": "another sesame"}, "The two are not the same."),
        ({"password": ""}, "This field is required."),
    ],
)
def test_bad_password_uses_no_invitation_up(change: dict[str, str], wrong: str, as_: As):
    address = invite(as_("admin"))

    answer = Client().post(address, WELCOME | change)

    assert (answer.status_code, reading.found(answer, r'<span class="wrong"[^>]*>(.*?)</span>')) == (422, [wrong])  # type: ignore[arg-type]
    assert Client().get(address).status_code == 200


def test_person_whom_agents_know_gets_a_password_by_invitation(as_: As):
    person = factories.make_user("noor", password="!")
    address = invite(as_("admin"), access="member")

    Client().post(address, WELCOME)

    assert fresh(person).check_password("a long sesame")


@pytest.mark.parametrize("access", ["member", "reviewer"])
def test_name_that_is_taken_is_not_invited(access: str, as_: As):
    response = as_("admin").post("/logins/invite/", {"external_id": "maya", "access": access})

    assert response.status_code == 422
    assert reading.found(response, r'id="refused">\s*<p>(.*?)</p>') == [inviting.TAKEN]  # type: ignore[arg-type]


def test_person_is_not_raised_to_staff_by_an_invitation(as_: As):
    factories.make_user("noor", password="!")

    response = as_("admin").post("/logins/invite/", {"external_id": "noor", "access": "admin"})

    assert response.status_code == 422


def test_forgotten_person_is_not_invited_before_that_is_lifted(as_: As, other_member: User):
    forgetting.depart(other_member, actor="test")

    response = as_("admin").post("/logins/invite/", {"external_id": "jonas", "access": "member"})

    assert reading.found(response, r'id="refused">\s*<p>(.*?)</p>') == [inviting.GONE]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "form", [{}, {"external_id": " ", "access": "member"}, {"external_id": "x", "access": "owner"}]
)
def test_invitation_that_makes_no_sense_is_told_and_not_made(form: dict[str, str], as_: As):
    response = as_("admin").post("/logins/invite/", form)

    with scope.staff():
        assert (response.status_code, Invitation.objects.count()) == (422, 0)


def test_link_for_a_new_password_signs_out_the_old_one(as_: As, staff: dict[str, User]):
    old, admin = as_("reviewer"), as_("admin")
    response = admin.post(f"/logins/{staff['reviewer'].pk}/renew/")
    address = reading.found(response, r'id="link" type="text" value="http://testserver(.*?)"')[0]  # type: ignore[arg-type]

    Client().post(address, WELCOME)

    user = fresh(staff["reviewer"])
    assert (user.check_password("a long sesame"), user.access, old.get("/people/").status_code) == (
        True,
        "reviewer",
        302,
    )


def test_link_for_a_new_password_does_not_pass_a_second_factor(as_: As, staff: dict[str, User]):
    Authenticator.objects.create(user=staff["reviewer"], type="totp", data={"secret": ""})
    response = as_("admin").post(f"/logins/{staff['reviewer'].pk}/renew/")
    address = reading.found(response, r'id="link" type="text" value="http://testserver(.*?)"')[0]  # type: ignore[arg-type]
    client = Client()

    answer = client.post(address, WELCOME)

    assert (answer["Location"], SESSION_KEY in client.session) == ("/login/", False)


def test_link_made_before_a_role_was_changed_opens_nothing(as_: As, staff: dict[str, User]):
    response = as_("admin").post(f"/logins/{staff['reviewer'].pk}/renew/")
    address = reading.found(response, r'id="link" type="text" value="http://testserver(.*?)"')[0]  # type: ignore[arg-type]
    logins.change(staff["reviewer"].pk, by=staff["admin"], access="member")

    answer = Client().post(address, WELCOME)

    assert (answer.status_code, fresh(staff["reviewer"]).check_password("open sesame")) == (GONE, True)


def test_button_of_an_invitation_pressed_from_another_site_does_nothing(as_: As):
    address = invite(as_("admin"))

    answer = Client(enforce_csrf_checks=True).post(address, WELCOME)

    assert answer.status_code == 403


# The first admin


def test_command_prints_a_link_for_the_first_admin(db: None, capsys: pytest.CaptureFixture[str]):
    call_command("invite", "noor", "--as", "admin")
    path = "/invited/" + capsys.readouterr().out.strip().split("/invited/")[1]

    Client().post(path, WELCOME)

    assert User.objects.get(external_id="noor").access == "admin"


def test_command_says_why_there_is_no_link(as_: As):
    with pytest.raises(CommandError, match="There is a login of this name already"):
        call_command("invite", "rita", "--as", "reviewer")


def test_address_of_an_invitation_just_made_leads_back_to_the_list(as_: As):
    response = as_("admin").get("/logins/invite/")

    assert (response.status_code, response["Location"]) == (302, "/logins/")
