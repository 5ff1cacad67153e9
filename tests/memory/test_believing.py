"""What is folded, as rows: the same claims give the same rows, whatever was there."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from pytest_django import Settings

from memory import believing, policies, scope
from memory.believing import Key
from memory.models import (
    Candidate,
    Conflict,
    Derivation,
    Entity,
    Fact,
    History,
    PersonsRuling,
    Resolution,
    User,
)
from tests import working
from tests.factories import WHEN, make_episode, make_user
from tests.scripted_model import ScriptedModel, candidate

pytestmark = pytest.mark.django_db


@pytest.fixture
def user(settings: Settings) -> User:
    settings.ASSAY_NOW = WHEN + timedelta(days=30)
    return make_user()


def say(user: User, text: str, *, day: int = 0, **fields: Any) -> None:
    make_episode(user, text, occurred_at=WHEN + timedelta(days=day))
    working.work(user, working.echo(**fields))


def refold(user: User, predicate: str = "lives_in") -> None:
    with scope.user(user.pk):
        entity = Entity.objects.get(is_owner=True)
        believing.refold(user.pk, [Key(entity.pk, predicate)], policy=policies.current())


def rows(user: User) -> list[Any]:
    """All that a fold writes, ids and all."""
    with scope.user(user.pk):
        return [
            list(model._default_manager.order_by("pk").values())
            for model in (Fact, Candidate, Resolution, Conflict, History, Derivation)
        ]


def test_folding_again_changes_no_row(user: User) -> None:
    say(user, "I live in Oslo.")
    say(user, "I live in Bergen.", day=9)
    once = rows(user)

    refold(user)

    assert rows(user) == once


def test_newer_value_is_linked_to_what_it_replaced(user: User) -> None:
    say(user, "I live in Oslo.")
    say(user, "I live in Bergen.", day=9)

    with scope.user(user.pk):
        older, newer = Fact.objects.order_by("first_said_at")
    assert (older.status, older.superseded_by_id, older.is_exclusive) == ("superseded", newer.pk, False)
    assert (newer.status, newer.superseded_by_id, newer.is_exclusive) == ("active", None, True)


def test_days_are_those_of_where_the_user_lives(settings: Settings) -> None:
    late = datetime(2026, 5, 5, 2, 30, tzinfo=UTC)
    settings.ASSAY_NOW = late + timedelta(days=1)
    new_yorker = make_user(time_zone="America/New_York")
    for text, at in (("I work at Acme.", late - timedelta(days=30)), ("I work at Hooli now.", late)):
        make_episode(new_yorker, text, occurred_at=at)
        working.work(new_yorker, working.echo(predicate="works_at"))

    with scope.user(new_yorker.pk):
        older, newer = Fact.objects.order_by("first_said_at")
    assert (older.valid_to, newer.began_on) == ("2026-05-04", date(2026, 5, 4))


def test_diet_denied_in_other_words_ends_however_it_was_keyed(user: User) -> None:
    say(user, "I am a strict vegetarian.", predicate="is", object="vegetarian")
    say(user, "I am no longer vegetarian.", day=9, predicate="is_no_longer", object="vegetarian")

    assert working.facts(user) == [("I am a strict vegetarian.", "superseded")]


def test_older_value_that_comes_later_takes_no_ones_place(user: User) -> None:
    say(user, "I live in Bergen.", day=9)
    say(user, "I live in Oslo.")

    assert working.facts(user) == [("I live in Oslo.", "superseded"), ("I live in Bergen.", "active")]


def test_restated_fact_keeps_its_row_and_gains_the_claim(user: User) -> None:
    say(user, "I live in Oslo.")
    with scope.user(user.pk):
        before = Fact.objects.get()

    say(user, "I live in Oslo.", day=9)

    with scope.user(user.pk):
        after = Fact.objects.get()
        claims = Candidate.objects.filter(fact=after).count()
    assert (after.pk, claims, after.confidence > before.confidence) == (before.pk, 2, True)


def test_text_that_changes_loses_its_vector(user: User) -> None:
    say(user, "I live in Oslo.", day=9)
    with scope.user(user.pk):
        Fact.objects.update(embedding=[0.1, 0.2], embedding_model="a", text="I live in OSLO.")

    refold(user)

    with scope.user(user.pk):
        assert Fact.objects.values_list("text", "embedding_model").get() == ("I live in Oslo.", "")


def contradict(user: User) -> None:
    say(user, "I live in Oslo.")
    say(user, "I live in Bergen.", basis="inferred")
    say(user, "I live in Bergen.", day=1, basis="inferred")


def test_contradiction_opens_one_conflict_with_its_sides(user: User) -> None:
    contradict(user)

    with scope.user(user.pk):
        conflict = Conflict.objects.open().get()
        sides = sorted(conflict.sides.values_list("fact__text", "fact__status"))
    assert sides == [("I live in Bergen.", "conflicted"), ("I live in Oslo.", "conflicted")]


def test_conflict_that_the_user_settles_keeps_its_row(user: User) -> None:
    contradict(user)
    with scope.user(user.pk):
        opened = Conflict.objects.get().pk

    say(user, "I live in Bergen.", day=20)

    with scope.user(user.pk):
        found = Conflict.objects.values_list("pk", "settled_by", "winner__text").get()
    assert found == (opened, "user", "I live in Bergen.")
    assert working.facts(user) == [("I live in Oslo.", "superseded"), ("I live in Bergen.", "active")]


def test_conflict_that_never_was_is_gone(user: User) -> None:
    contradict(user)
    with scope.user(user.pk):
        Candidate.objects.filter(basis="inferred").delete()

    refold(user)

    with scope.user(user.pk):
        assert not Conflict.objects.exists()
    assert working.facts(user) == [("I live in Oslo.", "active")]


def test_claim_short_of_support_is_held_until_a_second_episode(user: User) -> None:
    say(user, "I live in Oslo.", basis="inferred")
    assert (working.facts(user), working.candidates(user)) == ([], [("I live in Oslo.", "held")])

    say(user, "I live in Oslo.", day=9, basis="inferred")

    assert working.facts(user) == [("I live in Oslo.", "active")]
    assert working.candidates(user) == [("I live in Oslo.", "accepted")] * 2


def test_ruling_follows_its_claims_to_another_entity(user: User) -> None:
    quote = [{"turn": 1, "quote": "Anna lives in York."}]
    make_episode(user, "Anna lives in York.")
    claim = candidate("Anna lives in York.", subject="Anna", object="York", evidence=quote)
    working.work(user, ScriptedModel([{"candidates": [claim]}]))
    with scope.user(user.pk):
        fact = Fact.objects.get()
        PersonsRuling.objects.create(
            user=user,
            entity=fact.entity,
            predicate="lives_in",
            verb="retract",
            claims=list(fact.claims.values_list("pk", flat=True)),
            by="member",
            at=WHEN,
        )
        other = Entity.objects.create(user=user, name="Anna", name_key="anna", note="vet", note_key="vet")
        Candidate.objects.update(entity=other)

    with scope.user(user.pk):
        believing.refold(
            user.pk, [Key(fact.entity_id, "lives_in"), Key(other.pk, "lives_in")], policy=policies.current()
        )

    with scope.user(user.pk):
        assert list(Fact.objects.values_list("entity", "status")) == [(other.pk, "retracted")]


def test_two_facts_that_swap_places_break_no_rule(user: User) -> None:
    people = [("Anna", "Leeds"), ("Tom", "York")]
    for name, place in people:
        text = f"{name} lives in {place}."
        make_episode(user, text)
        claim = candidate(text, subject=name, object=place, evidence=[{"turn": 1, "quote": text}])
        working.work(user, ScriptedModel([{"candidates": [claim]}]))
    with scope.user(user.pk):
        anna, tom = (Entity.objects.get(name=name) for name, _ in people)
        first, second = Candidate.objects.order_by("pk")
        Candidate.objects.filter(pk=first.pk).update(entity=tom)
        Candidate.objects.filter(pk=second.pk).update(entity=anna)

    with scope.user(user.pk):
        believing.refold(user.pk, [Key(anna.pk, "lives_in"), Key(tom.pk, "lives_in")], policy=policies.current())

    with scope.user(user.pk):
        found = Fact.objects.order_by("subject").values_list("subject", "object", "status", "is_exclusive")
        assert list(found) == [("Anna", "York", "active", True), ("Tom", "Leeds", "active", True)]


def test_inference_from_a_known_fact_is_derived_from_it(user: User) -> None:
    say(user, "I live in Oslo.")
    for day in (1, 2):
        say(user, "I use the T-bane.", day=day, predicate="uses", basis="inferred", about=1)

    with scope.user(user.pk):
        found = Derivation.objects.values_list("fact__text", "base__text")
        assert list(found) == [("I use the T-bane.", "I live in Oslo.")]


def test_history_holds_ids_and_names_of_fields_alone(user: User) -> None:
    say(user, "I live in Oslo.")
    say(user, "I live in Bergen.", day=9)

    with scope.user(user.pk):
        found = list(History.objects.order_by("pk").values_list("actor", "action", "table", "fields"))
    assert [row[:3] for row in found] == [
        ("engine", "learn", "fact"),
        ("engine", "change", "fact"),
        ("engine", "learn", "fact"),
    ]
    assert set(found[1][3]) >= {"status", "superseded_by_id", "valid_to"}


def test_fold_of_a_new_key_asks_for_nothing_that_cannot_be(user: User, django_assert_max_num_queries: Any) -> None:
    say(user, "I live in Oslo.")
    with scope.user(user.pk):
        Fact.objects.all().delete()
        entity = Entity.objects.get(is_owner=True)
    policy = policies.current()

    with scope.user(user.pk), django_assert_max_num_queries(7):
        believing.refold(user.pk, [Key(entity.pk, "lives_in")], policy=policy)
