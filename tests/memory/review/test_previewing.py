"""What a preview says, a policy does: to the row."""

import os
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.utils import timezone
from pytest_django import Settings

from memory import policies, policy, scope, tasks, upkeep
from memory.models import Fact, Report, User
from memory.review import building, carrying, previewing, reports, rounds
from memory.review.previewing import Effect
from tests.factories import WHEN, make_user
from tests.memory.review.quarrels import beliefs, facts_of, tell

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)

type Rows = dict[str, set[int]]


@pytest.fixture(autouse=True)
def _now(settings: Settings) -> None:
    settings.ASSAY_NOW = NOW


@pytest.fixture
def people() -> tuple[User, User]:
    """Two people of whom all kinds of things are known, and one more value was said each."""
    maya, jonas = make_user("maya"), make_user("jonas")
    for user, cities in ((maya, ["Oslo", "Bergen", "Turku"]), (jonas, ["Lima", "Quito"])):
        for number, city in enumerate(cities):
            tell(user, city, at=WHEN + timedelta(days=9 * number))
        for number, food in enumerate(["tea", "rye bread", "kimchi"]):
            tell(user, food, at=WHEN - timedelta(days=60 * number), predicate="likes", kind="preference")
        tell(user, "tea", at=WHEN + timedelta(days=50), predicate="likes", kind="preference")
        tell(user, "a marathon", at=WHEN - timedelta(days=80), predicate="goal", kind="goal")
        tell(user, "chess", at=NOW - timedelta(days=9), predicate="plays", source="inferred", basis="inferred")
    tell(maya, "Riga", at=WHEN + timedelta(days=20, hours=1))
    tell(jonas, "Cusco", at=WHEN + timedelta(days=9, hours=1))
    upkeep.run(policy.default())
    return maya, jonas


def look(*people: User) -> list[previewing.Memory]:
    with scope.staff():
        return [previewing.remember(user.pk) for user in people]


def preview(changes: dict[str, Any]) -> tuple[str, Rows]:
    with scope.staff():
        about = previewing.ask(policies.propose(changes)).about
    building.build(reports.PREVIEW, about)
    with scope.staff():
        numbers = Report.objects.get(kind=reports.PREVIEW, about=about).data["numbers"]
    return about, {name: set(each["rows"]) for name, each in numbers["effects"].items()}


def apply(about: str) -> None:
    with scope.staff():
        over, document = previewing.asked(about)
        version = policies.adopt(document, over=over).version
    carrying.carry_out(version)


def done(before: list[previewing.Memory], after: list[previewing.Memory]) -> Rows:
    rows: Rows = {}
    for one, other in zip(before, after, strict=True):
        for effect, row in previewing.compare(one, other):
            rows.setdefault(effect.value, set()).add(row)
    return rows


CHANGES: list[tuple[dict[str, Any], set[Effect]]] = [
    ({"min_confidence": 0.6}, {Effect.LAPSES}),
    ({"half_life_days.preference": 30}, {Effect.LAPSES}),
    ({"half_life_days.knowledge": 60}, {Effect.LAPSES}),
    ({"ceiling": 2}, {Effect.LAPSES}),
    ({"cardinality.lives_in": "many"}, {Effect.REVIVED}),
    ({"cardinality.likes": "one"}, {Effect.REPLACED}),
    ({"update_window_days": 400.0, "cardinality.likes": "one"}, {Effect.CONFLICTS}),
    ({"cardinality.lives_in": "many"}, {Effect.AGREES}),
    ({"min_support": 1}, {Effect.BELIEVED}),
    ({"birth.user": 0.4, "min_confidence": 0.35}, {Effect.LAPSES}),
]


@pytest.mark.parametrize(("changes", "expected"), CHANGES, ids=[" ".join(changes) for changes, _ in CHANGES])
def test_policy_applied_does_what_its_preview_said_to_the_row(
    changes: dict[str, Any], expected: set[Effect], people: tuple[User, User]
) -> None:
    carrying_nothing = look(*people)
    about, said = preview(changes)
    before = look(*people)

    apply(about)

    assert before == carrying_nothing
    assert done(before, look(*people)) == said
    assert {Effect(name) for name in said} >= expected


@pytest.mark.parametrize(
    ("there", "back"),
    [
        ({"min_confidence": 0.7}, {"min_confidence": 0.3}),
        ({"half_life_days.preference": 20}, {"half_life_days.preference": 180}),
        ({"ceiling": 2}, {"ceiling": 50}),
        ({"ceiling": 2}, {"ceiling": None}),
        ({"cardinality.lives_in": "many"}, {"cardinality.lives_in": "one"}),
        ({"cardinality.likes": "one"}, {"cardinality.likes": "many"}),
        ({"min_support": 1}, {"min_support": 2}),
    ],
)
def test_policy_set_back_brings_back_what_it_took_as_its_preview_said(
    there: dict[str, Any], back: dict[str, Any], people: tuple[User, User]
) -> None:
    first = [beliefs(user) for user in people]
    apply(preview(there)[0])
    before = look(*people)
    about, said = preview(back)

    apply(about)

    assert done(before, look(*people)) == said
    assert said != {}
    assert [beliefs(user) for user in people] == first


