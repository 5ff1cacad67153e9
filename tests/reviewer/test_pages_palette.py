"""Going to a page, a person or a fact by a few words."""

import re

import pytest

from memory import scope
from memory.models import StaffRead, User
from tests import factories
from tests.reviewer import reading
from tests.reviewer.reading import As

PATH = "/palette/"
HTMX = {"HX-Request": "true"}


def found(response) -> list[str]:  # noqa: ANN001 - a test client's
    return reading.found(response, r'<li><a href="([^"]*)">')


def test_words_lead_to_people_and_facts(as_: As, member: User, other_member: User):
    fact = factories.make_fact(other_member, "Lives in Mayfair")

    response = as_("reviewer").get(PATH, {"q": "may"}, headers=HTMX)

    assert found(response) == ["/people/maya/", f"/people/jonas/facts/{fact.pk}/"]


@pytest.mark.parametrize("role", ["reviewer", "admin"])
def test_every_page_of_the_navigation_is_found(role: str, as_: As):
    response = as_(role).get(PATH)

    side = reading.found(response, r'<nav aria-label="Site">(.*?)</nav>')[0]
    assert set(re.findall(r'href="([^"]*)"', side)) - set(found(response)) == set()


@pytest.mark.parametrize("role", ["reviewer", "admin", "member"])
def test_without_words_the_pages_stand_there_and_open(role: str, as_: As):
    client = as_(role)

    response = client.get(PATH, headers=HTMX)

    assert {client.get(address).status_code for address in found(response)} == {200}


def test_page_works_whole(as_: As):
    response = as_("reviewer").get(PATH, {"q": "nothing by that name"})

    assert reading.found(response, r"<h1>(.*?)</h1>") == ["Go to"]
    assert reading.found(response, r'<p class="none">(.*?)</p>') == ["Nothing by that name."]


def test_member_finds_their_own_pages_alone(as_: As, member: User, other_member: User):
    factories.make_fact(other_member, "Conversations in Mayfair")
    factories.make_fact(member, "Conversations in Mayfair")

    response = as_("member").get(PATH, {"q": "conversations"}, headers=HTMX)

    assert found(response) == ["/mine/conversations/"]


def test_whose_names_and_facts_were_seen_is_noted(as_: As, member: User, other_member: User):
    factories.make_fact(other_member, "Lives in Mayfair")

    as_("reviewer").get(PATH, {"q": "mayfair"}, headers=HTMX)

    with scope.staff():
        assert list(StaffRead.objects.values_list("user", flat=True)) == [other_member.pk]


def test_single_letter_looks_for_no_facts(as_: As, member: User):
    factories.make_fact(member, "z")

    response = as_("reviewer").get(PATH, {"q": "z"}, headers=HTMX)

    assert found(response) == []
