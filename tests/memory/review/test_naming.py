"""Names put on and taken off: what is said moves along, and back as it was."""

from typing import Any

import pytest

from memory import scope
from memory.errors import NotFound, Refused
from memory.models import Alias, Dismissal, Entity, Fact, History, User
from memory.review import likeness, naming
from memory.review.likeness import Why
from tests import factories, working
from tests.factories import make_episode, make_user
from tests.scripted_model import ScriptedModel, candidate

pytestmark = pytest.mark.django_db


@pytest.fixture
def user(db: None) -> User:
    return make_user("maya")


@pytest.fixture
def reviewer(db: None) -> User:
    return factories.make_login("reviewer", "rita", display_name="Rita")


def say(user: User, text: str, subject: str, **fields: Any) -> None:
    make_episode(user, text)
    claim = candidate(text, subject=subject, evidence=[{"turn": 1, "quote": text}]) | fields
    working.work(user, ScriptedModel([{"candidates": [claim]}]))


def told(user: User) -> list[tuple[str, str, str]]:
    """Whom each fact is about, what it says, and its status."""
    with scope.user(user.pk):
        rows = Fact.objects.select_related("entity").order_by("text", "pk")
        return [(str(row.entity), row.text, row.status) for row in rows]


def entity(user: User, name: str) -> Entity:
    with scope.user(user.pk):
        return Entity.objects.get(name=name)


def alias(user: User, name: str, other: str, *, by: User) -> Alias:
    pk = entity(user, name).pk
    with scope.user(user.pk):
        return naming.alias(user.pk, pk, other, actor=by)


def test_alias_brings_what_is_said_of_the_name(user: User, reviewer: User):
    say(user, "Katherine lives in Bristol.", "Katherine", object="Bristol")
    say(user, "Kate plays chess.", "Kate", predicate="plays", object="chess")

    alias(user, "Katherine", "Kate", by=reviewer)

    assert told(user) == [
        ("Katherine", "Kate plays chess.", "active"),
        ("Katherine", "Katherine lives in Bristol.", "active"),
    ]


def test_what_two_names_say_of_one_key_is_weighed_together(user: User, reviewer: User):
    say(user, "Katherine lives in Bristol.", "Katherine", object="Bristol")
    say(user, "Kate lives in Leeds.", "Kate", object="Leeds", speech="changes")

    alias(user, "Katherine", "Kate", by=reviewer)

    assert [status for _, _, status in told(user)] != ["active", "active"]


def test_name_taken_off_parts_them_as_they_were(user: User, reviewer: User):
    say(user, "Katherine lives in Bristol.", "Katherine", object="Bristol")
    say(user, "Kate lives in Leeds.", "Kate", object="Leeds", speech="changes")
    before = told(user)
    row = alias(user, "Katherine", "Kate", by=reviewer)

    with scope.user(user.pk):
        naming.unalias(user.pk, row.pk, actor=reviewer)

    assert told(user) == before


def test_alias_twice_is_one(user: User, reviewer: User):
    say(user, "Katherine lives in Bristol.", "Katherine", object="Bristol")

    first, second = (alias(user, "Katherine", "Kate", by=reviewer) for _ in range(2))

    assert first.pk == second.pk
    with scope.user(user.pk):
        assert list(History.objects.filter(table="entity").values_list("action", flat=True)) == ["alias"]


@pytest.mark.parametrize("name", ["", "  ", "I", "Katherine", "x" * 201, "\u200b"])
def test_name_that_is_none_is_refused(name: str, user: User, reviewer: User):
    say(user, "Katherine lives in Bristol.", "Katherine", object="Bristol")

    with pytest.raises(Refused):
        alias(user, "Katherine", name, by=reviewer)


def test_name_of_somebody_else_is_refused(user: User, reviewer: User):
    say(user, "Katherine lives in Bristol.", "Katherine", object="Bristol")
    say(user, "Karen lives in Leeds.", "Karen", object="Leeds")
    alias(user, "Katherine", "Kate", by=reviewer)

    with pytest.raises(Refused, match="already means Katherine"):
        alias(user, "Karen", "Kate", by=reviewer)


