"""Signing in: by password and second factor, what too many wrong ones lead to, and how one changes it."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from axes.models import AccessAttempt
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.hashers import make_password
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import Settings

from memory import forgetting, scope
from memory.models import User
from reviewer.signing import clients, lockout
from tests.reviewer import reading
from tests.reviewer.reading import As

RIGHT = "open sesame"
WRONG = "Name or password is wrong. Both are case-sensitive."
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture(autouse=True)
def _uncounted() -> None:
    cache.clear()


def sign_in(client: Client, name: str = "rita", password: str = RIGHT) -> HttpResponse:
    return client.post("/login/", {"username": name, "password": password})  # type: ignore[return-value]


def is_in(client: Client) -> bool:
    return SESSION_KEY in client.session


def heading(response: HttpResponse) -> str:
    return reading.found(response, "<h1>(.*?)</h1>")[0]


def code(secret: str = SECRET) -> str:
    counter = next(iter(totp.yield_hotp_counters_from_time()))
    return str(totp.format_hotp_value(totp.hotp_value(secret, counter)))


def turn_on(client: Client) -> list[str]:
    """Turns the second factor of whoever is signed in on; returns the recovery codes."""
    client.post("/login/again/", {"password": "open sesame", "next": "/account/second-factor/on/"})
    page = client.get("/account/second-factor/on/")
    secret = reading.found(page, r'<code class="secret">(.*?)</code>')[0]  # type: ignore[arg-type]
    shown = client.post("/account/second-factor/on/", {"code": code(secret)}, follow=True)
    return reading.found(shown, r"<li><code>(.*?)</code></li>")  # type: ignore[arg-type]


def give_factor(user: User) -> None:
    totp.TOTP.activate(user, SECRET)


def test_password_signs_in_under_a_new_session(client: Client, staff: dict[str, User]):
    before = client.session
    before.save()

    response = sign_in(client)

    assert (response["Location"], is_in(client)) == ("/", True)
    assert client.session.session_key != before.session_key


@pytest.mark.parametrize(("remember", "kept"), [({}, ""), ({"remember": "on"}, 14 * 24 * 3600)])
def test_session_outlives_the_browser_only_when_asked_to(
    remember: dict[str, str], kept: Any, client: Client, staff: dict[str, User]
):
    response = client.post("/login/", {"username": "rita", "password": "open sesame"} | remember)

    assert response.cookies["sessionid"]["max-age"] == kept


def test_sign_in_notes_when(client: Client, staff: dict[str, User]):
    sign_in(client)

    staff["reviewer"].refresh_from_db()
    assert timezone.now() - (staff["reviewer"].last_login or timezone.now()) < timedelta(minutes=1)


def test_name_in_other_letters_is_another_name(client: Client, staff: dict[str, User]):
    assert reading.found(sign_in(client, "RITA"), r'id="refused">\s*<p>(.*?)</p>') == [WRONG]


@pytest.mark.parametrize("password", ["!", "", "None"])
def test_person_without_a_password_has_none_to_guess(password: str, client: Client, member: User):
    with scope.staff():
        User.objects.filter(pk=member.pk).update(password="!")

    sign_in(client, "maya", password)

    assert not is_in(client)


def test_login_that_is_shut_is_refused_like_a_wrong_password(client: Client, staff: dict[str, User]):
    with scope.staff():
        User.objects.filter(pk=staff["reviewer"].pk).update(is_active=False)

    response = sign_in(client)

    assert reading.found(response, r'id="refused">\s*<p>(.*?)</p>') == [WRONG]


def test_login_that_is_shut_is_signed_out_at_once(as_: As, staff: dict[str, User]):
    client = as_("reviewer")
    with scope.staff():
        User.objects.filter(pk=staff["reviewer"].pk).update(is_active=False)

    assert client.get("/people/")["Location"] == "/login/?next=/people/"


def test_nobody_can_sign_up(client: Client, db: None):
    found = [client.get(path).status_code for path in ("/signup/", "/accounts/signup/", "/login/signup/")]

    assert found == [404, 404, 404]


# Too many wrong passwords


def test_fifth_wrong_password_locks_and_says_what_to_do(client: Client, staff: dict[str, User]):
    answers = [sign_in(client, password="wrong") for _ in range(5)]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 429]
    assert (heading(answers[-1]), answers[-1]["Retry-After"]) == ("Locked for a while", "900")


def test_right_password_does_not_open_a_lock(client: Client, staff: dict[str, User]):
    for _ in range(5):
        sign_in(client, password="wrong")

    assert (sign_in(client).status_code, is_in(client)) == (429, False)


def test_lock_holds_where_it_was_made_and_nowhere_else(client: Client, staff: dict[str, User]):
    for _ in range(6):
        sign_in(client, password="wrong")
    elsewhere = Client(REMOTE_ADDR="192.0.2.7")

    sign_in(elsewhere)

    assert is_in(elsewhere)


def test_lock_of_one_name_leaves_others_at_the_same_address_alone(client: Client, staff: dict[str, User]):
    for _ in range(6):
        sign_in(client, password="wrong")

    sign_in(client, "ada")

    assert is_in(client)


def test_lock_ends_by_itself(client: Client, staff: dict[str, User]):
    for _ in range(6):
        sign_in(client, password="wrong")
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=16))

    sign_in(client)

    assert is_in(client)


def test_trying_on_does_not_lengthen_a_lock(client: Client, staff: dict[str, User]):
    for _ in range(5):
        sign_in(client, password="wrong")
    before = AccessAttempt.objects.get().attempt_time

    sign_in(client, password="wrong")

    assert AccessAttempt.objects.get().attempt_time == before


def test_signing_in_forgets_earlier_slips(client: Client, staff: dict[str, User]):
    for _ in range(4):
        sign_in(client, password="wrong")
    sign_in(client)
    client.logout()

    answers = [sign_in(client, password="wrong").status_code for _ in range(4)]

    assert answers == [200, 200, 200, 200]


def test_names_that_were_tried_are_kept_as_hashes(client: Client, staff: dict[str, User]):
    client.post("/login/?next=/people/maya/", {"username": "my secret password", "password": "x"})

    kept = " ".join(str(value) for value in AccessAttempt.objects.values_list().get())
    assert [word for word in ("my secret", "maya") if word in kept] == []


def test_locked_names_are_known_and_can_be_let_go(client: Client, staff: dict[str, User]):
    for _ in range(5):
        sign_in(client, password="wrong")

    before = lockout.locked(["rita", "ada"])
    lockout.lift("rita")

    assert (before, lockout.locked(["rita", "ada"])) == ({"rita"}, set())


def test_many_tries_from_one_address_are_slowed_down(db: None):
    client = Client(REMOTE_ADDR="192.0.2.9")

    answers = [sign_in(client, f"name {n}", "x") for n in range(31)]

    assert [answer.status_code for answer in answers] == [200] * 30 + [429]
    assert heading(answers[-1]) == "Too many tries"


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, "203.0.113.5", "192.0.2.1"),
        (1, "203.0.113.5", "203.0.113.5"),
        (1, "10.0.0.1, 203.0.113.5", "203.0.113.5"),
        (2, "203.0.113.5", "192.0.2.1"),
        (2, "198.51.100.1, 203.0.113.5, 10.0.0.2", "203.0.113.5"),
        (1, "rubbish", "192.0.2.1"),
        (1, "", "192.0.2.1"),
    ],
)
def test_only_our_own_proxies_say_where_a_request_is_from(
    proxies: int, forwarded: str, expected: str, settings: Settings
):
    settings.ASSAY_PROXIES = proxies
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.1", HTTP_X_FORWARDED_FOR=forwarded)

    assert clients.address(request) == expected


# The second factor


def test_second_factor_is_asked_for_after_the_password(client: Client, staff: dict[str, User]):
    give_factor(staff["reviewer"])

    response = client.post("/login/", {"username": "rita", "password": "open sesame", "next": "/refused/"}, follow=True)
    between = is_in(client)
    done = client.post("/login/code/", {"code": code()})

    assert (heading(response), between) == ("One more thing", False)  # type: ignore[arg-type]
    assert (done["Location"], is_in(client)) == ("/refused/", True)


def test_wrong_code_lets_nobody_in(client: Client, staff: dict[str, User]):
    give_factor(staff["reviewer"])
    sign_in(client)

    response = client.post("/login/code/", {"code": "000000"})

    assert (response.status_code, is_in(client)) == (200, False)
    assert reading.found(response, r'id="refused">(.*?)</span>') == ["Incorrect code."]  # type: ignore[arg-type]


def test_codes_cannot_be_tried_through(client: Client, staff: dict[str, User]):
    give_factor(staff["reviewer"])
    sign_in(client)
    for _ in range(5):
        client.post("/login/code/", {"code": "000000"})

    client.post("/login/code/", {"code": code()})

    assert not is_in(client)


def test_code_works_once(client: Client, staff: dict[str, User]):
    give_factor(staff["reviewer"])
    used = code()
    sign_in(client)
    client.post("/login/code/", {"code": used})
    elsewhere = Client()
    sign_in(elsewhere)

    elsewhere.post("/login/code/", {"code": used})

    assert not is_in(elsewhere)


def test_turning_the_factor_on_asks_who_it_is_and_gives_recovery_codes(client: Client, staff: dict[str, User]):
    sign_in(client)
    asked = client.get("/account/second-factor/on/")

    codes = turn_on(client)

    assert asked["Location"] == "/login/again/?next=%2Faccount%2Fsecond-factor%2Fon%2F"
    assert len(set(codes)) == 10


def test_recovery_code_signs_in_once(client: Client, staff: dict[str, User]):
    sign_in(client)
    recovery = turn_on(client)[0]
    first, second = Client(), Client()

    for each in (first, second):
        sign_in(each)
        each.post("/login/code/", {"code": recovery})

    assert (is_in(first), is_in(second)) == (True, False)


def test_recovery_codes_are_shown_once(client: Client, staff: dict[str, User]):
    sign_in(client)
    turn_on(client)

    again = client.get("/account/second-factor/codes/")

    assert reading.found(again, r"<li><code>") == []  # type: ignore[arg-type]


def test_factor_can_be_turned_off_again(client: Client, staff: dict[str, User]):
    sign_in(client)
    turn_on(client)

    client.post("/account/second-factor/off/")

    assert Authenticator.objects.filter(user=staff["reviewer"]).count() == 0


def test_secret_of_the_factor_is_not_in_the_database(client: Client, staff: dict[str, User]):
    give_factor(staff["reviewer"])

    assert SECRET not in str(Authenticator.objects.get().data)


def test_factor_under_a_lost_key_fits_no_code_and_breaks_nothing(
    client: Client, staff: dict[str, User], settings: Settings
):
    give_factor(staff["reviewer"])
    sign_in(client)
    Authenticator.objects.update(data={"secret": "of another key"})

    response = client.post("/login/code/", {"code": code()})

    assert (response.status_code, is_in(client)) == (200, False)


def test_code_page_without_a_password_before_leads_to_the_sign_in(client: Client, db: None):
    assert client.get("/login/code/")["Location"] == "/login/"


def test_whoever_is_asked_for_a_code_may_sign_in_as_someone_else(client: Client, staff: dict[str, User]):
    give_factor(staff["reviewer"])
    sign_in(client)
    client.post("/logout/")

    sign_in(client, "ada")

    assert client.session[SESSION_KEY] == str(staff["admin"].pk)


def test_forgotten_login_takes_its_factor_along(staff: dict[str, User]):
    give_factor(staff["reviewer"])

    forgetting.depart(staff["reviewer"], actor="test")

    assert Authenticator.objects.count() == 0


# The password


def test_changing_the_password_signs_out_everywhere_else(client: Client, staff: dict[str, User]):
    elsewhere = Client()
    for each in (client, elsewhere):
        sign_in(each)
    form = {"oldpassword": "open sesame", "password1": "a longer sesame", "password2": "a longer sesame"}

    changed = client.post("/account/password/", form)

    assert changed["Location"] == "/account/?changed=password"
    assert (client.get("/people/").status_code, elsewhere.get("/people/").status_code) == (200, 302)


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"oldpassword": "wrong"}, "That is not your current password."),
        (
            {"password1": "short", "password2": "short"},
            "This password is too short. It must contain at least 8 characters.",
        ),
        ({"password2": "another one"}, "You must type the same password each time."),
    ],
)
def test_password_change_says_what_is_wrong(change: dict[str, str], wrong: str, client: Client, staff: dict[str, User]):
    sign_in(client)
    form = {"oldpassword": "open sesame", "password1": "a longer sesame", "password2": "a longer sesame"}

    response = client.post("/account/password/", form | change)

    assert reading.found(response, r'<span class="wrong"[^>]*>(.*?)</span>') == [wrong]  # type: ignore[arg-type]


@pytest.mark.parametrize("path", ["password/", "second-factor/on/", "second-factor/off/", "second-factor/codes/"])
def test_whoever_comes_by_a_link_has_nothing_to_change(path: str, as_: As, member: User):
    client = as_("member")
    with scope.staff():
        User.objects.filter(pk=member.pk).update(password=make_password(None))
    client.force_login(User.objects.get(pk=member.pk))

    response = client.get(f"/account/{path}")

    assert response["Location"] == "/account/"
