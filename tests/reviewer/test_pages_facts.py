"""Looking for facts across people, keeping searches, taking them along, retiring many."""

import csv
import io
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import override_settings

from memory import scope
from memory.models import Fact, PersonsRuling, SavedView, StaffRead, User
from tests import factories
from tests.factories import WHEN
from tests.reviewer import reading
from tests.reviewer.reading import As

PATH = "/facts/"
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def _now() -> Iterator[None]:
    with override_settings(ASSAY_NOW=WHEN):
        yield


def claims(response: Any) -> list[str]:
    return reading.found(response, r'<p class="sentence small"><a [^>]*>(.*?)</a>')


def test_search_finds_across_people_and_says_whose(as_: As, member: User, other_member: User):
    factories.make_fact(member, "Plays the harp")
    factories.make_fact(other_member, "Plays the harpsichord")
    factories.make_fact(other_member, "Lives in Oslo")

    response = as_("reviewer").get(PATH, {"q": "plays"})

    assert claims(response) == ["Plays the harpsichord", "Plays the harp"]
    assert reading.links(response, "Maya Okafor") == ["/people/maya/"]
    assert reading.found(response, r'<p class="figure">(.*?)</p>') == ["2 facts"]


def test_search_without_a_match_shows_what_is_spelt_alike(as_: As, member: User):
    factories.make_fact(member, "Plays the harpsichord")

    response = as_("reviewer").get(PATH, {"q": "harpsicord"})

    assert claims(response) == ["Plays the harpsichord"]
    assert reading.found(response, r'<p class="figure">(.*?)</p>') == ["0 facts"]


@pytest.mark.parametrize(
    ("query", "words"),
    [({"q": "nothing of it"}, "No fact fits"), ({"status": "lapsed"}, "No fact fits"), ({}, "Nothing is known yet")],
)
def test_empty_list_says_why(query: dict[str, str], words: str, as_: As):
    response = as_("reviewer").get(PATH, query)

    assert reading.found(response, r"<h2>(.*?)</h2>") == [words]


def test_filters_come_back_filled_in_from_the_address(as_: As, member: User):
    factories.make_fact(member, "Wants a boat", kind="goal")

    response = as_("reviewer").get(PATH, {"kind": "goal", "person": "maya", "age": "week", "status": "all"})

    assert reading.found(response, r'<option value="(\w+)" selected>') == ["all", "goal", "week"]
    assert claims(response) == ["Wants a boat"]


@pytest.mark.parametrize(
    "query", ["status=x", "kind=x", "source=x", "basis=x", "language=x", "age=x", "sureness=x", "flag=x", "after=x"]
)
def test_filter_that_makes_no_sense_is_missing(query: str, as_: As):
    assert as_("reviewer").get(f"{PATH}?{query}").status_code == 404


def test_words_with_signs_are_an_ordinary_search(as_: As):
    response = as_("reviewer").get(PATH, {"q": 'C:\\repo|x - "a" %_*\'; --\x00', "person": "%00", "predicate": "<b>"})

    assert response.status_code == 200


def test_fragment_is_the_list_alone(as_: As, member: User):
    factories.make_fact(member, "Lives in Oslo")

    response = as_("reviewer").get(PATH, headers=HTMX)

    assert response.content.lstrip().startswith(b'<div id="facts"')


def test_number_of_statements_does_not_grow_with_the_rows(as_: As, member: User):
    client = as_("reviewer")
    factories.make_fact(member, "One")
    one = reading.queries(client, PATH)
    for number in range(30):
        factories.make_fact(factories.make_user(), f"Fact {number}")

    assert reading.queries(client, PATH) == one


def test_last_page_leads_back_to_the_first(as_: As, member: User):
    for number in range(61):
        factories.make_fact(member, f"Fact {number}")
    client = as_("reviewer")

    last = client.get(PATH, {"last": "1"})
    previous = client.get(PATH + reading.links(last, "Previous")[0])

    assert claims(last) == [f"Fact {number}" for number in reversed(range(30))]
    assert claims(previous) == [f"Fact {number}" for number in reversed(range(30, 60))]


