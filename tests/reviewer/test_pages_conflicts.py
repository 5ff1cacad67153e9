"""Open questions and settled ones."""

from datetime import timedelta

import pytest

from memory.models import Conflict, User
from tests import factories
from tests.factories import WHEN
from tests.reviewer import reading
from tests.reviewer.reading import As

PATH = "/people/maya/conflicts/"


def make_question(user: User, *places: str, **fields: object) -> Conflict:
    """Facts that contradict each other about somebody, one a place, said in that order."""
    entity = factories.make_entity(user, f"somebody in {places[0]}")
    said = [WHEN + timedelta(days=n) for n in range(len(places))]
    status = "superseded" if fields else "conflicted"
    facts = [
        factories.make_fact(user, f"Lives in {place}.", entity=entity, object=place, first_said_at=at, status=status)
        for place, at in zip(places, said, strict=True)
    ]
    return factories.make_conflict(user, *facts, **fields)


@pytest.mark.parametrize("path", [PATH, "/conflicts/"])
def test_conflict_shows_all_sides_with_quotes_in_the_order_said(path: str, as_: As, member: User):
    make_question(member, "Oslo", "Bergen", "Turku")

    response = as_("reviewer").get(path)

    quotes = reading.found(response, r"<blockquote [^>]*>(.*?)</blockquote>")
    assert reading.sentences(response) == quotes == ["Lives in Oslo.", "Lives in Bergen.", "Lives in Turku."]
    assert reading.found(response, r'<h2 class="state">(.*?)</h2>') == ["Open"]


def test_settled_conflicts_stand_below_with_who_settled_them(as_: As, member: User):
    make_question(member, "Paris", "Rome", settled_by="user", settled_at=WHEN)
    make_question(member, "Oslo", "Bergen")

    response = as_("member").get(PATH)

    assert reading.found(response, r'<h2 class="state">(.*?)</h2>') == ["Open", "Settled"]
    assert reading.sentences(response) == ["Lives in Oslo.", "Lives in Bergen.", "Lives in Paris.", "Lives in Rome."]
    assert reading.found(response, r"<li>(settled .*?)</li>") == [
        "settled by the user’s own later words on 10 March 2026"
    ]


def test_side_that_won_is_marked(as_: As, member: User):
    oslo, bergen = factories.make_fact(member, "Oslo."), factories.make_fact(member, "Bergen.", status="superseded")
    factories.make_conflict(member, oslo, bergen, settled_by="reviewer", winner=oslo)

    response = as_("member").get(PATH)

    assert reading.found(response, r'<li class="winner">.*?<p class="sentence[^>]*>(.*?)</p>') == ["Oslo."]


def test_question_whom_a_claim_is_about_is_asked(as_: As, member: User):
    detail = "which one is meant: anna (sister) or anna (colleague)?"
    factories.make_refusal(member, "Anna skis.", verdict="held", reason="which_subject", detail=detail)

    response = as_("member").get(PATH)

    assert reading.sentences(response) == ["Anna skis."]
    assert reading.found(response, r'<p class="detail" [^>]*>(.*?)</p>') == [detail]


def test_member_sees_their_own_conflicts_only(as_: As, other_member: User):
    make_question(other_member, "zebra-7731", "Bergen")

    response = as_("member").get(PATH)

    assert (b"zebra" in response.content, reading.found(response, "<h2>(.*?)</h2>")) == (False, ["No open question"])


def test_conflicts_across_people_name_whose_they_are(as_: As, member: User, other_member: User):
    make_question(member, "Oslo", "Bergen")
    make_question(other_member, "Paris", "Rome")

    response = as_("reviewer").get("/conflicts/")

    assert reading.found(response, r'<li>in the memory of <a href="([^"]*)/conflicts/" dir="auto">') == [
        "/people/jonas",
        "/people/maya",
    ]


@pytest.mark.parametrize("path", [PATH, "/conflicts/"])
def test_pages_of_conflicts_meet_across_open_and_settled(path: str, as_: As, member: User):
    for n in range(20):
        make_question(member, f"settled {n}", "elsewhere", settled_by="reviewer")
    for n in range(20):
        make_question(member, f"open {n}", "elsewhere")
    client = as_("reviewer")

    first = client.get(path)
    second = client.get(path + reading.links(first, "Next")[0])

    seen = [s for page in (first, second) for s in reading.sentences(page) if "elsewhere" not in s]
    newest_first = [*reversed(range(20))]
    assert seen == [f"Lives in {state} {n}." for state in ("open", "settled") for n in newest_first]


@pytest.mark.parametrize("path", [PATH, "/conflicts/"])
def test_thirty_conflicts_take_as_many_queries_as_one(path: str, as_: As, member: User):
    client = as_("reviewer")
    make_question(member, "Oslo", "Bergen")
    few = reading.queries(client, path)
    for n in range(29):
        make_question(member, f"place {n}", "Bergen")

    many = reading.queries(client, path)

    assert many == few