def test_preview_of_many_values_names_the_ones_that_had_been_replaced(people: tuple[User, User]) -> None:
    maya, jonas = (facts_of(user) for user in people)

    _, said = preview({"cardinality.lives_in": "many"})

    assert said["revived"] >= {maya["Oslo"].pk, maya["Bergen"].pk, jonas["Lima"].pk}


def test_preview_writes_nothing_but_itself(people: tuple[User, User]) -> None:
    with scope.staff():
        before = list(Fact.objects.order_by("pk").values())

    preview({"cardinality.likes": "one", "min_confidence": 0.6})

    with scope.staff():
        assert list(Fact.objects.order_by("pk").values()) == before
        assert Report.objects.count() == 1


def test_carried_out_again_changes_nothing(people: tuple[User, User]) -> None:
    apply(preview({"half_life_days.preference": 30})[0])
    before = look(*people)

    carrying.carry_out(1)

    assert look(*people) == before


def test_carrying_out_that_another_is_at_stays_to_be_done(people: tuple[User, User]) -> None:
    about, _ = preview({"half_life_days.preference": 30})
    with scope.staff():
        over, document = previewing.asked(about)
        policies.adopt(document, over=over)
        reports.ask(reports.CARRIED, "1")

    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as other:
        other.execute(building.TAKE, ["carried 1"])
        tasks.build_report(reports.CARRIED, "1")

    with scope.staff():
        assert [*reports.due()] == [(reports.CARRIED, "1")]


def asked_for(about: str) -> None:
    """Applies a preview and puts its carrying out down, as the page does."""
    with scope.staff():
        over, document = previewing.asked(about)
        version = policies.adopt(document, over=over).version
        reports.ask(reports.CARRIED, str(version))


def how_far(kind: str, about: str) -> reports.Gone | None:
    with scope.staff():
        found = reports.find(kind, about)
    return found and found.gone


def test_carrying_out_goes_on_where_a_piece_ended_and_says_how_far_it_is(people: tuple[User, User]) -> None:
    before = look(*people)
    about, said = preview({"half_life_days.preference": 30})
    asked_for(about)

    pieces = []
    for _ in people:
        gone = carrying.carry_out(1, seconds=0)
        pieces.append((gone.is_whole, changed(before, people), how_far(reports.CARRIED, "1")))
    building.build(reports.CARRIED, "1")

    assert pieces == [(False, [True, False], reports.Gone(1, 2)), (True, [True, True], None)]
    assert done(before, look(*people)) == said


def changed(before: list[previewing.Memory], people: tuple[User, User]) -> list[bool]:
    """Of each of them whether anything of theirs is another than it was."""
    return [one != other for one, other in zip(before, look(*people), strict=True)]


class WorkerLostError(Exception):
    """As good as a kill: nothing that it had not put down is known to whoever goes on."""


def carry_out_and_be_lost() -> None:
    """As `carry_out` does, until the second person's turn comes."""
    with scope.staff():
        difference = carrying.differ(policies.numbered(0), policies.numbered(1))
        users = carrying.touched(difference)
    for number, user_id in enumerate(rounds.begin(reports.CARRIED, "1").through("carried", users)):
        if number == 1:
            raise WorkerLostError
        with scope.user(user_id):
            carrying.carry(user_id, policies.current(), difference)


def test_carrying_out_whose_worker_was_lost_half_way_ends_as_one_that_was_not(people: tuple[User, User]) -> None:
    before = look(*people)
    about, said = preview({"half_life_days.preference": 30})
    asked_for(about)

    with pytest.raises(WorkerLostError):
        carry_out_and_be_lost()
    half = changed(before, people)
    tasks.build_report(reports.CARRIED, "1")

    assert half == [True, False]
    assert done(before, look(*people)) == said
    with scope.staff():
        assert Report.objects.get(kind=reports.CARRIED).data["numbers"] == {"people": 2}


def test_preview_made_in_pieces_says_what_one_in_one_go_says(people: tuple[User, User], settings: Settings) -> None:
    changes = {"cardinality.likes": "one", "markers.hedged.en": ["rye bread"]}
    about, said = preview(changes)
    with scope.staff():
        whole = Report.objects.get(about=about).data["numbers"]

    pieces = [previewing.report(about, seconds=0) for _ in range(4)]

    assert said != {}
    assert [piece for piece in pieces if piece is not None][-1] == whole
    assert pieces[0] is None


def test_report_made_in_pieces_is_dated_by_its_first(people: tuple[User, User]) -> None:
    about, _ = preview({"half_life_days.preference": 30})
    asked_for(about)

    carrying.carry_out(1, seconds=0)
    first_ended = timezone.now()
    building.build(reports.CARRIED, "1")

    with scope.staff():
        found = Report.objects.get(kind=reports.CARRIED)
        assert found.requested_at < found.built_at < first_ended


def test_preview_of_what_no_memory_depends_on_looks_at_nobody(people: tuple[User, User]) -> None:
    _, said = preview({"recall_floor": 0.5})

    assert said == {}
