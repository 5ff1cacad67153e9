"""The page of one contradiction, and the answers to it."""

from collections.abc import Mapping
from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.http import HttpResponse
from django.test import Client

from memory import clock
from memory.models import User
from tests import factories
from tests.factories import WHEN, make_login
from tests.memory.review.quarrels import beliefs, conflict_of, facts_of, quarrel, tell
from tests.reviewer import reading
from tests.reviewer.reading import As

HTMX = {"HX-Request": "true"}


def path_of(user: User, act: str = "") -> str:
    return f"/people/{user.external_id}/conflicts/{conflict_of(user).pk}/{act}"


def outcome(response: HttpResponse) -> str:
    """What the page says came of it."""
    [found] = reading.found(response, r'<div class="outcome"[^>]*>\s*<p>(.*?)</p>')
    return " ".join(found.replace("<strong>", "").replace("</strong>", "").split())


def test_conflict_shows_its_sides_with_what_differs_marked(as_: As, member: User):
    quarrel(member, "Oslo", "Bergen", "Turku")

    response = as_("reviewer").get(path_of(member))

    assert reading.sentences(response) == [f"Lives in <mark>{city}</mark>" for city in ("Oslo", "Bergen", "Turku")]
    assert reading.found(response, r"<blockquote [^>]*>(.*?)</blockquote>") == [
        f"Lives in {city}" for city in ("Oslo", "Bergen", "Turku")
    ]


def test_conflict_tells_how_often_and_since_when_each_side_was_said(as_: As, member: User):
    quarrel(member, "Oslo", "Bergen", valid_from="2024-03")
    tell(member, "Bergen", at=WHEN + timedelta(hours=2))

    response = as_("reviewer").get(path_of(member))

    assert reading.found(response, r"<li>(in \d+ episodes?)</li>") == ["in 1 episode", "in 2 episodes"]
    assert reading.found(response, r"<dt>True</dt><dd>(.*?)</dd>") == ["since March 2024"] * 2


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(
    ("choice", "told", "expected"),
    [
        ("one:{Bergen}", "one side is right", [("Oslo", "superseded"), ("Bergen", "active")]),
        ("both", "all of it is true", [("Oslo", "active"), ("Bergen", "active")]),
        ("neither", "none of it was ever true", [("Oslo", "retracted"), ("Bergen", "retracted")]),
    ],
)
def test_answer_is_kept_and_told(  # noqa: PLR0913, PLR0917 - a table of answers
    headers: dict[str, str], choice: str, told: str, expected: list[Any], as_: As, member: User
):
    quarrel(member, "Oslo", "Bergen")
    client = as_("reviewer")

    response = _settle(client, member, {"choice": _filled(choice, member)}, headers)

    day = f"{clock.now():%-d %B %Y}"
    assert outcome(response).startswith(f"Settled by Rita on {day}, ")
    assert outcome(response).endswith(f": {told}.")
    assert [(value, status) for value, status, _ in beliefs(member)] == expected


def test_answer_of_times_closes_the_earlier(as_: As, member: User):
    quarrel(member, "Oslo", "Bergen")
    facts = facts_of(member)
    given = {"choice": "times", f"until-{facts['Oslo'].pk}": "2025-05-31", f"until-{facts['Bergen'].pk}": ""}

    _settle(as_("reviewer"), member, given)

    assert beliefs(member) == [("Oslo", "superseded", "Bergen"), ("Bergen", "active", None)]
    assert facts_of(member)["Oslo"].valid_to == "2025-05-31"


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_answer_by_a_member_about_their_own_is_theirs(headers: dict[str, str], as_: As, member: User):
    quarrel(member, "Oslo", "Bergen")

    response = _settle(as_("member"), member, {"choice": "both"}, headers)

    assert outcome(response).startswith("Settled by Maya Okafor on ")


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_answer_undone_leaves_it_open_again(headers: dict[str, str], as_: As, member: User):
    quarrel(member, "Oslo", "Bergen")
    client = as_("reviewer")
    _settle(client, member, {"choice": "both"})

    client.post(path_of(member, "undo/"), headers=headers, follow=True)
    response = client.get(path_of(member))

    assert beliefs(member) == [("Oslo", "conflicted", None), ("Bergen", "conflicted", None)]
    assert reading.found(response, r'name="choice" value="(\w+)') == ["one", "one", "both", "neither", "ask", "times"]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_answer_given_twice_shows_the_first(headers: dict[str, str], as_: As, member: User):
    quarrel(member, "Oslo", "Bergen")
    client = as_("reviewer")
    first = _settle(client, member, {"choice": "both"}, headers)

    second = _settle(client, member, {"choice": "neither"}, headers)

    told = reading.found(second, r'<p class="(?:toast|notice) warning"[^>]*>(.*?)</p>')
    assert (outcome(second), told) == (
        outcome(first),
        ["Somebody was quicker: this was answered already, as it stands here."],
    )


