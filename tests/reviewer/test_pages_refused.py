"""What the gate refused."""

import pytest

from memory.models import User
from memory.types import TEXTLESS, Reason
from reviewer import wording
from tests import factories
from tests.reviewer import reading
from tests.reviewer.reading import As

PATH = "/people/maya/refused/"


@pytest.mark.parametrize("path", [PATH, "/refused/"])
def test_refusal_is_shown_with_reason_detail_and_the_turn_it_was_said_in(path: str, as_: As, member: User):
    episode = factories.make_episode(member, "Maybe I like tea. Who knows?")
    factories.make_refusal(member, "Maybe I like tea.", episode=episode)

    response = as_("reviewer").get(path)

    assert reading.sentences(response) == ["Maybe I like tea."]
    assert reading.found(response, r'class="badge reason">(.*?)</span>') == ["Hedged"]
    assert reading.found(response, r'<span class="why">(.*?)</span>') == ["The person was not sure themselves."]
    assert reading.found(response, r'<span class="why detail" [^>]*>(.*?)</span>') == ["maybe"]
    assert reading.found(response, r"<mark>(.*?)</mark>") == ["Maybe I like tea."]
    assert reading.links(response, "Read the conversation") == [f"/people/maya/episodes/{episode.pk}/?from=1#turn-1"]


@pytest.mark.parametrize("reason", TEXTLESS)
def test_refusal_without_text_says_so_and_quotes_nothing(reason: str, as_: As, member: User):
    episode = factories.make_episode(member, "My password is zebra-7731.")
    factories.make_refusal(member, episode=episode, reason=reason)

    response = as_("reviewer").get(PATH)

    assert reading.sentences(response) == ["The text was not kept."]
    assert reading.links(response, "Turn 1") == [f"/people/maya/episodes/{episode.pk}/?from=1#turn-1"]
    assert b"zebra" not in response.content


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_explained(reason: Reason):
    name, meaning = wording.REASONS[reason]

    assert (bool(name), str(meaning)[-1]) == (True, ".")


@pytest.mark.parametrize("path", [PATH, "/refused/"])
def test_reason_filter_keeps_counts_of_all_reasons(path: str, as_: As, member: User):
    for reason in ("hedged", "hedged", "task"):
        factories.make_refusal(member, f"Because {reason}.", reason=reason)

    response = as_("reviewer").get(path, {"reason": "task"})

    assert reading.sentences(response) == ["Because task."]
    assert reading.found(response, r'<span class="count">(\d+)</span></a>')[-3:] == ["3", "2", "1"]


def test_member_sees_their_own_refusals_only(as_: As, member: User, other_member: User):
    factories.make_refusal(member, "Maybe I like tea.")
    factories.make_refusal(other_member, "zebra-7731")

    response = as_("member").get(PATH)

    assert reading.sentences(response) == ["Maybe I like tea."]


def test_refusals_across_people_name_whose_they_are(as_: As, member: User, other_member: User):
    factories.make_refusal(member)
    factories.make_refusal(other_member)

    response = as_("reviewer").get("/refused/")

    assert reading.found(response, r"<li>in the memory of <a [^>]*>(.*?)</a>") == [
        "Jonas Brandt",
        "Maya Okafor",
    ]


@pytest.mark.parametrize("path", [PATH, "/refused/"])
def test_pages_of_refusals_meet(path: str, as_: As, member: User):
    for n in range(35):
        factories.make_refusal(member, f"Maybe {n}.")
    client = as_("reviewer")

    first = client.get(path)
    second = client.get(path + reading.links(first, "Next")[0])

    assert reading.sentences(first) + reading.sentences(second) == [f"Maybe {n}." for n in reversed(range(35))]


@pytest.mark.parametrize("path", [PATH, "/refused/"])
def test_thirty_refusals_take_as_many_queries_as_one(path: str, as_: As, member: User):
    client = as_("reviewer")
    factories.make_refusal(member)
    few = reading.queries(client, path)
    for _ in range(29):
        factories.make_refusal(member)

    many = reading.queries(client, path)

    assert many == few


@pytest.mark.parametrize("path", [PATH, "/refused/"])
def test_no_refusal_is_told(path: str, as_: As):
    response = as_("reviewer").get(path)

    assert reading.found(response, "<h2>(.*?)</h2>") == ["Nothing was refused"]


def test_filtering_refusals_by_htmx_answers_with_them_alone(as_: As, member: User):
    factories.make_refusal(member)

    response = as_("member").get(PATH, headers={"HX-Request": "true"})

    assert response.content.strip().startswith(b'<div id="refused"')
