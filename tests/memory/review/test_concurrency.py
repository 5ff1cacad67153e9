"""Reviewers at once, each on a connection of their own: nothing handed out twice, nothing lost, nothing doubled."""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from memory import scope
from memory.models import Fact, Handout, Label, PersonsRuling, PredicateOffer, Sample, SampleItem, User
from memory.review import handing, labelling, offering, sampling, settling
from memory.review.labelling import Answer
from memory.review.sampling import Plan
from memory.types import LabelVerdict
from tests import factories
from tests.memory.review.conftest import next_of, say, send, undo
from tests.memory.review.quarrels import conflict_of, quarrel

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]
ROUNDS, REVIEWERS, ITEMS = 50, 8, 400


def at_once(works: Sequence[Callable[[], Any]]) -> list[Any]:
    """What each gives, all begun at the same moment in threads; raises what one raises."""
    gate = threading.Barrier(len(works))
    results: list[Any] = [None] * len(works)
    errors: list[BaseException] = []

    def run(place: int) -> None:
        try:
            gate.wait()
            results[place] = works[place]()
        except BaseException as error:  # noqa: BLE001 - handed on
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


def make_sample(count: int, **plan: Any) -> Sample:
    """Of facts of eight people, without claims that could be folded: labels that rule nothing."""
    people = [factories.make_user(f"person {n}") for n in range(8)]
    episodes = [factories.make_episode(user, "I like tea.") for user in people]
    for n in range(count):
        factories.make_fact(people[n % 8], f"Likes tea {n}.", episode=episodes[n % 8], object_key=f"tea {n}")
    return sampling.draw(Plan("Weekly", count, **plan), by=None)


@pytest.fixture
def reviewers() -> list[User]:
    return [factories.make_login("reviewer", f"reviewer {n}") for n in range(REVIEWERS)]


def test_two_who_ask_at_the_same_moment_never_get_the_same_item(reviewers: list[User]):
    sample = make_sample(2 * ROUNDS)
    one, other = reviewers[:2]
    same = []

    for _ in range(ROUNDS):
        first, second = at_once([lambda: next_of(sample, one), lambda: next_of(sample, other)])
        same += [first.item_id] if first.item_id == second.item_id else []
        say(first.item_id, one, "cant_tell")
        say(second.item_id, other, "cant_tell")

    with scope.staff():
        assert (same, Label.objects.standing().values("item").distinct().count()) == ([], 2 * ROUNDS)


def test_two_tabs_of_one_reviewer_get_the_same_item(reviewers: list[User]):
    sample = make_sample(20)
    handed = set()

    for _ in range(10):
        both = at_once([lambda: next_of(sample, reviewers[0])] * 2)
        handed.add((both[0].item_id, both[1].item_id))
        say(both[0].item_id, reviewers[0], "cant_tell")

    assert [pair for pair in handed if pair[0] != pair[1]] == []


def test_form_sent_twice_at_once_is_one_label_and_one_ruling(reviewers: list[User]):
    maya = factories.make_user("maya")
    for n in range(10):
        factories.make_believed(maya, f"Collects stamps of kind {n}", "collects", f"stamps {n}")
    sample = sampling.draw(Plan("Weekly", 10), by=None)

    for _ in range(10):
        handout = next_of(sample, reviewers[0])
        assert handout is not None
        answer = Answer(LabelVerdict.CORRECT, uuid4())
        send = _sending(handout.item_id, answer, reviewers[0])
        first, second = at_once([send, send])
        assert first.label == second.label

    with scope.staff():
        assert (Label.objects.count(), PersonsRuling.objects.count()) == (10, 10)
        assert set(Fact.objects.values_list("is_confirmed", flat=True)) == {True}


def _sending(item: int, answer: Answer, by: User) -> Callable[[], Any]:
    return lambda: send(item, answer, by=by)


def test_two_answers_of_one_reviewer_at_once_are_one_label(reviewers: list[User]):
    sample = make_sample(5)

    for _ in range(5):
        handout = next_of(sample, reviewers[0])
        assert handout is not None
        answers = [Answer(LabelVerdict(verdict), uuid4()) for verdict in ("correct", "incorrect")]
        outcomes = at_once([_sending(handout.item_id, answer, reviewers[0]) for answer in answers])
        assert sorted(recorded.outcome for recorded in outcomes) == ["already", "saved"]

    with scope.staff():
        assert Label.objects.count() == 5


