"""How claims were resolved, and what staff say of it."""

from datetime import timedelta

import pytest

from memory import scope
from memory.models import Candidate, JudgedPair, User
from tests.factories import WHEN
from tests.memory.review.quarrels import beliefs, tell
from tests.reviewer import reading
from tests.reviewer.reading import As

PATH = "/resolutions/"
HTMX = {"HX-Request": "true"}
LATER = WHEN + timedelta(days=9)


def moved(user: User, *places: str) -> Candidate:
    """Somebody who moved from place to place; the last claim."""
    places = places or ("Oslo", "Bergen")
    return [tell(user, place, at=WHEN + timedelta(days=9 * n)) for n, place in enumerate(places)][-1]


def path_of(user: User, claim: Candidate, act: str = "") -> str:
    return f"/people/{user.external_id}/resolutions/{claim.pk}/{act}"


def test_decision_is_shown_before_and_after_with_its_reason(as_: As, member: User):
    moved(member)

    response = as_("reviewer").get(PATH)

    assert reading.sentences(response) == ["Lives in <mark>Oslo</mark>", "Lives in <mark>Bergen</mark>"]
    assert reading.found(response, r'<span class="badge reason">(.*?)</span>') == ["replaces a known fact"]
    assert reading.found(response, r"<bdi>(.*?)</bdi>") == ["Takes the place of “Oslo”: newer."]


def test_list_leads_to_each_decision_by_itself(as_: As, member: User):
    claim = moved(member)

    response = as_("reviewer").get(PATH)

    assert reading.found(response, r'<a href="([^"]*)">By itself') == [path_of(member, claim)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["Bergen", "tea", "Oslo"]),
        ("?relation=update", ["Bergen"]),
        ("?relation=duplicate&judge=rule", ["Oslo"]),
        ("?judge=model", []),
        ("?standing=right", []),
        ("?person=jonas", []),
    ],
)
@pytest.mark.usefixtures("other_member")
def test_decisions_narrowed(query: str, expected: list[str], as_: As, member: User):
    moved(member, "Oslo", "Oslo")
    tell(member, "rum", predicate="likes")
    tell(member, "tea", predicate="likes", at=LATER)
    tell(member, "Bergen", at=LATER + timedelta(days=9))

    response = as_("reviewer").get(PATH + query)

    said = [sentence.rpartition(" ")[2] for sentence in reading.sentences(response)[1::2]]
    assert [word.replace("<mark>", "").replace("</mark>", "") for word in said] == expected


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(
    ("answer", "told", "expected"),
    [
        ("update", "Right", [("Oslo", "superseded", "Bergen"), ("Bergen", "active", None)]),
        ("wrong", "Wrong: it contradicts a known fact", [("Oslo", "conflicted", None), ("Bergen", "conflicted", None)]),
        ("compatible", "Wrong: it stands beside known facts", [("Oslo", "active", None), ("Bergen", "active", None)]),
    ],
)
def test_decision_audited(  # noqa: PLR0913, PLR0917 - a table of answers
    headers: dict[str, str], answer: str, told: str, expected: list[object], as_: As, member: User
):
    claim = moved(member)

    response = as_("reviewer").post(path_of(member, claim, "audit/"), {"answer": answer}, headers=headers, follow=True)

    assert reading.found(response, r"<strong>(.*?)</strong>") == [told]
    assert beliefs(member) == expected


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_audit_undone_leaves_the_decision_as_it_was(headers: dict[str, str], as_: As, member: User):
    claim = moved(member)
    client = as_("reviewer")
    client.post(path_of(member, claim, "audit/"), {"answer": "wrong"})

    response = client.post(path_of(member, claim, "undo/"), headers=headers, follow=True)

    assert beliefs(member) == [("Oslo", "superseded", "Bergen"), ("Bergen", "active", None)]
    assert reading.found(response, r'action="[^"]*(audit)/"') == ["audit"]