def test_asked_shows_since_when_and_with_what_words(as_: As, member: User):
    quarrel(member, "Oslo", "Bergen")

    response = _settle(as_("reviewer"), member, {"choice": "ask", "note": "Which one <now>?"})

    assert reading.found(response, r'<blockquote class="note"[^>]*>(.*?)</blockquote>') == ["Which one <now>?"]
    assert reading.found(response, r'name="choice" value="(ask|both|neither)"') == ["both", "neither"]


def test_side_that_was_put_aside_is_not_said_to_have_been_true_until_then(as_: As, member: User):
    quarrel(member, "Oslo", "Bergen")
    loser, winner = facts_of(member)["Oslo"], facts_of(member)["Bergen"]
    client = as_("reviewer")

    pages = [_settle(client, member, {"choice": f"one:{winner.pk}"})]
    pages += [client.get(f"/people/{member.external_id}/facts/{fact.pk}/") for fact in (loser, winner)]
    pages += [as_("member").get(f"/mine/{loser.pk}/")]

    assert reading.found(pages[0], r"<dt>True</dt><dd>(.*?)</dd>")[0] == "put aside: another side was settled on"
    assert reading.found(pages[1], r'<p class="lineage">(.*?) <a') == ["Put aside for"]
    assert reading.found(pages[2], r'<p class="lineage">(.*?) <a') == ["Settled on against"]
    assert [" until " in reading.text(page) for page in pages[1:]] == [False, False, False]


def test_side_that_was_true_until_a_day_says_so(as_: As, member: User):
    quarrel(member, "Oslo", "Bergen")
    oslo = facts_of(member)["Oslo"]
    client = as_("reviewer")
    _settle(client, member, {"choice": "times", f"until-{oslo.pk}": "2026-03-10"})

    response = client.get(f"/people/{member.external_id}/facts/{oslo.pk}/")

    assert "until 10 March 2026" in reading.text(response)


def test_asked_no_more_after_withdrawing(as_: As, member: User):
    quarrel(member, "Oslo", "Bergen")
    client = as_("reviewer")
    _settle(client, member, {"choice": "ask"})

    client.post(path_of(member, "withdraw/"))

    assert conflict_of(member).asked_at is None


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "Choose one of the answers."),
        ({"choice": "maybe"}, "Choose one of the answers."),
        ({"choice": "one:x"}, "Say which side is right: what was chosen is no side of this contradiction any more."),
        ({"choice": "times"}, "Give the last day on which each side was true, but for the one that is true now."),
        ({"choice": "times", "until-1": "soon"}, "“soon” is no day. Write it as 2026-03-10."),
    ],
)
def test_answer_that_does_not_fit_keeps_the_note(  # noqa: PLR0917 - a table of answers
    headers: dict[str, str], given: dict[str, str], problem: str, as_: As, member: User
):
    quarrel(member, "Oslo", "Bergen")

    response = _settle(as_("reviewer"), member, {**given, "note": "They said <so>."}, headers)

    assert reading.found(response, r'id="problem-here">(.*?)</p>') == [problem]
    assert reading.found(response, r"<textarea[^>]*>(.*?)</textarea>") == ["They said <so>."]


def test_next_conflict_is_offered_after_settling(as_: As, member: User, other_member: User):
    quarrel(other_member, "Paris", "Rome")
    quarrel(member, "Oslo", "Bergen")

    response = _settle(as_("reviewer"), member, {"choice": "both"})

    assert reading.links(response, "Next conflict") == [path_of(other_member)]


