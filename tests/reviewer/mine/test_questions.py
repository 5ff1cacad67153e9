"""Questions on the page: each answer whole, as a fragment, twice, by a stranger, and against someone quicker."""

from datetime import timedelta

import pytest
from django.test import Client

from memory import keys, scope
from memory.attributing import UNCLEAR
from memory.models import Candidate, Conflict, Entity, Fact, User
from memory.models.candidates import ERASED_KEY
from memory.review import settling
from memory.review.settling import Answer, Choice
from tests import factories
from tests.factories import WHEN, make_believed
from tests.memory.review.quarrels import quarrel
from tests.reviewer.reading import As, found, queries, text

HTMX = {"HX-Request": "true"}


@pytest.fixture
def sides(member: User) -> tuple[Fact, Fact]:
    """Two places to live, told at the same moment: the engine asks."""
    left = make_believed(member, "Lives in Oslo")
    right = make_believed(member, "Lives in Bergen", value="Bergen")
    return left, right


@pytest.fixture
def conflict(member: User, sides: tuple[Fact, Fact]) -> Conflict:
    with scope.user(member.pk):
        return Conflict.objects.get()


def live(user: User) -> list[str]:
    with scope.user(user.pk):
        return sorted(Fact.objects.live().filter(user=user).values_list("text", flat=True))


def settled_by(conflict: Conflict) -> str:
    with scope.user(conflict.user_id):
        return Conflict.objects.get(pk=conflict.pk).settled_by


def test_question_is_one_sentence_with_both_sides(as_: As, conflict: Conflict):
    response = as_("member").get("/mine/questions/")

    (asked,) = found(response, r'<h2 id="which-\d+">(.*?)</h2>')
    assert asked == "On 10 March 2026 you said “Lives in Oslo” and “Lives in Bergen”. Which is right?"


def test_question_of_two_days_names_both(as_: As, member: User):
    quarrel(member, "Oslo", "Bergen")
    with scope.user(member.pk):
        Fact.objects.filter(object="Bergen").update(first_said_at=WHEN + timedelta(days=2))

    response = as_("member").get("/mine/questions/")

    (asked,) = found(response, r'<h2 id="which-\d+">(.*?)</h2>')
    assert asked == "On 10 March 2026 you said “Lives in Oslo”, on 12 March 2026 “Lives in Bergen”. Which is right?"


def test_number_of_questions_stands_in_the_menu(as_: As, conflict: Conflict):
    assert found(as_("member").get("/mine/settings/"), r'Questions <span class="count">(\d+)') == ["1"]


def test_choosing_a_side_settles_it_for_everyone(as_: As, member: User, sides: tuple[Fact, Fact], conflict: Conflict):
    data = {"choice": "one", "fact": sides[1].pk}

    response = as_("member").post(f"/mine/questions/{conflict.pk}/answer/", data, follow=True)

    _, token = keys.create("agent", scopes=[keys.Scope.RECALL])
    told = Client().get("/api/v1/users/maya/conflicts", headers={"Authorization": f"Bearer {token}"})
    assert (live(member), settled_by(conflict), told.json()["conflicts"]) == (["Lives in Bergen"], "member", [])
    assert (response.redirect_chain, "No question" in text(response)) == ([("/mine/questions/", 302)], True)


@pytest.mark.parametrize(("choice", "left"), [("both", ["Lives in Bergen", "Lives in Oslo"]), ("neither", [])])
def test_both_and_neither_are_answers(choice: str, left: list[str], as_: As, conflict: Conflict):
    as_("member").post(f"/mine/questions/{conflict.pk}/answer/", {"choice": choice})

    assert (live(conflict.user), settled_by(conflict)) == (left, "member")


def test_not_sure_leaves_it_open(as_: As, conflict: Conflict):
    as_("member").post(f"/mine/questions/{conflict.pk}/answer/", {"choice": "unsure"})

    assert settled_by(conflict) == ""


def test_answer_as_a_fragment_says_what_counts_and_can_be_undone(as_: As, sides: tuple[Fact, Fact], conflict: Conflict):
    client, data = as_("member"), {"choice": "one", "fact": sides[0].pk}
    answered = client.post(f"/mine/questions/{conflict.pk}/answer/", data, headers=HTMX)

    undone = client.post(f"/mine/questions/{conflict.pk}/undo/", headers=HTMX)

    assert "Thank you. That is settled. This counts now: “Lives in Oslo”. Undo" in text(answered)
    assert (settled_by(conflict), "Which is right?" in text(undone)) == ("", True)


def test_answer_twice_is_one_answer(as_: As, sides: tuple[Fact, Fact], conflict: Conflict):
    client, path = as_("member"), f"/mine/questions/{conflict.pk}/answer/"
    client.post(path, {"choice": "one", "fact": sides[0].pk})

    second = client.post(path, {"choice": "one", "fact": sides[1].pk}, headers=HTMX)

    assert "You answered this already. This counts now: “Lives in Oslo”." in text(second)
    assert live(conflict.user) == ["Lives in Oslo"]


