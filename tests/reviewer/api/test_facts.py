"""What is believed: pages, correction, erasure, open questions."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import scope
from memory.models import Fact, History, Receipt, Turn, User
from tests import factories
from tests.reviewer.api.conftest import Agent

PATH = "maya/facts"


@pytest.fixture
def maya(db: None) -> User:
    return factories.make_user("maya")


@pytest.fixture
def fact(maya: User) -> Fact:
    return factories.make_believed(maya)


def texts(answer: Any) -> list[str]:
    return [one["text"] for one in answer.body["facts"]]


def test_pages_hold_every_fact_once_also_when_more_come_in_between(maya: User, agent: Agent):
    for n in range(5):
        factories.make_fact(maya, f"Fact {n}")

    first = agent("get", f"{PATH}?limit=2")
    factories.make_fact(maya, "Fact 5")
    second = agent("get", f"{PATH}?limit=2&after={first.body['next']}")
    third = agent("get", f"{PATH}?limit=2&after={second.body['next']}")

    assert [texts(page) for page in (first, second, third)] == [
        ["Fact 0", "Fact 1"],
        ["Fact 2", "Fact 3"],
        ["Fact 4", "Fact 5"],
    ]
    assert third.body["next"] is None


def test_page_costs_the_same_queries_for_one_fact_and_for_thirty(maya: User, agent: Agent):
    agent("get", PATH)  # notes that the key is in use
    costs = []
    for more in (1, 29):
        for n in range(more):
            factories.make_fact(maya, f"Fact {n}")
        with CaptureQueriesContext(connection) as asked:
            agent("get", PATH)
        costs.append(len(asked))

    assert costs[0] == costs[1]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["A", "B"]),
        ("?status=live", ["A", "B"]),
        ("?status=lapsed", ["C"]),
        ("?status=all", ["A", "B", "C"]),
        ("?status=retracted", []),
        ("?subject=Anna", ["B"]),
        ("?subject=%20anna%00", ["B"]),
        ("?subject=Bob", []),
    ],
)
def test_list_by_status_and_subject(query: str, found: list[str], maya: User, agent: Agent):
    factories.make_fact(maya, "A")
    factories.make_fact(maya, "B", entity=factories.make_entity(maya, "Anna"))
    factories.make_fact(maya, "C", status="lapsed")

    assert texts(agent("get", PATH + query)) == found


@pytest.mark.parametrize(
    "query",
    [
        "status=imagined",
        "limit=0",
        "limit=201",
        "limit=x",
        "after=-1",
        f"after={2**63}",
        "after=1e9",
        "subject=" + "x" * 201,
    ],
)
def test_list_with_nonsense_says_what_is_wrong(query: str, maya: User, agent: Agent):
    answer = agent("get", f"{PATH}?{query}")

    assert (answer.status, answer.body["detail"].partition(":")[0]) == (422, query.partition("=")[0])


def test_list_and_recall_tell_namesakes_apart(maya: User, agent: Agent):
    for note in ("sister", "colleague"):
        anna = factories.make_entity(maya, "Anna", note)
        factories.make_fact(maya, "Anna sails", subject="Anna", entity=anna)
    factories.make_fact(maya, "Lives in Oslo")

    listed = agent("get", PATH)
    recalled = agent("post", "maya/recall", {"query": "Anna"})

    told = [[(one["subject"], one["subject_note"]) for one in answer.body["facts"]] for answer in (listed, recalled)]
    assert told[0] == [("Anna", "sister"), ("Anna", "colleague"), ("user", "")]
    assert sorted(told[1]) == [("Anna", "colleague"), ("Anna", "sister"), ("user", "")]


def test_correction_is_learnt_with_its_own_source(maya: User, fact: Fact, agent: Agent):
    answer = agent("patch", f"{PATH}/{fact.pk}", {"object": "Bergen"})

    now, before = answer.body["fact"], answer.body["corrected"]
    assert answer.status == 200
    assert (now["text"], now["predicate"], now["object"], now["status"], now["source"]) == (
        "Lives in Bergen",
        "lives_in",
        "Bergen",
        "active",
        "user",
    )
    assert [(quote["role"], quote["quote"]) for quote in now["evidence"]] == [("user", "Lives in Bergen")]
    assert (before["id"], before["status"]) == (fact.pk, "retracted")
    assert texts(agent("get", PATH)) == ["Lives in Bergen"]


@pytest.mark.parametrize(
    ("body", "text", "value"),
    [
        ({"text": "Lives in Bergen"}, "Lives in Bergen", "Bergen"),
        ({"text": "Has lived in Bergen for years", "object": "Bergen"}, "Has lived in Bergen for years", "Bergen"),
    ],
)
def test_correction_by_its_sentence(body: Any, text: str, value: str, *, fact: Fact, agent: Agent):
    now = agent("patch", f"{PATH}/{fact.pk}", body).body["fact"]

    assert (now["text"], now["object"]) == (text, value)


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"text": "Somewhere quite else"}, 422, "object: cannot be told from the rest."),
        ({"text": "Maybe lives in Bergen", "object": "Bergen"}, 422, "The correction cannot be believed (hedged)"),
        ({"object": "<script>alert(1)</script>"}, 422, "The correction cannot be believed ("),
        ({"text": "  \x00 "}, 422, "text: must say something."),
        ({"text": "x", "status": "closed"}, 422, "body: say one thing"),
        ({}, 422, "body: say one thing"),
        ({"status": "deleted"}, 422, "status: Input should be 'retracted' or 'closed'."),
        ({"valid_to": "2026-13-01"}, 422, "valid_to: must be a day such as 2026-03-10."),
        ({"valid_to": 20260310}, 422, "valid_to: must be a day such as 2026-03-10."),
    ],
)
def test_correction_that_cannot_be_believed_changes_nothing(
    body: Any, status: int, words: str, *, fact: Fact, agent: Agent
):
    before = agent("get", f"{PATH}?status=all").body

    answer = agent("patch", f"{PATH}/{fact.pk}", body)

    assert (answer.status, answer.body["detail"][: len(words)]) == (status, words)
    assert agent("get", f"{PATH}?status=all").body == before


@pytest.mark.parametrize(
    ("body", "status", "until"),
    [
        ({"status": "retracted"}, "retracted", None),
        ({"status": "closed", "valid_to": "2026-04-01"}, "superseded", "2026-04-01"),
        ({"valid_to": "2026-04-01"}, "superseded", "2026-04-01"),
    ],
)
def test_fact_said_to_be_over_or_untrue(body: Any, status: str, until: str | None, *, fact: Fact, agent: Agent):
    answer = agent("patch", f"{PATH}/{fact.pk}", body)

    assert (answer.body["fact"]["status"], answer.body["fact"]["valid_to"]) == (status, until)
    assert answer.body["corrected"] is None


def test_fact_corrected_before_is_not_corrected_again(fact: Fact, agent: Agent):
    agent("patch", f"{PATH}/{fact.pk}", {"object": "Bergen"})

    answer = agent("patch", f"{PATH}/{fact.pk}", {"object": "Rome"})

    assert (answer.status, answer.body["type"]) == (409, "urn:assay:problem:conflict")


def test_correction_while_paused_is_refused_and_retraction_is_not(fact: Fact, agent: Agent):
    agent("patch", "maya", {"paused": True})

    corrected = agent("patch", f"{PATH}/{fact.pk}", {"object": "Bergen"})
    retracted = agent("patch", f"{PATH}/{fact.pk}", {"status": "retracted"})

    assert (corrected.status, retracted.status) == (403, 200)


def test_correction_names_the_key_in_the_history_without_its_words(maya: User, fact: Fact, agent: Agent):
    agent("patch", f"{PATH}/{fact.pk}", {"object": "Bergen"})

    with scope.user(maya.pk):
        row = History.objects.get(action="correct")
    assert (row.actor, row.table, row.row) == (f"key {agent.token.split('_')[1]}", "fact", fact.pk)


def test_correction_of_what_is_known_of_another_stays_about_them(maya: User, agent: Agent, learn: Any):
    (known,) = learn("maya", "My sister Anna lives in Oslo.")[:1]

    answer = agent("patch", f"{PATH}/{known['id']}", {"object": "Bergen"} if known["object"] == "Oslo" else {})

    assert answer.body["fact"]["subject"] == known["subject"]


def test_erasure_is_shown_before_and_leaves_only_a_receipt(maya: User, fact: Fact, agent: Agent):
    shown = agent("delete", f"{PATH}/{fact.pk}?preview=true")
    kept = agent("get", f"{PATH}/{fact.pk}")
    erased = agent("delete", f"{PATH}/{fact.pk}")
    again = agent("delete", f"{PATH}/{fact.pk}")

    assert (texts(shown), shown.body["erased"], kept.status) == (["Lives in Oslo"], False, 200)
    assert (erased.body["erased"], erased.body["counts"]["facts"], again.status) == (True, 1, 404)
    with scope.user(maya.pk):
        assert Receipt.objects.get().actor == f"key {agent.token.split('_')[1]}"
        assert [turn.content for turn in Turn.objects.all()] == ["[erased]"]


def test_conflicts_are_told_with_their_sides(maya: User, agent: Agent):
    sides = [factories.make_fact(maya, text) for text in ("Lives in Oslo", "Lives in Rome")]
    conflict = factories.make_conflict(maya, *sides)

    assert agent("get", "maya/conflicts").body == {
        "conflicts": [
            {
                "id": conflict.pk,
                "status": "open",
                "subject": "user",
                "predicate": "lives_in",
                "why": "both are newer",
                "facts": sorted(side.pk for side in sides),
            }
        ]
    }