def test_whose_facts_were_seen_is_noted(as_: As, staff: dict[str, User], member: User, other_member: User):
    factories.make_fact(member, "Plays the harp")
    factories.make_fact(other_member, "Lives in Oslo")

    as_("reviewer").get(PATH, {"q": "harp"})

    with scope.staff():
        assert list(StaffRead.objects.values_list("user", "reader", "page")) == [
            (member.pk, staff["reviewer"].pk, "facts")
        ]


def test_recall_of_one_person_is_in_an_agents_order(as_: As, member: User, other_member: User):
    factories.make_fact(member, "Plays chess", predicate="plays", object="chess", object_key="chess")
    factories.make_fact(other_member, "Plays chess", predicate="plays", object="chess", object_key="chess")

    response = as_("reviewer").get(PATH, {"q": "chess", "person": "maya", "recall": "1"})

    assert claims(response) == ["Plays chess"]


def test_recall_of_nobody_finds_nothing(as_: As):
    response = as_("reviewer").get(PATH, {"q": "chess", "person": "nobody", "recall": "1"})

    assert (response.status_code, claims(response)) == (200, [])


FORMULAS = ['=HYPERLINK("http://x","y")', "+1", "-1", "@SUM(A1)", "\t=1", "＝1"]


def test_export_holds_no_formula_and_all_that_fits(as_: As, member: User):
    for text in FORMULAS:
        factories.make_fact(member, text, kind="goal")
    factories.make_fact(member, "Not wanted")

    response = as_("reviewer").get(f"{PATH}facts.csv", {"kind": "goal"})
    body = b"".join(response.streaming_content).decode()

    assert body.startswith("\ufeff")
    rows = [line.split(",") for line in body.splitlines()]
    assert [row[2].strip('"')[0] for row in rows[1:] if row[0].isdecimal()] == ["'"] * len(FORMULAS)


def test_export_holds_nobody_who_came_after_it_was_noted_whose_facts_it_holds(
    as_: As, member: User, other_member: User
):
    factories.make_fact(member, "Plays chess")

    response = as_("reviewer").get(f"{PATH}facts.csv")
    factories.make_fact(other_member, "Sails")
    body = b"".join(response.streaming_content).decode()

    assert [line.split(",")[1:3] for line in body.splitlines()[1:]] == [[member.external_id, "Plays chess"]]


def test_export_tells_namesakes_apart(as_: As, member: User):
    for note in ("sister", "colleague"):
        anna = factories.make_entity(member, "Anna", note)
        factories.make_fact(member, "Anna sails", subject="Anna", entity=anna)

    response = as_("reviewer").get(f"{PATH}facts.csv")
    rows = csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode().removeprefix("\ufeff")))

    assert sorted((row["subject"], row["subject_note"]) for row in rows) == [("Anna", "colleague"), ("Anna", "sister")]


def test_search_is_kept_found_again_and_dropped(as_: As, staff: dict[str, User]):
    client = as_("reviewer")

    client.post(f"{PATH}searches/", {"name": " Goals ", "query": "kind=goal&status=all"})
    kept = reading.links(client.get(PATH), "Goals")
    with scope.staff():
        view = SavedView.objects.get()
    statuses = [client.post(f"{PATH}searches/{view.pk}/drop/").status_code for _ in range(2)]

    assert kept == ["/facts/?kind=goal&status=all"]
    assert (statuses, reading.links(client.get(PATH), "Goals")) == ([302, 302], [])


def test_signs_that_cannot_be_stored_are_left_out_of_a_kept_search(as_: As):
    as_("reviewer").post(f"{PATH}searches/", {"name": "Go\x00als", "query": "q=\x00goal"})

    with scope.staff():
        assert list(SavedView.objects.values_list("name", "query")) == [("Goals", "q=goal")]


