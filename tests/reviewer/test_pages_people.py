"""The list of people, the start and signing in."""

import itertools
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.views.defaults import server_error

from memory.models import User
from tests import factories
from tests.factories import WHEN
from tests.reviewer import reading
from tests.reviewer.reading import As


def names(response: HttpResponse) -> list[str]:
    return reading.found(response, r'<th scope="row">\s*<a [^>]*>(.*?)</a>')


def test_people_list_counts_what_each_memory_holds(as_: As, member: User):
    facts = [factories.make_fact(member, f"Lives in {place}.", object=place) for place in ("Oslo", "Bergen")]
    factories.make_fact(member, status="superseded")
    factories.make_conflict(member, *facts)
    factories.make_refusal(member)
    factories.make_episode(member, "Hello.", occurred_at=WHEN + timedelta(days=3))

    response = as_("reviewer").get("/people/?q=maya")

    assert reading.found(response, r'<td class="number">.*?</span>(\d+)</a>') == ["2", "1", "1"]
    assert reading.found(response, r'<td class="last"><time [^>]*>(.*?)</time>') == ["13 March 2026"]


def test_people_list_has_nobody_elses_counts(as_: As, other_member: User):
    factories.make_fact(other_member)
    factories.make_refusal(other_member)

    response = as_("reviewer").get("/people/?q=maya")

    assert reading.found(response, r'<td class="number">.*?</span>(\d+)</a>') == ["0", "0", "0"]


def test_staff_without_a_memory_are_not_listed(as_: As):
    response = as_("reviewer").get("/people/")

    assert names(response) == ["Jonas Brandt", "Maya Okafor"]


def test_staff_with_a_memory_are_listed(as_: As, staff: dict[str, User]):
    factories.make_episode(staff["reviewer"], "Hello.")

    response = as_("reviewer").get("/people/")

    assert names(response) == ["Jonas Brandt", "Maya Okafor", "Rita"]


@pytest.mark.parametrize("query", ["okaf", "OKAFOR", "may", " maya "])
def test_search_finds_by_part_of_name_or_id(query: str, as_: As):
    response = as_("reviewer").get("/people/", {"q": query})

    assert names(response) == ["Maya Okafor"]


@pytest.mark.parametrize("query", ["%", "_", "\\", "x\x00y", "'; --"])
def test_search_for_signs_finds_nobody_and_does_not_fail(query: str, as_: As):
    response = as_("reviewer").get("/people/", {"q": query})

    assert (response.status_code, names(response)) == (200, [])


def test_search_by_htmx_answers_with_the_list_alone(as_: As):
    response = as_("reviewer").get("/people/?q=maya", headers={"HX-Request": "true"})

    assert response.content.strip().startswith(b'<div id="people"')
    assert names(response) == ["Maya Okafor"]


def test_going_back_by_htmx_answers_with_the_whole_page(as_: As):
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}

    response = as_("reviewer").get("/people/?q=maya", headers=headers)

    assert response.content.startswith(b"<!doctype html>")


def test_search_without_a_hit_offers_the_way_back(as_: As):
    response = as_("reviewer").get("/people/?q=zzz")

    assert reading.links(response, "Show everybody") == ["/people/"]


def test_empty_installation_says_how_people_come_in(client: Client):
    client.force_login(factories.make_login("reviewer"))

    response = client.get("/people/")

    assert reading.found(response, r"<h2>(.*?)</h2>") == ["Nobody yet"]


def test_pages_of_people_meet_without_gap_or_overlap(as_: As):
    for n in range(65):
        factories.make_user(f"p{n:02}")
    client, path, seen = as_("reviewer"), "/people/?q=p", []

    while path:
        response = client.get(path)
        seen.append(names(response))
        path = next((f"/people/{query}" for query in reading.links(response, "Next")), "")

    assert [len(page) for page in seen] == [30, 30, 5]
    assert [*itertools.chain(*seen)] == [f"p{n:02}" for n in range(65)]


def test_last_page_of_people_leads_back_to_the_one_before(as_: As):
    for n in range(40):
        factories.make_user(f"p{n:02}")
    client = as_("reviewer")

    last = client.get("/people/?q=p&last=1")
    before = client.get("/people/" + reading.links(last, "Previous")[0])

    assert names(last) == [f"p{n:02}" for n in range(10, 40)]
    assert names(before) == [f"p{n:02}" for n in range(10)]


def test_list_of_thirty_people_takes_as_many_queries_as_of_one(as_: As):
    client = as_("reviewer")
    factories.make_refusal(factories.make_user())
    few = reading.queries(client, "/people/")
    for _ in range(29):
        factories.make_refusal(factories.make_user())

    many = reading.queries(client, "/people/")

    assert many == few


@pytest.mark.parametrize(("role", "start"), [("member", "/mine/"), ("reviewer", "/people/"), ("admin", "/people/")])
def test_start_leads_to_ones_own_work(role: str, start: str, as_: As):
    response = as_(role).get("/")

    assert response["Location"] == start


@pytest.mark.parametrize(
    "external_id", ["a/b", "..", ".", "~", "a~2Fb", "conv-26:Caroline", "ä ö", "%2F", "?x#y", "a.b"]
)
def test_person_with_any_external_id_has_a_page(external_id: str, as_: As):
    factories.make_user(external_id)
    client = as_("reviewer")

    path = reading.found(client.get("/people/", {"q": external_id}), r'<th scope="row">\s*<a href="([^"]*)"')[0]
    response = client.get(path)

    assert reading.found(response, r'<span class="id" [^>]*>(.*?)</span>') == [external_id]


def test_sign_in_with_the_external_id_leads_to_where_one_wanted(as_: As):
    form = {"username": "maya", "password": "open sesame", "next": "/people/maya/refused/"}

    response = as_("anonymous").post("/login/", form)

    assert response["Location"] == "/people/maya/refused/"


def test_sign_in_does_not_lead_elsewhere(as_: As):
    form = {"username": "maya", "password": "open sesame", "next": "https://elsewhere.example/"}

    response = as_("anonymous").post("/login/", form)

    assert response["Location"] == "/"


def test_sign_in_renews_the_session(as_: As):
    client = as_("anonymous")
    session = client.session
    session.save()

    client.post("/login/", {"username": "maya", "password": "open sesame"})

    assert client.session.session_key != session.session_key


@pytest.mark.parametrize(("name", "password"), [("maya", "wrong"), ("nobody", "open sesame")])
def test_wrong_sign_in_says_the_same_whoever_it_is(name: str, password: str, as_: As):
    response = as_("anonymous").post("/login/", {"username": name, "password": password})

    errors = reading.found(response, r'role="alert" id="refused">\s*<p>(.*?)</p>')
    assert errors == ["Name or password is wrong. Both are case-sensitive."]


def test_sign_out_ends_the_session(as_: As):
    client = as_("member")

    client.post("/logout/")

    assert client.get("/people/maya/").status_code == 302


def test_sign_out_by_link_is_not_possible(as_: As):
    assert as_("member").get("/logout/").status_code == 405


def test_broken_page_says_so_and_nothing_else():
    response = server_error(RequestFactory().get("/people/"))

    assert (response.status_code, reading.found(response, "<h1>(.*?)</h1>")) == (500, ["Something went wrong"])
