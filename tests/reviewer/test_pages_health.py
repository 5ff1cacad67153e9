"""The page of memory's health: what asks for action first, with its numbers and a way to its rows."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from memory import forgetting, scope
from memory.models import Fact, Job, StaffRead, User
from memory.review import building, reports
from tests import factories
from tests.factories import WHEN
from tests.reviewer import reading
from tests.reviewer.reading import As

HTMX = {"HX-Request": "true"}
CHECK = r'<section class="check {level}"[^>]*>.*?<h2[^>]*>(.*?)</h2>'


@pytest.fixture
def ill(member: User) -> Fact:
    """A memory whose gate refused nothing, with a temporary fact without an end and a failed job."""
    read = factories.make_episode(member, *["Hello."] * 60, state="done", read_turns=60)
    odd = {"kind": "temporary", "last_supported_at": timezone.now()}
    fact = factories.make_fact(member, "Is in Lisbon at the moment.", episode=read, **odd)
    with scope.user(member.pk):
        Job.objects.create(user=member, state="failed", run_after=WHEN)
    building.build(reports.HEALTH)
    return fact


def titles(client: Client, level: str) -> list[str]:
    return reading.found(client.get("/health/"), CHECK.format(level=level))


def test_checks_stand_by_what_they_ask_for(as_: As, ill: Fact):
    client = as_("reviewer")

    assert titles(client, "bad") == [
        "The gate refuses",
        "What is so for now has an end",
        "Histories are too long for a prompt",
    ]
    assert titles(client, "watch") == ["Nothing waits, nothing failed"]
    assert len(titles(client, "good")) + len(titles(client, "early")) == 7


def test_first_line_says_how_many_ask_for_action(as_: As, ill: Fact):
    response = as_("reviewer").get("/health/")

    assert reading.found(response, r'<p class="headline">(.*?)</p>') == [
        "3 checks ask for action; of 3 it is too early to tell."
    ]


def test_check_says_its_numbers_and_leads_to_its_rows(as_: As, ill: Fact, member: User):
    response = as_("reviewer").get("/health/")

    (gate,) = reading.found(response, r'id="check-gate".*?<p class="evidence">(.*?)</p>')
    assert gate == "0 refused of 60 turns. Of 1 people with 50 turns or more, 1 had nothing refused."
    assert reading.links(response, "Is in Lisbon at the moment.") == [f"/people/maya/facts/{ill.pk}/"]
    assert reading.found(response, r'<p class="more"><a href="([^"]*)"')[:2] == [
        "/reports/gate/",
        "/facts/?kind=temporary",
    ]


def test_whose_rows_were_shown_is_written_down(as_: As, ill: Fact, member: User):
    as_("reviewer").get("/health/")

    with scope.staff():
        assert list(StaffRead.objects.values_list("user", "page")) == [(member.pk, "health")]


def test_erased_fact_keeps_its_count_until_the_next_building_and_has_no_words(as_: As, ill: Fact, member: User):
    with scope.user(member.pk):
        forgetting.erase(member.pk, [ill.pk], actor="command line")

    response = as_("reviewer").get("/health/")

    assert "Lisbon" not in response.content.decode()
    assert reading.found(response, r'id="check-undated".*?<p class="evidence">(.*?)</p>') == [
        "1 of 1 live facts: 100 %."
    ]


def test_every_page_that_a_check_leads_to_is_there(as_: As, ill: Fact):
    client = as_("reviewer")
    paths = reading.found(client.get("/health/"), r'<p class="more"><a href="([^"]*)"')

    assert {path: client.get(path).status_code for path in paths} == dict.fromkeys(paths, 200)


def test_health_that_is_not_examined_yet_waits(as_: As):
    client = as_("reviewer")

    first, again = client.get("/health/"), client.get("/health/?waiting=0", headers=HTMX)
    building.build(reports.HEALTH)
    built = client.get("/health/?waiting=0", headers=HTMX)

    assert reading.found(first, r'<div class="building[^>]*>\s*<p>(.*?)</p>') == [
        "The report is being built. That takes seconds, and up to a minute where much is remembered."
    ]
    assert (again.status_code, built.content.decode().lstrip()[:16]) == (204, '<div id="report"')


def test_building_health_again_leads_back_to_it(as_: As, ill: Fact):
    with scope.staff():
        number = reports.ask(reports.HEALTH).id

    assert as_("reviewer").post(f"/reports/{number}/rebuild/")["Location"] == "/health/"


@pytest.mark.parametrize("role", ["member", "other_member"])
def test_health_is_nobodys_but_the_staffs(role: str, as_: As, ill: Fact):
    response = as_(role).get("/health/")

    assert (response.status_code, "Lisbon" in response.content.decode()) == (403, False)


def test_health_as_a_table_has_levels_and_numbers(as_: As, ill: Fact):
    with scope.staff():
        number = reports.ask(reports.HEALTH).id

    lines = as_("reviewer").get(f"/reports/{number}/table.csv").content.decode("utf-8-sig").splitlines()

    assert '"checks","gate","bad","","","","","","",""' in lines
    assert '"counted","turns","","","","","","","","60"' in lines


def test_health_takes_as_many_queries_for_thirty_rows_as_for_one(as_: As, ill: Fact, member: User):
    client = as_("reviewer")
    one = reading.queries(client, "/health/")
    for _ in range(30):
        other = factories.make_user()
        factories.make_episode(other, *["Hello."] * 60, state="done", read_turns=60)
        factories.make_fact(other, kind="temporary")
    building.build(reports.HEALTH)

    assert reading.queries(client, "/health/") == one


@pytest.mark.parametrize("language", ["en", "de"])
def test_memory_of_nobody_is_told_without_noughts_in_the_way(language: str, as_: As, db: Any):
    building.build(reports.HEALTH)

    response = as_("reviewer").get("/health/", headers={"Accept-Language": language})

    assert (response.status_code, len(reading.found(response, CHECK.format(level="[a-z]+")))) == (200, 11)
