"""Open questions and settled ones."""

from datetime import timedelta

import pytest

from memory import policies, scope
from memory.models import Conflict, User
from memory.review import settling
from memory.review.settling import Answer, Choice
from tests import factories
from tests.factories import WHEN
from tests.memory.review.quarrels import conflict_of, quarrel
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


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["Oslo", "Bergen", "Paris", "Rome", "Kyiv", "Lviv"]),
        ("?standing=open", ["Oslo", "Bergen"]),
        ("?standing=asked", ["Paris", "Rome"]),
        ("?standing=settled", ["Kyiv", "Lviv"]),
        ("?predicate=works_at", []),
        ("?person=jonas", []),
        ("?person=maya&predicate=lives_in&standing=open", ["Oslo", "Bergen"]),
    ],
)
@pytest.mark.usefixtures("other_member")
def test_conflicts_narrowed(query: str, expected: list[str], as_: As, member: User):
    make_question(member, "Kyiv", "Lviv", settled_by="reviewer")
    make_question(member, "Paris", "Rome", asked_at=WHEN)
    make_question(member, "Oslo", "Bergen")

    response = as_("reviewer").get(f"/conflicts/{query}")

    assert reading.sentences(response) == [f"Lives in {place}." for place in expected]


def test_conflicts_are_counted_by_how_far_they_have_come(as_: As, member: User):
    make_question(member, "Kyiv", "Lviv", settled_by="reviewer")
    make_question(member, "Paris", "Rome", asked_at=WHEN)
    make_question(member, "Oslo", "Bergen")

    response = as_("reviewer").get("/conflicts/?standing=open")

    assert reading.found(response, r'<nav class="chips".*?</nav>')[0].count("<a ") == 4
    assert reading.found(response, r'(?:All|Open|Asked|Settled) <span class="count">(\d+)</span>') == list("3111")


@pytest.mark.parametrize("query", ["?standing=imagined", "?person=nobody"])
def test_conflicts_narrowed_to_nonsense_are_missing(query: str, as_: As, member: User):
    assert as_("reviewer").get(f"/conflicts/{query}").status_code == 404


@pytest.mark.parametrize(("role", "expected"), [("reviewer", []), ("admin", ["lives in"])])
def test_predicate_found_both_true_is_offered_to_admins(role: str, expected: list[str], as_: As, member: User):
    both_true(member)

    response = as_(role).get("/conflicts/")

    assert reading.found(response, r'<strong dir="auto">(.*?)</strong>') == expected


@pytest.mark.parametrize(("answer", "cardinality"), [("accepted", "many"), ("declined", "one")])
def test_offer_is_answered_once(answer: str, cardinality: str, as_: As, member: User):
    both_true(member)
    client = as_("admin")

    for _ in range(2):
        response = client.post("/conflicts/offers/", {"predicate": "lives_in", "answer": answer}, follow=True)

    with scope.staff():
        vocabulary = policies.current().vocabulary
    assert (vocabulary.cardinality["lives_in"], b"May it have several" in response.content) == (cardinality, False)


def test_offer_of_what_nobody_found_is_missing(as_: As, member: User):
    both_true(member)
    client = as_("admin")

    answers = [client.post("/conflicts/offers/", given) for given in _NONSENSE]

    assert [answer.status_code for answer in answers] == [404, 404, 404]


_NONSENSE = [
    {"predicate": "works_at", "answer": "accepted"},
    {"predicate": "lives_in", "answer": "perhaps"},
    {"predicate": "works\x00at", "answer": "accepted"},
]


def both_true(user: User) -> None:
    """Somebody found two homes of the user true at once."""
    quarrel(user, "Oslo", "Bergen")
    with scope.user(user.pk):
        settling.settle(conflict_of(user).pk, Answer(Choice.BOTH), by=user)