def test_entity_of_a_stranger_cannot_be_named(user: User, reviewer: User):
    say(user, "Katherine lives in Bristol.", "Katherine", object="Bristol")
    pk = entity(user, "Katherine").pk
    stranger = make_user()

    with scope.user(stranger.pk), pytest.raises(NotFound):
        naming.alias(stranger.pk, pk, "Kate", actor=reviewer)


def suggested(user: User) -> list[tuple[str, str, tuple[Why, ...]]]:
    with scope.user(user.pk):
        return [(str(pair.entity), str(pair.other), pair.reasons) for pair in likeness.suggestions(user.pk)]


def make(user: User, name: str, note: str = "", **fields: Any) -> Entity:
    row = factories.make_entity(user, name, note)
    factories.make_fact(user, f"{name} is known", entity=row, **{"object": name, "object_key": name.lower()} | fields)
    return row


@pytest.mark.parametrize(
    ("one", "other", "reasons"),
    [
        ("Katherine", "Kate", (Why.NICKNAME,)),
        ("Anna Virtanen", "Anna", (Why.PART,)),
        ("Jonathan Smith", "Jonathon Smith", (Why.SPELLING,)),
        ("Наталья", "Наташа", (Why.NICKNAME,)),
    ],
)
def test_likely_names_are_suggested_with_the_reason(one: str, other: str, reasons: tuple[Why, ...], user: User):
    make(user, one)
    make(user, other)

    assert suggested(user) == [(one, other, reasons)]


@pytest.mark.parametrize(
    ("one", "other"), [("Tigran", "Iran"), ("Room 101", "Room 102"), ("Maria", "Jonas"), ("Victor", "Hector")]
)
def test_unlike_names_are_not_suggested(one: str, other: str, user: User):
    make(user, one)
    make(user, other)

    assert suggested(user) == []


def test_two_that_were_told_apart_are_not_suggested(user: User):
    make(user, "Anna", "sister")
    make(user, "Anna", "colleague")

    assert suggested(user) == []


def test_same_things_known_of_both_are_a_reason(user: User):
    one, other = make(user, "Mum"), make(user, "Ingrid Larsen")
    for predicate, value in (("works_at", "Acme"), ("lives_in", "Bergen")):
        for row in (one, other):
            factories.make_fact(
                user, f"{row} {value}", entity=row, predicate=predicate, object=value, object_key=value.lower()
            )

    assert suggested(user) == [("Ingrid Larsen", "Mum", (Why.SAME_FACTS,))]


def test_suggestion_merges_nothing(user: User):
    make(user, "Katherine")
    make(user, "Kate")

    suggested(user)

    assert [name for name, _, _ in told(user)] == ["Kate", "Katherine"]


def test_dismissed_pair_is_not_suggested_until_reconsidered(user: User, reviewer: User):
    one, other = make(user, "Katherine"), make(user, "Kate")
    with scope.user(user.pk):
        row = naming.dismiss(user.pk, other.pk, one.pk, actor=reviewer)
        naming.dismiss(user.pk, one.pk, other.pk, actor=reviewer)
    after = suggested(user)
    with scope.user(user.pk):
        count = Dismissal.objects.count()
        naming.reconsider(user.pk, row.pk, actor=reviewer)

    assert (after, count) == ([], 1)
    assert suggested(user) == [("Katherine", "Kate", (Why.NICKNAME,))]


def test_joining_makes_the_other_an_alias(user: User, reviewer: User):
    say(user, "Katherine lives in Bristol.", "Katherine", object="Bristol")
    say(user, "Kate plays chess.", "Kate", predicate="plays", object="chess")
    one, other = entity(user, "Katherine"), entity(user, "Kate")

    with scope.user(user.pk):
        naming.join(user.pk, one.pk, other.pk, actor=reviewer)

    assert [name for name, _, _ in told(user)] == ["Katherine", "Katherine"]
    with scope.user(user.pk):
        assert list(Alias.objects.values_list("alias", "entity__name")) == [("Kate", "Katherine")]
