"""Conversations and what came of them."""

from datetime import timedelta

import pytest

from memory import scope
from memory.models import Candidate, Resolution, User
from tests import factories
from tests.factories import WHEN
from tests.reviewer import reading
from tests.reviewer.reading import As

PATH = "/people/maya/episodes/"


def contents(response) -> list[str]:  # noqa: ANN001 - a test client's
    return reading.found(response, r'<p class="content" dir="auto">(.*?)</p>')


def test_episode_shows_its_turns_word_for_word(as_: As, member: User):
    episode = factories.make_episode(member, "I live in Oslo.", "<b>And</b> I ski.")

    response = as_("member").get(f"{PATH}{episode.pk}/")

    assert contents(response) == ["I live in Oslo.", "<b>And</b> I ski."]


def test_turn_shows_what_it_gave_and_what_was_refused(as_: As, member: User):
    episode = factories.make_episode(member, "I live in Oslo. Maybe I ski.")
    fact = factories.make_fact(member, "I live in Oslo.", episode=episode)
    factories.make_refusal(member, "Maybe I ski.", episode=episode, place=2)
    with scope.user(member.pk):
        claim = Candidate.objects.get(fact=fact)
        Resolution.objects.create(user=member, candidate=claim, relation="new", why="", policy_version=0)

    response = as_("member").get(f"{PATH}{episode.pk}/")

    assert reading.links(response, "I live in Oslo.") == [f"/people/maya/facts/{fact.pk}/"]
    assert reading.found(response, r'<span class="why">(.*?)</span>') == [
        "new fact",
        "Hedged: The person was not sure themselves.",
    ]


def test_refused_secret_is_told_of_without_text(as_: As, member: User):
    episode = factories.make_episode(member, "Hello.")
    factories.make_refusal(member, episode=episode, reason="secret")

    response = as_("member").get(f"{PATH}{episode.pk}/")

    assert reading.found(response, r"<em>(.*?)</em>") == ["text not kept"]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"state": "pending"}, "Waiting to be read."),
        ({"state": "pending", "read_turns": 1}, "Read up to turn 1; the rest is waiting."),
        ({"state": "failed", "error": "HTTP 500 <x>"}, "This episode could not be read. HTTP 500 <x>"),
    ],
)
def test_episode_that_is_not_read_says_why(fields: dict[str, object], told: str, as_: As, member: User):
    episode = factories.make_episode(member, "One.", "Two.", **fields)

    response = as_("member").get(f"{PATH}{episode.pk}/")

    assert told in reading.text(response)


def test_long_episode_comes_in_stretches_and_opens_at_a_turn(as_: As, member: User):
    episode = factories.make_episode(member, *(f"Turn {n}." for n in range(1, 251)))
    client = as_("member")

    middle = client.get(f"{PATH}{episode.pk}/?from=150")

    assert contents(middle) == [f"Turn {n}." for n in range(101, 201)]
    assert (reading.links(middle, "Earlier turns"), reading.links(middle, "Later turns")) == (
        ["?from=1"],
        ["?from=201"],
    )


def test_episodes_are_listed_with_what_came_of_them(as_: As, member: User):
    old = factories.make_episode(member, "I live in Oslo.", occurred_at=WHEN - timedelta(days=1), external_id="old")
    factories.make_fact(member, episode=old)
    factories.make_refusal(member, episode=old, place=2)
    factories.make_episode(member, "Hello.", "Hello?", external_id="new")

    response = as_("member").get(PATH)

    assert reading.found(response, r'</a> <span class="id" dir="auto">(.*?)</span>') == ["new", "old"]
    assert reading.found(response, r'<td class="number">(\d+)</td>') == ["2", "0", "0", "1", "1", "1"]


def test_foreign_episode_under_ones_own_name_is_missing(as_: As, other_member: User):
    episode = factories.make_episode(other_member, "zebra-7731")

    response = as_("member").get(f"{PATH}{episode.pk}/")

    assert (response.status_code, b"zebra" in response.content) == (404, False)


def test_person_without_episodes_is_told_so(as_: As):
    response = as_("member").get(PATH)

    assert reading.found(response, "<h2>(.*?)</h2>") == ["No conversation has come in"]


def test_thirty_episodes_take_as_many_queries_as_one(as_: As, member: User):
    client = as_("member")
    factories.make_refusal(member)
    few = reading.queries(client, PATH)
    for _ in range(29):
        factories.make_refusal(member)

    many = reading.queries(client, PATH)

    assert many == few


def test_thirty_turns_with_outcomes_take_as_many_queries_as_one(as_: As, member: User):
    client = as_("member")
    episode = factories.make_episode(member, *(f"Turn {n}." for n in range(1, 31)))
    factories.make_fact(member, episode=episode)
    few = reading.queries(client, f"{PATH}{episode.pk}/")
    for n in range(2, 31):
        factories.make_refusal(member, episode=episode, turn=n, place=n)

    many = reading.queries(client, f"{PATH}{episode.pk}/")

    assert many == few
