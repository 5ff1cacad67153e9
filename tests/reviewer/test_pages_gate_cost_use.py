"""The pages of the gate, of cost and of the use that facts are of: words looked up live, numbers as they were stored."""

import csv
import io
import re
from typing import Any

import pytest
from django.test import Client

from memory import forgetting, scope
from memory.models import Candidate, Decided, Fact, Report, StaffRead, User
from memory.review import building, reports
from tests import factories, labelled
from tests.labelled import CORRECT, INCORRECT
from tests.reviewer import reading
from tests.reviewer.reading import As

HTMX = {"HX-Request": "true"}
PAGES = {reports.GATE: "/reports/gate/", reports.COST: "/reports/cost/", reports.DECISIONS: "/reports/decisions/"}


@pytest.fixture
def fact(member: User) -> Fact:
    """A fact that was let in, changed a decision and cost a call, beside what was refused."""
    episode = factories.make_episode(member, *["Hello."] * 9, state="done", read_turns=9)
    fact = factories.make_fact(member, "Lives in Oslo.", episode=episode)
    factories.make_fact(member, "Plays the zither.", episode=episode)
    factories.make_refusal(member, "Maybe I like tea.", episode=episode, place=3)
    factories.make_refusal(member, reason="secret", episode=episode, place=4)
    factories.make_call(member, model="m", prompt_version="p-1", tokens_in=1200, latency_ms=1500)
    with scope.user(member.pk):
        Decided.objects.create(user=member, dimension="tone", value="dry", without="warm", because=[fact.pk], actor="x")
    sample = labelled.make_sample(subject="refusals", size=11, strata={"": [5000, 11]})
    labelled.add_items(sample, *[CORRECT] * 9, *[INCORRECT] * 2, outcome="hedged")
    for kind in PAGES:
        building.build(kind)
    return fact


def headline(client: Client, path: str) -> str:
    (found,) = reading.found(client.get(path), r'<p class="headline">(.*?)</p>')
    return found.replace("\u00a0", " ")


def rows(response: Any, caption: str) -> list[str]:
    (body,) = reading.found(response, rf'<caption class="unseen">{caption}</caption>.*?<tbody>(.*?)</tbody>')
    found = body.replace("\u00a0", " ").split("</tr>")[:-1]
    return [" ".join(re.sub(r"<[^>]*>", " ", row).split()) for row in found]


def test_gate_is_told_by_facts_a_turn(as_: As, fact: Fact):
    assert headline(as_("reviewer"), "/reports/gate/") == "2 facts from 9 turns: 22.2 %, where 20 % is the line."


def test_reasons_lead_to_their_refusals(as_: As, fact: Fact):
    response = as_("reviewer").get("/reports/gate/")

    assert rows(response, "Refusals by reason and week") == ["Hedged 1 1", "Secret 1 1"]
    assert reading.links(response, "Hedged") == ["/refused/?reason=hedged"]


def test_misses_are_told_from_audited_refusals(as_: As, fact: Fact):
    response = as_("reviewer").get("/reports/gate/")

    (told,) = reading.found(response, r'id="misses">.*?<p>(.*?)<a')
    assert told.replace("\u00a0", " ").startswith("2 of 11 audited refusals should have been kept: 81.8 % were refused")
    assert [row[:13] for row in rows(response, "Refusals that people found right")] == ["Hedged 9 of 11"[:13]]


def test_both_lists_stand_side_by_side_and_lead_to_their_rows(as_: As, fact: Fact):
    response = as_("reviewer").get("/reports/gate/")

    assert reading.links(response, "Lives in Oslo.") == [f"/people/maya/facts/{fact.pk}/"]
    (refused,) = reading.links(response, "Maybe I like tea.")
    assert re.sub(r"\d+", "N", refused) == "/people/maya/refused/N/"
    assert len(reading.links(response, "The text was not kept.")) == 1


def test_taken_in_by_reviewers_is_listed_by_what_it_was_refused_for(as_: As, fact: Fact):
    with scope.staff():
        Candidate.objects.filter(reason="hedged").update(verdict="accepted", reason="", refused_for="hedged")
    building.build(reports.GATE)

    assert rows(as_("reviewer").get("/reports/gate/"), "Taken in by reviewers") == ["Hedged 1"]


def test_cost_is_told_for_a_thousand_turns(as_: As, fact: Fact):
    client = as_("reviewer")

    assert headline(client, "/reports/cost/") == "111 calls and 133,333 tokens for every 1,000 turns."
    assert rows(client.get("/reports/cost/"), "By model and prompt version") == [
        "m extraction, p-1 1 0 1,200 0 1.5 s 1.5 s 111.1 133,333"
    ]


