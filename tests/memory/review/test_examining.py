"""The checks of memory's health on real rows: each where it is good, to be watched and bad."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memory import forgetting, scope
from memory.models import Alias, Decided, Derivation, Dismissal, Episode, Evidence, Fact, Job, ModelCall, Recalled, User
from memory.review import examining
from memory.review.checking import Level
from tests import factories
from tests.factories import WHEN

pytestmark = pytest.mark.django_db

GOOD, WATCH, BAD, EARLY = Level.GOOD, Level.WATCH, Level.BAD, Level.EARLY


@pytest.fixture
def maya() -> User:
    return factories.make_user("maya")


def report() -> dict[str, Any]:
    with scope.staff():
        return examining.report()


def level(name: str) -> str:
    return str(report()["levels"][name])


def read(user: User, turns: int, **fields: Any) -> Episode:
    """An episode that was read to its end."""
    episode = factories.make_episode(user, *["Hello."] * turns, state="done", read_turns=turns)
    change(Episode, [episode.pk], **fields)
    return episode


def change(model: Any, ids: list[int], **fields: Any) -> None:
    with scope.staff():
        model.objects.filter(pk__in=ids).update(**fields)


def facts(user: User, count: int, **fields: Any) -> list[Fact]:
    """Facts that share one episode."""
    episode = factories.make_episode(user, "Hello.")
    return [factories.make_fact(user, f"Fact {n}.", episode=episode, predicate=f"p{n}", **fields) for n in range(count)]


def refuse(user: User, count: int) -> None:
    episode = factories.make_episode(user, "Maybe.")
    for n in range(count):
        factories.make_refusal(user, f"Maybe {n}.", episode=episode, place=n)


def test_empty_memory_is_well_or_too_young_to_tell():
    found = report()

    assert {name for name, level in found["levels"].items() if level == GOOD} == {
        "laundering",
        "undated",
        "lineage",
        "backlog",
    }
    assert {*found["levels"].values()} == {GOOD, EARLY}


@pytest.mark.parametrize(
    ("turns", "refused", "expected"), [(49, 0, EARLY), (50, 1, GOOD), (120, 1, WATCH), (50, 0, BAD)]
)
def test_gate_is_judged_by_what_it_refuses(turns: int, refused: int, expected: Level, maya: User):
    read(maya, turns)
    refuse(maya, refused)

    assert level("gate") == expected


def test_gate_that_refuses_nothing_to_one_person_is_watched_and_they_are_named(maya: User):
    other = factories.make_user()
    read(maya, 60)
    read(other, 60)
    refuse(other, 5)

    found = report()

    assert (found["levels"]["gate"], found["people"]["gate"]) == (WATCH, [maya.pk])


def test_refusals_of_long_ago_do_not_speak_for_the_gate_of_today(maya: User):
    read(maya, 50)
    refusal = factories.make_refusal(maya)
    change(type(refusal), [refusal.pk], created_at=timezone.now() - timedelta(days=40))

    assert level("gate") == BAD


def test_quiet_weeks_are_judged_by_all_that_was_ever_read(maya: User):
    read(maya, 60, created_at=timezone.now() - timedelta(days=40))
    read(maya, 10)

    found = report()

    assert (found["counted"]["days"], found["counted"]["turns"]) == (0, 70)


@pytest.mark.parametrize(("count", "expected"), [(10, GOOD), (11, WATCH), (21, BAD)])
def test_facts_a_turn_are_judged_by_the_line_of_one_in_five(count: int, expected: Level, maya: User):
    read(maya, 50)
    facts(maya, count)

    found = report()

    assert found["levels"]["few"] == expected
    assert (found["people"]["few"] or []) == ([] if expected == GOOD else [maya.pk])


@pytest.mark.parametrize(("count", "expected"), [(10, GOOD), (11, WATCH), (26, BAD)])
def test_extraction_that_runs_per_turn_shows(count: int, expected: Level, maya: User):
    read(maya, 50)
    for _ in range(count):
        factories.make_call(maya, model="m", prompt_version="p")

    assert level("calls") == expected


def test_calls_of_the_judge_are_no_extraction(maya: User):
    read(maya, 50)
    with scope.user(maya.pk):
        ModelCall.objects.bulk_create(
            ModelCall(user=maya, name="judgement", model="m", prompt_version="p") for _ in range(60)
        )

    assert level("calls") == GOOD


@pytest.mark.parametrize(
    ("days", "conflicts", "expected"), [(27, 0, EARLY), (28, 0, BAD), (28, 1, GOOD)], ids=["young", "none", "one"]
)
def test_contradictions_are_expected_after_real_use(days: int, conflicts: int, expected: Level, maya: User):
    made = facts(maya, 200)
    change(Fact, [made[0].pk], first_said_at=WHEN - timedelta(days=days))
    if conflicts:
        factories.make_conflict(maya, *made[:2])

    assert level("conflicts") == expected


def test_contradictions_that_hardly_ever_show_are_watched(maya: User):
    first, last = factories.make_fact(maya, "A."), factories.make_fact(maya, "B.", first_said_at=WHEN - timedelta(60))
    factories.make_conflict(maya, first, last)
    columns = [field.attname for field in Fact._meta.concrete_fields if not field.primary_key]
    values = {name: getattr(first, name) for name in columns}
    with scope.user(maya.pk):
        Fact.objects.bulk_create(Fact(**values) for _ in range(999))

    assert level("conflicts") == WATCH


def hollow(fact: Fact) -> None:
    """Only what the assistant said is behind it."""
    change(Evidence, list(_evidence(fact)), role="assistant")


def _evidence(fact: Fact) -> list[int]:
    with scope.staff():
        return list(Evidence.objects.filter(candidate__fact=fact).values_list("pk", flat=True))


@pytest.mark.parametrize(("count", "expected"), [(200, WATCH), (20, BAD)])
def test_fact_that_only_the_assistant_said_is_laundered(count: int, expected: Level, maya: User):
    made = facts(maya, count)
    hollow(made[3])

    found = report()

    assert (found["levels"]["laundering"], found["counted"]["hollow"]) == (expected, 1)
    assert found["facts"]["laundering"] == [(maya.pk, made[3].pk)]


@pytest.mark.parametrize(
    ("fields", "surer"),
    [({"confidence": 0.6}, 0), ({"confidence": 0.7}, 1), ({"confidence": 0.7, "is_confirmed": True}, 0)],
)
def test_inference_may_be_no_surer_than_its_cap_unless_confirmed(fields: dict[str, Any], surer: int, maya: User):
    fact = factories.make_fact(maya, basis="inferred", source="inferred", **fields)
    with scope.staff():
        fact.claims.update(basis="inferred", source="inferred")

    assert report()["counted"]["surer"] == surer


@pytest.mark.parametrize(("basis", "surer"), [("inferred", 1), ("stated", 0)])
def test_derived_fact_may_be_sure_once_its_person_states_it(basis: str, surer: int, maya: User):
    fact, base = facts(maya, 2)
    with scope.staff():
        Derivation.objects.create(user=maya, fact=fact, base=base)
        fact.claims.update(basis=basis)

    assert report()["counted"]["surer"] == surer


@pytest.mark.parametrize(("odd", "expected"), [(1, GOOD), (5, WATCH), (9, BAD)])
def test_names_that_are_much_alike_are_counted(odd: int, expected: Level, maya: User):
    for n in range(100 - 2 * odd):
        factories.make_entity(maya, f"{chr(97 + n % 26)}{chr(97 + n // 26)}q{'xyzw'[n % 4] * 5}")
    for n in range(odd):
        factories.make_entity(maya, f"{'bcdfghjkl'[n]}omorrow")
        factories.make_entity(maya, f"{'bcdfghjkl'[n]}omorrow Virtanen")

    found = report()

    assert (found["levels"]["names"], found["counted"]["alike"]) == (expected, 2 * odd)
    assert found["people"]["names"] == [maya.pk]


def test_few_names_are_too_few_to_tell(maya: User):
    factories.make_entity(maya, "Anna")
    factories.make_entity(maya, "Anna Virtanen")

    assert level("names") == EARLY


def test_names_that_people_told_apart_or_of_two_people_are_not_alike(maya: User):
    other = factories.make_user()
    pairs = [("Anna", "Anna Virtanen"), ("Room 101", "Room 102")]
    made = [factories.make_entity(maya, name) for pair in pairs for name in pair]
    factories.make_entity(maya, "Kaisa", "sister")
    factories.make_entity(maya, "Kaisa", "colleague")
    factories.make_entity(other, "Annas")
    with scope.staff():
        Dismissal.objects.create(user=maya, entity=made[0], other=made[1])

    assert report()["counted"]["alike"] == 0


@pytest.mark.parametrize(("odd", "expected"), [(1, GOOD), (2, WATCH), (5, BAD)])
def test_facts_of_a_while_without_an_end_are_counted(odd: int, expected: Level, maya: User):
    now = timezone.now()
    facts(maya, 20 - odd, last_supported_at=now)
    made = facts(maya, odd, kind="temporary", last_supported_at=now)

    found = report()

    assert (found["levels"]["undated"], found["counted"]["undated"]) == (expected, odd)
    assert found["facts"]["undated"][0] == (maya.pk, made[-1].pk)


@pytest.mark.parametrize(
    ("fields", "count"),
    [({}, 1), ({"valid_from": "2024"}, 0), ({"kind": "identity"}, 0), ({"is_confirmed": True}, 0)],
)
def test_what_was_said_long_ago_without_a_date_is_undated(fields: dict[str, Any], count: int, maya: User):
    factories.make_fact(maya, last_supported_at=timezone.now() - timedelta(days=800), **fields)

    assert report()["counted"]["undated"] == count


@pytest.mark.parametrize(("odd", "expected"), [(0, GOOD), (1, WATCH), (2, BAD)])
def test_superseded_without_a_successor_is_unexplained(odd: int, expected: Level, maya: User):
    made = facts(maya, 101)
    change(Fact, [fact.pk for fact in made[1:]], status="superseded", status_reason="newer", superseded_by=made[0])
    change(Fact, [fact.pk for fact in made[1 : 1 + odd]], superseded_by=None)

    assert level("lineage") == expected


@pytest.mark.parametrize("reason", ["past", "no longer so", "closed by member"])
def test_what_ended_by_itself_was_denied_or_closed_has_no_successor(reason: str, maya: User):
    factories.make_fact(maya, status="superseded", status_reason=reason)

    assert report()["counted"]["unexplained"] == 0


@pytest.mark.parametrize(("used", "expected"), [(5, GOOD), (4, WATCH), (1, BAD)])
def test_decoration_is_what_no_recall_and_no_decision_used(used: int, expected: Level, maya: User):
    ids = [fact.pk for fact in facts(maya, 10)]
    with scope.user(maya.pk):
        Recalled.objects.bulk_create(Recalled(user=maya, facts=ids[1:used], actor="x") for _ in range(49))
        Decided.objects.create(user=maya, dimension="tone", value="dry", without="warm", because=ids[:1], actor="x")

    found = report()

    assert (found["levels"]["decoration"], found["counted"]["unused"]) == (expected, 10 - used)


def test_memory_that_nobody_asks_is_too_young_to_be_decoration(maya: User):
    facts(maya, 10)

    assert level("decoration") == EARLY


@pytest.mark.parametrize(("minutes", "expected"), [(1, GOOD), (60, WATCH), (600, BAD)])
def test_backlog_is_as_old_as_its_oldest_due_episode(minutes: int, expected: Level, maya: User):
    factories.make_episode(maya, "Hello.", due_at=timezone.now() - timedelta(minutes=minutes))
    factories.make_episode(maya, "Hello.", due_at=timezone.now() + timedelta(minutes=9))

    found = report()

    assert (found["levels"]["backlog"], found["counted"]["due"]) == (expected, 1)


def test_failed_work_is_watched_and_its_people_are_named(maya: User):
    factories.make_episode(maya, "Hello.", state="failed")
    with scope.user(maya.pk):
        Job.objects.create(user=maya, state="failed", run_after=WHEN)

    found = report()

    assert (found["levels"]["backlog"], found["people"]["backlog"]) == (WATCH, [maya.pk])
    assert (found["counted"]["failed_jobs"], found["counted"]["failed_episodes"]) == (1, 1)


@pytest.mark.parametrize(("long", "expected"), [(2, GOOD), (1, WATCH), (0, BAD)])
def test_history_that_a_prompt_would_hold_is_counted_by_its_characters(
    long: int, expected: Level, make: Callable[[], User]
):
    people = [make() for _ in range(3)]
    for n, user in enumerate(people):
        factories.make_episode(user, "x" * (200_000 if n < long else 199_999))

    found = report()

    assert (found["levels"]["short"], found["counted"]["short"]) == (expected, 3 - long)


@pytest.fixture
def make() -> Callable[[], User]:
    return factories.make_user


def test_erased_facts_leave_the_checks(maya: User):
    fact = factories.make_fact(maya, kind="temporary")
    before = report()["facts"]["undated"]

    with scope.user(maya.pk):
        forgetting.erase(maya.pk, [fact.pk], actor="command line")

    assert (before, report()["facts"]["undated"]) == ([(maya.pk, fact.pk)], [])


def test_alias_of_a_name_is_no_second_name(maya: User):
    entity = factories.make_entity(maya, "Anna Virtanen")
    with scope.staff():
        Alias.objects.create(user=maya, entity=entity, alias="Anna", alias_key="anna")

    assert report()["counted"]["alike"] == 0