def test_undo_pressed_twice_at_once_takes_back_once(reviewers: list[User]):
    sample = make_sample(1)
    handout = next_of(sample, reviewers[0])
    assert handout is not None
    label = say(handout.item_id, reviewers[0], "cant_tell").label
    assert label is not None

    at_once([lambda: undo(label.pk, by=reviewers[0])] * 2)

    with scope.staff():
        assert SampleItem.objects.get().lacking == 1


def test_answer_that_takes_the_next_item_and_another_tab_wait_for_each_other_in_turn(reviewers: list[User]):
    sample, rita = make_sample(ROUNDS), reviewers[0]

    for _ in range(ROUNDS // 5):
        handout = next_of(sample, rita)
        assert handout is not None
        at_once([_answering(sample, handout.item_id, rita), lambda: next_of(sample, rita)] * 2)

    with scope.staff():
        assert Label.objects.count() == ROUNDS // 5
        assert Handout.objects.filter(labelled_at=None).count() == 1


def _answering(sample: Sample, item: int, by: User) -> Callable[[], Any]:
    """As the page does it: saves an answer, and takes the next item, in one transaction."""

    def work() -> None:
        with scope.staff():
            labelling.record(item, Answer(LabelVerdict.CANT_TELL, uuid4()), by=by, within=sample.pk)
            handing.take(sample, by.pk)

    return work


def test_item_in_hand_whose_person_is_being_erased_is_passed_over(reviewers: list[User]):
    sample, rita = make_sample(16), reviewers[0]
    held = next_of(sample, rita)
    assert held is not None

    with scope.staff():
        owner = SampleItem.objects.get(pk=held.item_id).owner
        User.objects.select_for_update().get(pk=owner)
        (other,) = at_once([lambda: next_of(sample, rita)])

    with scope.staff():
        assert SampleItem.objects.get(pk=other.item_id).owner != owner


@pytest.mark.parametrize("overlap", [0, 0.25])
def test_eight_reviewers_label_every_item_once_and_no_item_twice(overlap: float, reviewers: list[User]):
    sample = make_sample(ITEMS, overlap=overlap)
    expected = ITEMS + round(ITEMS * overlap)

    counts = at_once([_labelling(sample, reviewer) for reviewer in reviewers])

    with scope.staff():
        labels = Counter(Label.objects.standing().values_list("item", flat=True))
        wanted = dict(SampleItem.objects.values_list("pk", "wanted"))
        slots = Counter(Handout.objects.exclude(slot=None).values_list("item", "slot"))
        assert labels == wanted
        assert (sum(counts), sum(labels.values()), max(slots.values())) == (expected, expected, 1)
        assert set(SampleItem.objects.values_list("lacking", flat=True)) == {0}


def _labelling(sample: Sample, reviewer: User) -> Callable[[], int]:
    """One reviewer who labels as long as there is something to label; gives how many."""

    def work() -> int:
        count = 0
        while handout := next_of(sample, reviewer):
            count += say(handout.item_id, reviewer, "cant_tell").outcome == "saved"
        return count

    return work


def test_admin_who_declines_what_another_has_just_accepted_changes_nothing():
    person = factories.make_user()
    ada, otto = (factories.make_login("admin", name) for name in ("ada", "otto"))
    quarrel(person, "Oslo", "Bergen")
    with scope.staff():
        settling.settle(conflict_of(person).pk, settling.Answer(settling.Choice.BOTH), by=ada)
    with scope.staff():
        PredicateOffer.objects.create(predicate="lives_in", offered_by=ada, offered_at=factories.WHEN)

    def decline() -> None:
        with scope.staff():
            offering.decline("lives_in", by=otto)
        connection.close()

    second = threading.Thread(target=decline)
    with scope.staff():
        offering.accept("lives_in", by=ada)
        second.start()
        wait_for_somebody_who_waits()
    second.join()

    with scope.staff():
        assert list(PredicateOffer.objects.values_list("predicate", "answer")) == [("lives_in", "accepted")]
    assert offering.unspread() == ["lives_in"]


def wait_for_somebody_who_waits() -> None:
    """Until another connection stands before a lock."""
    with connection.cursor() as cursor:
        for _ in range(1_000):
            cursor.execute("SELECT pg_sleep(0.01), EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
            if cursor.fetchone()[1]:
                return
    raise AssertionError("nobody waits")
