"""Attribution in the database: the same people, whatever came in first."""

import itertools
from datetime import timedelta

import pytest

from memory import attributing, believing, policies, scope
from memory.models import Alias, Candidate, Entity, Fact, User
from tests import working
from tests.factories import WHEN, make_episode, make_user
from tests.scripted_model import ScriptedModel, candidate

pytestmark = pytest.mark.django_db

SAID = {
    "My sister Anna lives in Bristol.": ("Anna", "sister", "Bristol"),
    "My colleague Anna lives in Leeds.": ("Anna", "colleague", "Leeds"),
    "Anna lives in York.": ("Anna", None, "York"),
    "My brother Tom lives in Kiel.": ("Tom", "brother", "Kiel"),
    "My brother Max lives in Bremen.": ("Max", "brother", "Bremen"),
    "My brother lives in Rostock.": ("brother", None, "Rostock"),
}


def say(user: User, text: str, *, day: int, **fields: object) -> None:
    subject, note, place = SAID[text]
    make_episode(user, text, occurred_at=WHEN + timedelta(days=day))
    quote = [{"turn": 1, "quote": text}]
    claim = candidate(text, subject=subject, subject_note=note, object=place, evidence=quote) | fields
    working.work(user, ScriptedModel([{"candidates": [claim]}]))


def people(user: User) -> dict[str, str | None]:
    """Who each claim is about."""
    with scope.user(user.pk):
        return {row.text: str(row.entity) if row.entity else None for row in Candidate.objects.select_related("entity")}


def entities(user: User) -> list[str]:
    with scope.user(user.pk):
        return sorted(str(row) for row in Entity.objects.filter(is_owner=False))


def test_sister_and_colleague_are_two_and_the_bare_name_a_question() -> None:
    user = make_user()
    for day, text in enumerate([*SAID][:3]):
        say(user, text, day=day)

    assert people(user) == {
        "My sister Anna lives in Bristol.": "Anna (sister)",
        "My colleague Anna lives in Leeds.": "Anna (colleague)",
        "Anna lives in York.": None,
    }
    with scope.user(user.pk):
        held = Candidate.objects.get(entity=None)
    assert (held.verdict, held.detail) == ("held", "which one is meant: anna (sister) or anna (colleague)?")


@pytest.mark.parametrize("texts", [[*SAID][:3], [*SAID][3:]], ids=["namesakes", "brothers"])
def test_any_order_of_arrival_ends_in_the_same_people(texts: list[str]) -> None:
    ends = []
    for order in itertools.permutations(range(3)):
        user = make_user()
        for place in order:
            say(user, texts[place], day=place)
        ends.append((people(user), entities(user), sorted(working.facts(user))))

    assert ends == ends[:1] * 6


def test_bare_role_that_turns_out_to_be_someone_leaves_no_empty_entity() -> None:
    user = make_user()
    say(user, "My brother lives in Rostock.", day=0)
    say(user, "My brother Tom lives in Kiel.", day=1, speech="changes")

    assert entities(user) == ["Tom (brother)"]
    assert [status for _, status in working.facts(user)] == ["superseded", "active"]


def test_bare_name_with_both_told_apart_in_one_window_is_not_merged() -> None:
    user = make_user()
    say(user, "Anna lives in York.", day=0)
    texts = [*SAID][:2]
    make_episode(user, *texts, occurred_at=WHEN + timedelta(days=1))
    claims = [
        candidate(
            text,
            subject="Anna",
            subject_note=SAID[text][1],
            object=SAID[text][2],
            evidence=[{"turn": turn, "quote": text}],
        )
        for turn, text in enumerate(texts, start=1)
    ]

    working.work(user, ScriptedModel([{"candidates": claims}]))

    assert entities(user) == ["Anna (colleague)", "Anna (sister)"]


def test_alias_brings_claims_to_who_it_names() -> None:
    user = make_user()
    say(user, "My brother Tom lives in Kiel.", day=0)
    say(user, "My brother lives in Rostock.", day=1)
    say(user, "Anna lives in York.", day=2)

    with scope.user(user.pk):
        tom = Entity.objects.get(name="Tom")
        Alias.objects.create(user=user, entity=tom, alias="Anna", alias_key="anna")
        keys = attributing.attribute_names(user.pk, {"anna"})
        believing.refold(user.pk, [believing.Key(*key) for key in keys], policy=policies.current())

    assert set(people(user).values()) == {"Tom (brother)"}
    assert entities(user) == ["Tom (brother)"]


@pytest.mark.parametrize("subject", ["user", "Mia", "I", "the user"])
def test_owners_names_mean_the_owner(subject: str) -> None:
    user = make_user(display_name="Mia")
    make_episode(user, "I live in Oslo.")

    working.work(user, ScriptedModel([{"candidates": [candidate("I live in Oslo.", subject=subject)]}]))

    with scope.user(user.pk):
        assert Fact.objects.get().entity.is_owner


def test_name_is_written_as_it_was_first_said() -> None:
    user = make_user()
    say(user, "Anna lives in York.", day=5)
    make_episode(user, "ANNA lives in Hull.", occurred_at=WHEN)
    claim = candidate("ANNA lives in Hull.", subject="ANNA", object="Hull")

    working.work(user, ScriptedModel([{"candidates": [claim]}]))

    with scope.user(user.pk):
        assert set(Fact.objects.values_list("subject", flat=True)) == {"ANNA"}