def test_use_tells_what_facts_changed_and_which(as_: As, fact: Fact):
    client = as_("reviewer")
    response = client.get("/reports/decisions/")

    assert headline(client, "/reports/decisions/") == "Facts changed 1 of 1 decisions: 100 %."
    assert rows(response, "Decisions that facts changed") == ["tone 1 1 100 %"]
    assert reading.links(response, "Lives in Oslo.") == [f"/people/maya/facts/{fact.pk}/"]
    assert "1 of 2 live facts (50 %) never reached one of 0 recalls" in reading.text(response).replace("\u00a0", " ")
    assert len(reading.links(response, "Plays the zither.")) == 1


@pytest.mark.parametrize("kind", PAGES)
def test_whose_words_were_shown_is_written_down(kind: str, as_: As, fact: Fact):
    as_("reviewer").get(PAGES[kind])

    with scope.staff():
        noted = list(StaffRead.objects.values_list("user", flat=True))
    assert noted == ([] if kind == reports.COST else [fact.user_id])


@pytest.mark.parametrize("kind", PAGES)
def test_erased_fact_keeps_its_counts_and_loses_its_words(kind: str, as_: As, fact: Fact, member: User):
    client = as_("reviewer")
    before = headline(client, PAGES[kind])

    with scope.user(member.pk):
        forgetting.erase(member.pk, [fact.pk], actor="command line")

    response = client.get(PAGES[kind])
    with scope.staff():
        stored = str(list(Report.objects.values_list("data", flat=True)))
    assert headline(client, PAGES[kind]) == before
    assert "Oslo" not in response.content.decode() + stored


def test_erased_fact_stands_in_its_place_without_words(as_: As, fact: Fact, member: User):
    with scope.user(member.pk):
        forgetting.erase(member.pk, [fact.pk], actor="command line")

    response = as_("reviewer").get("/reports/decisions/")

    assert reading.found(response, r'<ol class="claims">\s*<li><p dir="auto">(.*?)</p>') == ["[erased]"]


@pytest.mark.parametrize("path", PAGES.values())
def test_report_that_is_not_built_waits_and_then_comes(path: str, as_: As):
    client = as_("reviewer")
    kind = next(kind for kind, each in PAGES.items() if each == path)

    first, again = client.get(path), client.get(f"{path}?waiting=0", headers=HTMX)
    building.build(kind)
    built = client.get(f"{path}?waiting=0", headers=HTMX)

    assert len(reading.found(first, r'<div class="building')) == 1
    assert (again.status_code, built.content.decode().lstrip()[:16]) == (204, '<div id="report"')


@pytest.mark.parametrize("path", PAGES.values())
def test_reports_are_nobodys_but_the_staffs(path: str, as_: As, fact: Fact):
    response = as_("member").get(path)

    assert (response.status_code, "Oslo" in response.content.decode()) == (403, False)


@pytest.mark.parametrize("kind", PAGES)
def test_building_again_leads_back(kind: str, as_: As, fact: Fact):
    with scope.staff():
        number = reports.ask(kind).id

    assert as_("reviewer").post(f"/reports/{number}/rebuild/")["Location"] == PAGES[kind]


@pytest.mark.parametrize("kind", PAGES)
def test_table_has_no_formula_and_no_words(kind: str, as_: As, fact: Fact, member: User):
    factories.make_call(member, model="=HYPERLINK(1)", prompt_version="p-1")
    building.build(kind)
    with scope.staff():
        number = reports.ask(kind).id

    content = as_("reviewer").get(f"/reports/{number}/table.csv").content.decode("utf-8-sig")

    cells = [cell for row in csv.reader(io.StringIO(content)) for cell in row]
    assert [cell for cell in cells if cell[:1] in {"=", "+", "@"}] == []
    assert ("Oslo" in content, len(cells) > 20) == (False, True)


@pytest.mark.parametrize("kind", PAGES)
def test_page_takes_as_many_queries_for_thirty_as_for_one(kind: str, as_: As, fact: Fact, member: User):
    client = as_("reviewer")
    one = reading.queries(client, PAGES[kind])
    for n in range(15):
        made = factories.make_fact(factories.make_user())
        factories.make_refusal(made.user)
        factories.make_call(made.user, model=f"m-{n}", prompt_version="p-1")
        with scope.user(made.user_id):
            Decided.objects.create(
                user=made.user, dimension=f"d{n}", value="dry", without="warm", because=[made.pk], actor="x"
            )
    building.build(kind)

    assert reading.queries(client, PAGES[kind]) == one