def test_undo_is_offered_to_whom_it_is_open(as_: As, member: User):
    claim = moved(member)
    as_("reviewer").post(path_of(member, claim, "audit/"), {"answer": "wrong"})
    own = as_("reviewer").get(path_of(member, claim, ""))
    by_admin = as_("admin").get(path_of(member, claim, ""))
    with scope.staff():
        JudgedPair.objects.filter(by="reviewer").update(actor=None)

    others = as_("reviewer").get(path_of(member, claim, ""))

    offered = [reading.found(response, r'action="[^"]*/(undo)/"') for response in (own, by_admin, others)]
    assert offered == [["undo"], ["undo"], []]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_undo_of_what_another_said_is_told_and_changes_nothing(headers: dict[str, str], as_: As, member: User):
    claim = moved(member)
    as_("admin").post(path_of(member, claim, "audit/"), {"answer": "wrong"})
    before = beliefs(member)

    response = as_("reviewer").post(path_of(member, claim, "undo/"), headers=headers)

    told = "Somebody else said so. They can take it back; what a reviewer said an admin can, too."
    assert reading.found(response, r'role="alert">(.*?)</p>') == [told]
    assert beliefs(member) == before


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_audited_twice_shows_the_first(headers: dict[str, str], as_: As, member: User):
    claim = moved(member)
    client = as_("reviewer")
    client.post(path_of(member, claim, "audit/"), {"answer": "wrong"})

    response = client.post(path_of(member, claim, "audit/"), {"answer": "update"}, headers=headers, follow=True)

    assert reading.found(response, r"<strong>(.*?)</strong>") == ["Wrong: it contradicts a known fact"]
    assert b"Somebody was quicker" in response.content


def test_answer_that_makes_no_sense_changes_nothing(as_: As, member: User):
    claim = moved(member)

    response = as_("reviewer").post(path_of(member, claim, "audit/"), {"answer": "perhaps"})

    assert reading.found(response, r'role="alert">(.*?)</p>') == ["Choose one of the answers."]
    assert beliefs(member) == [("Oslo", "superseded", "Bergen"), ("Bergen", "active", None)]


def test_audited_decision_moves_to_its_list_and_count(as_: As, member: User):
    claim = moved(member)
    client = as_("reviewer")

    fragment = client.post(path_of(member, claim, "audit/"), {"answer": "wrong"}, headers=HTMX)
    lists = [reading.sentences(client.get(f"{PATH}?standing={name}")) for name in ("unseen", "right", "wrong")]

    assert reading.found(fragment, r'Found \w+ <span class="count">(\d)</span>') == ["0", "1"]
    assert [len(sentences) for sentences in lists] == [0, 0, 2]


@pytest.mark.parametrize("act", ["", "audit/", "undo/"])
@pytest.mark.parametrize(("role", "whose"), [("member", "maya"), ("other_member", "maya"), ("reviewer", "jonas")])
@pytest.mark.usefixtures("other_member")
def test_decision_is_missing_to_strangers_and_under_another(act: str, role: str, whose: str, as_: As, member: User):  # noqa: PLR0917 - a table of who
    claim = moved(member, "zebra-7731", "Bergen")
    client = as_(role)
    path = path_of(member, claim, act).replace("maya", whose)

    response = client.post(path, {"answer": "wrong"}) if act else client.get(path)

    assert (response.status_code, b"zebra" in response.content) == (404, False)


def test_thirty_decisions_take_as_many_queries_as_one(as_: As, member: User):
    moved(member)
    client = as_("reviewer")
    client.get(PATH)  # who looked is noted once
    few = reading.queries(client, PATH)
    for n in range(29):
        tell(member, f"Town {n}", at=LATER + timedelta(days=9 + 9 * n))

    assert reading.queries(client, PATH) == few


@pytest.mark.parametrize("query", ["?standing=imagined", "?relation=new", "?judge=imagined", "?person=nobody"])
def test_decisions_narrowed_to_nonsense_are_missing(query: str, as_: As):
    assert as_("reviewer").get(PATH + query).status_code == 404
