"""Putting right on the page: each act whole, as a fragment, without scripts, twice, and by a stranger."""

from typing import Any

import pytest

from memory import scope
from memory.models import Candidate, Correction, Fact, User
from tests import factories
from tests.reviewer.reading import As, found, text

HTMX = {"HX-Request": "true"}
ACTS = [("right", {}), ("wrong", {}), ("over", {"since": "2026-03-20"}), ("reword", {"said": "Lives in Bergen"})]


@pytest.fixture
def fact(member: User) -> Fact:
    return factories.make_believed(member)


def live(user: User) -> list[str]:
    with scope.user(user.pk):
        return list(Fact.objects.live().filter(user=user).values_list("text", flat=True))


@pytest.mark.parametrize(("act", "data"), ACTS)
def test_act_without_scripts_leads_to_the_thing_and_tells(act: str, data: dict[str, str], as_: As, fact: Fact):
    response = as_("member").post(f"/mine/{fact.pk}/{act}/", data, follow=True)

    assert response.redirect_chain == [(f"/mine/{fact.pk}/", 302)]
    assert len(found(response, r'<p class="notice success"[^>]*>(.*?)</p>')) == 1


@pytest.mark.parametrize(("act", "data"), ACTS)
def test_act_as_a_fragment_is_the_thing_with_a_way_back(act: str, data: dict[str, str], as_: As, fact: Fact):
    response = as_("member").post(f"/mine/{fact.pk}/{act}/", data, headers=HTMX)

    body = response.content.decode().strip()
    assert (body.startswith("<li"), "Undo" in body) == (True, True)


@pytest.mark.parametrize(("act", "data"), ACTS)
def test_act_done_twice_is_done_once(act: str, data: dict[str, str], as_: As, fact: Fact):
    client, member = as_("member"), fact.user

    answers = [client.post(f"/mine/{fact.pk}/{act}/", data).status_code for _ in range(2)]

    with scope.user(member.pk):
        open_ones = Correction.objects.filter(undone_at=None).count()
    assert (all(answer in {200, 302} for answer in answers), open_ones) == (True, 1)


@pytest.mark.parametrize(("act", "data"), ACTS)
def test_act_on_anothers_is_missing_and_does_nothing(act: str, data: dict[str, str], as_: As, fact: Fact):
    response = as_("other_member").post(f"/mine/{fact.pk}/{act}/", data)

    assert (response.status_code, live(fact.user)) == (404, ["Lives in Oslo"])


@pytest.mark.parametrize("act", ["right", "wrong", "over", "reword"])
def test_act_by_a_look_is_not_allowed(act: str, as_: As, fact: Fact):
    assert as_("member").get(f"/mine/{fact.pk}/{act}/").status_code == 405


def test_edit_shows_both_the_old_and_the_new(as_: As, fact: Fact):
    response = as_("member").post(f"/mine/{fact.pk}/reword/", {"said": "Lives in Bergen"}, headers=HTMX)

    assert found(response, r"<bdi>(Lives in \w+)</bdi></p>") == ["Lives in Oslo", "Lives in Bergen"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"said": ""}, "Please write the whole sentence as it should be."),
        ({"said": "Maybe lives in Bergen", "value": "Bergen"}, "That sounds unsure. Write it without “maybe”."),
        ({"said": "Somewhere quite else"}, "Please also write the new word or words alone, as in the sentence."),
    ],
)
def test_edit_that_cannot_be_kept_says_why_and_keeps_what_was_written(
    data: dict[str, str], words: str, as_: As, fact: Fact
):
    response = as_("member").post(f"/mine/{fact.pk}/reword/", data)

    assert found(response, r'role="alert" id="refused-\d+">(.*?)</p>') == [words]
    assert data["said"] in response.content.decode()
    assert live(fact.user) == ["Lives in Oslo"]


@pytest.mark.parametrize(
    ("since", "words"),
    [
        ("2999-01-01", "That day is still to come. Choose today or an earlier day."),
        ("yesterday", "That is no day. Choose one, or leave it empty for today."),
    ],
)
def test_end_on_no_such_day_says_why(since: str, words: str, as_: As, fact: Fact):
    response = as_("member").post(f"/mine/{fact.pk}/over/", {"since": since})

    assert found(response, r'role="alert" id="refused-\d+">(.*?)</p>') == [words]
    assert live(fact.user) == ["Lives in Oslo"]


def test_edit_while_paused_says_so(as_: As, member: User, fact: Fact):
    with scope.user(member.pk):
        User.objects.filter(pk=member.pk).update(is_paused=True)

    response = as_("member").post(f"/mine/{fact.pk}/reword/", {"said": "Lives in Bergen"})

    assert "Memory is paused, so nothing new can be learnt." in text(response)


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_undo_brings_it_back(headers: Any, as_: As, member: User, fact: Fact):
    client = as_("member")
    client.post(f"/mine/{fact.pk}/wrong/")
    with scope.user(member.pk):
        correction = Correction.objects.get().pk

    response = client.post(f"/mine/undo/{correction}/", headers=headers, follow=True)

    assert (response.status_code, live(member)) == (200, ["Lives in Oslo"])


def test_undo_of_what_no_fact_shows_any_more_leads_to_what_is_known(as_: As, member: User, fact: Fact):
    client = as_("member")
    client.post(f"/mine/{fact.pk}/wrong/")
    with scope.user(member.pk):
        correction = Correction.objects.get().pk
        Candidate.objects.all().delete()
        Fact.objects.all().delete()

    answers = [client.post(f"/mine/undo/{correction}/", headers=headers) for headers in ({}, HTMX)]

    assert (answers[0]["Location"], answers[1]["HX-Redirect"]) == ("/mine/", "/mine/")


def test_undo_of_anothers_is_missing(as_: As, member: User, fact: Fact):
    as_("member").post(f"/mine/{fact.pk}/wrong/")
    with scope.user(member.pk):
        correction = Correction.objects.get().pk

    assert (as_("other_member").post(f"/mine/undo/{correction}/").status_code, live(member)) == (404, [])