def test_next_conflict_of_a_member_is_their_own(as_: As, member: User, other_member: User):
    quarrel(other_member, "Paris", "Rome")
    quarrel(member, "Oslo", "Bergen")

    response = _settle(as_("member"), member, {"choice": "both"})

    assert reading.links(response, "That was the last one") == ["/people/maya/conflicts/"]


def test_counts_follow_the_answer_in_the_fragment(as_: As, member: User):
    quarrel(member, "Oslo", "Bergen")

    response = _settle(as_("reviewer"), member, {"choice": "neither"}, HTMX)

    assert reading.found(response, r'<span class="count[^"]*">(\d+)</span>')[:2] == ["0", "0"]


@pytest.mark.parametrize("act", ["", "settle/", "undo/", "withdraw/"])
@pytest.mark.parametrize("role", ["other_member", "reviewer"])
@pytest.mark.usefixtures("other_member")
def test_conflict_under_another_person_is_missing(act: str, role: str, as_: As, member: User):
    quarrel(member, "zebra-7731", "Bergen")
    client = as_(role)
    path = path_of(member, act).replace("maya", "jonas")

    response = client.post(path, {"choice": "both"}) if act else client.get(path)

    assert (response.status_code, b"zebra" in response.content) == (404, False)
    assert [status for _, status, _ in beliefs(member)] == ["conflicted", "conflicted"]


def test_conflict_of_many_sides_takes_as_many_queries_as_of_two(as_: As, member: User, other_member: User):
    quarrel(member, "Oslo", "Bergen")
    quarrel(other_member, *(f"Town {letter}" for letter in "abcdefgh"))
    client = as_("reviewer")

    two, many = (reading.queries(client, path_of(user)) for user in (member, other_member))

    assert many == two


@pytest.mark.django_db(transaction=True)
def test_two_who_settle_at_once_are_told_one_answer():
    member = factories.make_login(external_id="maya")
    reviewers = [make_login("reviewer", name, display_name=name.title()) for name in ("rita", "ruth")]
    quarrel(member, "Oslo", "Bergen")
    clients, path, start = [Client(), Client()], path_of(member, "settle/"), Barrier(2)
    told: list[HttpResponse] = []
    for client, reviewer in zip(clients, reviewers, strict=True):
        client.force_login(reviewer)

    def answer(client: Client, choice: str) -> None:
        start.wait()
        told.append(client.post(path, {"choice": choice}, headers=HTMX))
        connection.close()

    threads = [Thread(target=answer, args=pair) for pair in zip(clients, ("both", "neither"), strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    said = [outcome(response) for response in told]
    assert (len(said), len(set(said))) == (2, 1)
    assert sorted(len(list(get_messages(response.wsgi_request))) for response in told) == [0, 1]


def _settle(client: Client, user: User, given: Mapping[str, str], headers: Mapping[str, str] | None = None) -> Any:
    return client.post(path_of(user, "settle/"), given, headers=headers, follow=True)


def _filled(choice: str, user: User) -> str:
    return choice.format(**{value: fact.pk for value, fact in facts_of(user).items()})


def test_answer_that_came_by_the_users_own_words_is_told(as_: As, member: User):
    quarrel(member, "Oslo", "Bergen")
    tell(member, "Bergen", at=WHEN + timedelta(days=9))

    response = _settle(as_("reviewer"), member, {"choice": "both"})

    assert outcome(response).startswith("Settled by the user’s own later words on ")


def test_settled_elsewhere_has_nothing_to_undo_here(as_: As, member: User):
    quarrel(member, "Oslo", "Bergen")
    tell(member, "Bergen", at=WHEN + timedelta(days=9))

    response = as_("reviewer").get(path_of(member))

    assert reading.found(response, r'action="[^"]*(undo)/"') == []


def test_member_does_not_take_back_asking_by_settling(as_: As, member: User, staff: dict[str, User]):
    quarrel(member, "Oslo", "Bergen")
    _settle(as_("reviewer"), member, {"choice": "ask"})

    response = _settle(as_("member"), member, {"choice": f"one:{facts_of(member)['Oslo'].pk}"})

    assert outcome(response).startswith("Settled by Maya Okafor on ")
    assert conflict_of(member).asked_at is not None