def test_reviewer_who_was_quicker_is_told_of(
    as_: As, staff: dict[str, User], sides: tuple[Fact, Fact], conflict: Conflict
):
    with scope.staff():
        settling.settle(conflict.pk, Answer(Choice.ONE, fact=sides[1].pk), by=staff["reviewer"])

    late = as_("member").post(
        f"/mine/questions/{conflict.pk}/answer/", {"choice": "one", "fact": sides[0].pk}, headers=HTMX
    )

    assert "Someone who checks memories answered this a moment ago." in text(late)
    assert live(conflict.user) == ["Lives in Bergen"]


@pytest.mark.parametrize("act", ["answer", "undo"])
def test_question_of_another_is_missing(act: str, as_: As, conflict: Conflict):
    response = as_("other_member").post(f"/mine/questions/{conflict.pk}/{act}/", {"choice": "both"})

    assert (response.status_code, settled_by(conflict)) == (404, "")


def test_answer_that_is_no_side_asks_again(as_: As, conflict: Conflict):
    stranger = make_believed(factories.make_user("strange"))

    response = as_("member").post(
        f"/mine/questions/{conflict.pk}/answer/", {"choice": "one", "fact": stranger.pk}, headers=HTMX
    )

    assert ("Please look again." in text(response), settled_by(conflict)) == (True, "")


@pytest.fixture
def held(member: User) -> Candidate:
    """Something said of Anna, with two Annas."""
    for note in ("sister", "colleague"):
        factories.make_entity(member, "Anna", note)
    claim = factories.make_refusal(member, "Anna likes tea", reason="hedged", verdict="refused")
    with scope.user(member.pk):
        unclear = {"subject": "Anna", "subject_key": "anna", "predicate": "likes", "object": "tea", "object_key": "tea"}
        Candidate.objects.filter(pk=claim.pk).update(verdict="held", reason=UNCLEAR, source="user", **unclear)
        return Candidate.objects.get(pk=claim.pk)


def test_whom_it_is_about_is_asked_and_believed(as_: As, member: User, held: Candidate):
    with scope.user(member.pk):
        sister = Entity.objects.get(note="sister")

    as_("member").post(f"/mine/questions/who/{held.pk}/", {"entity": sister.pk})

    with scope.user(member.pk):
        fact = Fact.objects.get()
    assert (fact.text, fact.entity_id) == ("Anna likes tea", sister.pk)


def test_none_of_them_is_not_asked_again(as_: As, member: User, held: Candidate):
    client = as_("member")

    client.post(f"/mine/questions/who/{held.pk}/", {"entity": "none"})

    assert (live(member), "No question" in text(client.get("/mine/questions/"))) == ([], True)


def test_anothers_person_is_no_answer(as_: As, member: User, held: Candidate):
    strange = factories.make_entity(factories.make_user("strange"), "Anna", "aunt")

    as_("member").post(f"/mine/questions/who/{held.pk}/", {"entity": strange.pk})

    assert live(member) == []


@pytest.mark.parametrize(("keep", "left"), [("1", ["Lives in Oslo"]), ("0", [])])
def test_said_again_after_forgetting_is_kept_only_by_a_yes(keep: str, left: list[str], as_: As, member: User):
    fact = make_believed(member)
    with scope.user(member.pk):
        claim = Candidate.objects.get()
        Fact.objects.filter(pk=fact.pk).delete()
        Candidate.objects.filter(pk=claim.pk).update(verdict="held", reason=ERASED_KEY, fact=None)
    client = as_("member")

    asked = client.get("/mine/questions/")
    client.post(f"/mine/questions/again/{claim.pk}/", {"keep": keep})
    twice = client.post(f"/mine/questions/again/{claim.pk}/", {"keep": keep})

    assert "You had something about this forgotten once" in text(asked)
    assert (live(member), twice.status_code in {302, 404}) == (left, True)


@pytest.mark.parametrize("path", ["who", "again"])
def test_held_of_another_is_missing(path: str, as_: As, held: Candidate):
    assert as_("other_member").post(f"/mine/questions/{path}/{held.pk}/").status_code == 404


def test_page_takes_as_many_statements_for_many_questions_as_for_one(as_: As, member: User):
    def ask(n: int) -> None:
        left, right = (factories.make_fact(member, f"{word} {n}", predicate=f"p{n}") for word in ("Tea", "Coffee"))
        factories.make_conflict(member, left, right)

    ask(0)
    client = as_("member")
    client.get("/mine/questions/")
    one = queries(client, "/mine/questions/")
    for n in range(1, 10):
        ask(n)

    assert queries(client, "/mine/questions/") == one
