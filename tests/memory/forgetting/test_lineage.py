"""What an erased fact had superseded, corrected or denied: back only when its person says that it was wrong."""

from typing import Any

import pytest

from memory import forgetting, scope
from memory.models import Conflict, Fact
from tests.factories import make_user
from tests.memory.forgetting.living import claim, erase, fact, facts, lives, living_in, tell

pytestmark = pytest.mark.django_db


def _likes(word: str, **fields: Any) -> dict[str, Any]:
    return claim(f"I like {word}.", predicate="likes", object=word, **fields)


def test_erased_as_wrong_the_older_value_is_believed_again() -> None:
    user = living_in("Oslo", "Bergen")

    erase(user, "Bergen", was_wrong=True)

    assert facts(user) == [("Oslo", "active")]


def test_erased_as_private_the_older_value_stays_past() -> None:
    user = living_in("Oslo", "Bergen")
    ended = fact(user, "Oslo").valid_to

    erase(user, "Bergen")

    assert facts(user) == [("Oslo", "superseded")]
    assert fact(user, "Oslo").valid_to == ended


@pytest.mark.parametrize(("was_wrong", "oslo"), [(True, "superseded"), (False, "superseded")])
def test_middle_of_a_lineage_leaves_its_ends(was_wrong: bool, oslo: str) -> None:  # noqa: FBT001
    user = living_in("Oslo", "Bergen", "Rome")

    erase(user, "Bergen", was_wrong=was_wrong)

    assert facts(user) == [("Oslo", oslo), ("Rome", "active")]


@pytest.mark.parametrize(("was_wrong", "left"), [(True, "active"), (False, "superseded")])
def test_value_returned_to_goes_with_its_earlier_row(was_wrong: bool, left: str) -> None:  # noqa: FBT001
    user = living_in("Oslo", "Bergen", "Oslo")

    erase(user, "Oslo", was_wrong=was_wrong)

    assert facts(user) == [("Bergen", left)]


@pytest.mark.parametrize(("was_wrong", "left"), [(True, "active"), (False, "retracted")])
def test_correction(was_wrong: bool, left: str) -> None:  # noqa: FBT001
    user = living_in("Oslo")
    sentence = "Sorry, I live in Bergen, not in Oslo."
    tell(user, sentence, claims=[lives("Bergen", quote=sentence, speech="corrects", about=1)], day=1)
    assert facts(user) == [("Oslo", "retracted"), ("Bergen", "active")]

    erase(user, "Bergen", was_wrong=was_wrong)

    assert facts(user) == [("Oslo", left)]


@pytest.mark.parametrize(("was_wrong", "left"), [(True, "active"), (False, "superseded")])
def test_denial_kept_as_a_fact(was_wrong: bool, left: str) -> None:  # noqa: FBT001
    user = make_user()
    tell(user, "I like sushi.", claims=[_likes("sushi")])
    tell(
        user,
        "I hate sushi now.",
        claims=[claim("I hate sushi now.", predicate="likes", object="sushi", polarity="denies", speech="changes")],
        day=30,
    )
    assert [status for _, status in facts(user)] == ["superseded", "active"]

    erase(user, "I hate sushi now.", was_wrong=was_wrong)

    assert facts(user) == [("sushi", left)]


@pytest.mark.parametrize(("was_wrong", "left"), [(True, "active"), (False, "superseded")])
def test_refinement(was_wrong: bool, left: str) -> None:  # noqa: FBT001
    user = make_user()
    for day, database in ((0, "Postgres"), (30, "Postgres 16 on Neon")):
        sentence = f"My database is {database}."
        tell(user, sentence, claims=[claim(sentence, predicate="primary_database", object=database)], day=day)
    before = facts(user)
    assert [status for _, status in before] in (["superseded", "active"], ["active", "active"])

    erase(user, "Postgres 16 on Neon", was_wrong=was_wrong)

    assert facts(user) == [("Postgres", left if before[0][1] == "superseded" else "active")]


def test_older_value_whose_time_is_over_does_not_come_back() -> None:
    user = make_user()
    sentence = "I lived in Oslo until 2018."
    tell(user, sentence, claims=[lives("Oslo", quote=sentence, valid_to="2018")])
    tell(user, "I live in Bergen.", claims=[lives("Bergen")], day=30)

    erase(user, "Bergen", was_wrong=True)

    assert facts(user) == [("Oslo", "superseded")]


def test_many_valued_facts_stay_as_they_are() -> None:
    user = make_user()
    tell(user, "I like tea. I like jazz.", claims=[_likes("tea"), _likes("jazz")])

    erase(user, "tea")

    assert facts(user) == [("jazz", "active")]


@pytest.mark.parametrize("was_wrong", [True, False])
def test_other_side_of_a_conflict_is_active(was_wrong: bool) -> None:  # noqa: FBT001
    user = make_user()
    tell(user, "I live in Oslo.", claims=[lives("Oslo")])
    tell(user, "I live in Bergen.", claims=[lives("Bergen")])
    assert {status for _, status in facts(user)} == {"conflicted"}

    erase(user, "Bergen", was_wrong=was_wrong)

    assert facts(user) == [("Oslo", "active")]
    with scope.user(user.pk):
        assert Conflict.objects.count() == 0


def test_third_side_of_a_conflict_leaves_the_question_between_the_others() -> None:
    user = make_user()
    for place in ("Oslo", "Bergen", "Rome"):
        tell(user, f"I live in {place}.", claims=[lives(place)])

    erase(user, "Rome")

    assert sorted(facts(user)) == [("Bergen", "conflicted"), ("Oslo", "conflicted")]


def test_erasing_does_not_bring_back_what_a_person_retracted() -> None:
    user = living_in("Oslo", "Bergen")
    oslo = fact(user, "Oslo").pk
    with scope.user(user.pk):
        forgetting.retire(user.pk, [oslo], actor=user)

    erase(user, "Bergen", was_wrong=True)

    assert facts(user) == [("Oslo", "retracted")]


def test_preview_names_what_would_stay_past() -> None:
    user = living_in("Oslo", "Bergen")

    with scope.user(user.pk):
        going = forgetting.preview(user.pk, [Fact.objects.get(object="Bergen").pk])
        assert [*Fact.objects.filter(pk__in=going.older).values_list("object", flat=True)] == ["Oslo"]


def test_preview_leaves_out_what_only_stood_beside() -> None:
    user = make_user()
    for day, tool in enumerate(("Slack", "Linear")):
        tell(user, f"I use {tool}.", claims=[claim(f"I use {tool}.", predicate="uses", object=tool)], day=day)
    denied = "I no longer use Slack."
    tell(user, denied, claims=[claim(denied, predicate="uses", object="Slack", polarity="denies")], day=9)

    with scope.user(user.pk):
        going = forgetting.preview(user.pk, [Fact.objects.get(object="Linear").pk])

    assert facts(user)[:2] == [("Slack", "superseded"), ("Linear", "active")]
    assert going.older == ()