def test_kept_search_of_another_is_neither_shown_nor_dropped(as_: As, staff: dict[str, User]):
    as_("admin").post(f"{PATH}searches/", {"name": "Secret", "query": "kind=goal"})
    with scope.staff():
        view = SavedView.objects.get()
    client = as_("reviewer")

    client.post(f"{PATH}searches/{view.pk}/drop/")

    assert reading.links(client.get(PATH), "Secret") == []
    with scope.staff():
        assert SavedView.objects.count() == 1


def test_search_without_a_name_is_told_what_to_do(as_: As):
    response = as_("reviewer").post(f"{PATH}searches/", {"name": " ", "query": "kind=goal"}, follow=True)

    assert reading.found(response, r'<p class="notice error"[^>]*>(.*?)</p>') == [
        "Give the search a name, to find it again."
    ]


@pytest.fixture
def believed(member: User) -> Fact:
    return factories.make_believed(member)


def status(fact: Fact) -> str:
    with scope.staff():
        return Fact.objects.get(pk=fact.pk).status


def test_preview_retires_nothing(believed: Fact, as_: As):
    response = as_("reviewer").get(f"{PATH}retire/", {"fact": [believed.pk, 2**62]})

    assert reading.found(response, r"<h1>(.*?)</h1>") == ["Retire 1 fact"]
    assert status(believed) == "active"


def test_retiring_without_scripts_leads_to_a_page_that_takes_it_back(believed: Fact, as_: As):
    client = as_("reviewer")

    response = client.post(f"{PATH}retire/", {"fact": [believed.pk], "note": "wrong"}, follow=True)
    retired = status(believed)
    client.post(f"{PATH}restore/", {"fact": [believed.pk]}, follow=True)

    assert reading.found(response, r'<p class="notice success"[^>]*>(.*?)</p>') == ["1 fact is retired."]
    assert reading.found(response, r"<h1>(.*?)</h1>") == ["Retired"]
    assert (retired, status(believed)) == ("retracted", "active")


def test_retiring_by_htmx_shows_the_truth_and_a_toast(believed: Fact, as_: As):
    response = as_("reviewer").post(f"{PATH}retire/", {"fact": [believed.pk], "note": "wrong"}, headers=HTMX)

    assert response.content.lstrip().startswith(b'<div id="chosen"')
    assert reading.found(response, r'<p class="toast success">(.*?)</p>') == ["1 fact is retired."]


def test_retiring_twice_rules_once(believed: Fact, as_: As):
    client = as_("reviewer")

    for _ in range(2):
        client.post(f"{PATH}retire/", {"fact": [believed.pk], "note": "wrong"})

    with scope.staff():
        assert PersonsRuling.objects.count() == 1


def test_retiring_without_a_reason_keeps_the_choice(believed: Fact, as_: As):
    response = as_("reviewer").post(f"{PATH}retire/", {"fact": [believed.pk], "note": " "})

    assert reading.found(response, r'id="note-wrong">(.*?)</span>') == [
        "Say why: whoever looks at these facts later will want to know."
    ]
    assert reading.found(response, r'<input type="hidden" name="fact" value="(\d+)">') == [str(believed.pk)]
    assert status(believed) == "active"


def test_nothing_chosen_is_told_so(as_: As):
    response = as_("reviewer").get(f"{PATH}retire/", {"fact": ["x", "-1", ""]})

    assert reading.found(response, r"<h2>(.*?)</h2>") == ["Nothing is chosen"]


@pytest.mark.parametrize("role", ["member", "other_member"])
@pytest.mark.parametrize("path", ["retire/", "restore/"])
def test_members_change_nothing(role: str, path: str, believed: Fact, as_: As):
    response = as_(role).post(f"{PATH}{path}", {"fact": [believed.pk], "note": "mine"})

    assert (response.status_code, status(believed)) == (403, "active")
