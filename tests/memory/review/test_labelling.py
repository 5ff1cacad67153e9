"""Labels are saved once and do to a fact what they say, until they are taken back."""

from collections.abc import Callable
from datetime import date
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import forgetting, scope
from memory.errors import InvalidLabel, NotFound
from memory.models import Fact, History, Label, PersonsRuling, Remark, Sample, SampleItem, User
from memory.review import gold, handing, progress, sampling
from memory.review.labelling import Outcome
from memory.review.sampling import Plan
from memory.types import LabelVerdict, SampleSubject, Verb
from tests import factories
from tests.memory.review.conftest import lapse, next_of, say, take, undo

pytestmark = pytest.mark.django_db
type Draw = Callable[..., Sample]


def fact_of(item_id: int) -> Fact:
    with scope.staff():
        return Fact.objects.get(pk=SampleItem.objects.get(pk=item_id).fact_id)


def standing() -> list[str]:
    with scope.staff():
        return list(Label.objects.standing().order_by("pk").values_list("verdict", flat=True))


def rulings() -> list[str]:
    with scope.staff():
        return list(PersonsRuling.objects.order_by("pk").values_list("verb", flat=True))


@pytest.mark.parametrize(
    "does",
    [
        ("correct", "active", [Verb.CONFIRM]),
        ("incorrect", "retracted", [Verb.RETRACT]),
        ("stale", "superseded", [Verb.CLOSE]),
        ("cant_tell", "active", []),
    ],
)
def test_label_does_what_it_says_and_undo_takes_back_just_that(
    does: tuple[str, str, list[str]], draw: Draw, rita: User
):
    verdict, status, verb = does
    item = take(draw(), rita).item_id
    before = fact_of(item)

    recorded = say(item, rita, verdict)
    during = fact_of(item)
    ruled = rulings()
    undo(recorded.label.pk, by=rita)

    after = fact_of(item)
    assert (recorded.outcome, during.status, ruled) == (Outcome.SAVED, status, verb)
    assert (after.status, after.is_confirmed, after.confidence) == ("active", False, before.confidence)
    assert (standing(), rulings()) == ([], [])


def test_correct_supports_the_fact(draw: Draw, rita: User):
    item = take(draw(), rita).item_id

    say(item, rita, "correct")

    assert fact_of(item).is_confirmed


def test_stale_closes_on_the_day_that_was_given(draw: Draw, rita: User):
    item = take(draw(), rita).item_id

    recorded = say(item, rita, "stale", as_of=date(2026, 4, 1))

    assert (fact_of(item).valid_to, recorded.label.as_of) == ("2026-04-01", date(2026, 4, 1))


def test_stale_on_a_day_to_come_is_refused_and_nothing_saved(draw: Draw, rita: User):
    item = take(draw(), rita).item_id

    with pytest.raises(InvalidLabel, match="cannot lie ahead"):
        say(item, rita, "stale", as_of=date(2199, 1, 1))

    assert standing() == []


def test_undo_keeps_what_others_ruled(draw: Draw, rita: User, maya: User):
    item = take(draw(), rita).item_id
    label = say(item, rita, "correct").label
    fact = fact_of(item).pk
    with scope.user(maya.pk):
        forgetting.retire(maya.pk, [fact], actor=maya)

    undo(label.pk, by=rita)

    assert (fact_of(item).status, rulings()) == ("retracted", [Verb.RETRACT])


def test_label_and_undo_are_in_the_history_without_content(draw: Draw, rita: User):
    item = take(draw(), rita).item_id

    undo(say(item, rita, "incorrect").label.pk, by=rita)

    with scope.staff():
        rows = History.objects.filter(actor=str(rita.pk)).order_by("pk")
        assert list(rows.values_list("action", "table", "row")) == [
            ("label", "fact", fact_of_row(item)),
            ("unlabel", "fact", fact_of_row(item)),
        ]


def fact_of_row(item_id: int) -> int | None:
    return SampleItem.objects.get(pk=item_id).fact_id


def test_same_form_twice_is_one_label(draw: Draw, rita: User):
    item, key = take(draw(), rita).item_id, uuid4()

    first, again = say(item, rita, "correct", key=key), say(item, rita, "incorrect", key=key)

    assert (first.label, again.outcome, standing()) == (again.label, Outcome.SAVED, ["correct"])


def test_another_form_for_a_labelled_item_changes_nothing_and_says_so(draw: Draw, rita: User):
    item = take(draw(), rita).item_id
    say(item, rita, "correct")

    recorded = say(item, rita, "incorrect")

    assert (recorded.outcome, recorded.label.verdict, standing()) == (Outcome.ALREADY, "correct", ["correct"])


def test_form_that_was_taken_back_is_not_saved_by_being_resent(draw: Draw, rita: User):
    item, key = take(draw(), rita).item_id, uuid4()
    undo(say(item, rita, "correct", key=key).label.pk, by=rita)

    recorded = say(item, rita, "correct", key=key)

    assert (recorded.outcome, standing()) == (Outcome.UNDONE, [])


def test_label_after_the_lease_ran_out_is_saved_while_the_item_is_free(draw: Draw, rita: User):
    handout = take(draw(), rita)
    lapse(handout)

    assert say(handout.item_id, rita).outcome is Outcome.SAVED


def test_label_after_another_took_the_item_is_refused_and_told(draw: Draw, rita: User, otto: User):
    sample = draw()
    handout = take(sample, rita)
    lapse(handout)
    take(sample, otto)

    recorded = say(handout.item_id, rita)

    assert (recorded.outcome, standing()) == (Outcome.TAKEN, [])
    assert say(handout.item_id, otto).outcome is Outcome.SAVED


def test_label_after_another_labelled_the_item_changes_nothing(draw: Draw, rita: User, otto: User):
    sample = draw()
    handout = take(sample, rita)
    lapse(handout)
    say(take(sample, otto).item_id, otto, "incorrect")

    recorded = say(handout.item_id, rita, "correct")

    assert (recorded.outcome, standing()) == (Outcome.TAKEN, ["incorrect"])


def test_label_of_an_item_never_handed_is_refused(draw: Draw, rita: User):
    sample = draw()
    with scope.staff():
        item = SampleItem.objects.get(sample=sample).pk

    with pytest.raises(NotFound):
        say(item, rita)


def test_label_in_a_sample_of_others_is_refused(draw: Draw, rita: User, otto: User):
    sample = draw()
    item = take(sample, rita).item_id
    sampling.assign(sample.pk, [otto.pk])

    with pytest.raises(NotFound):
        say(item, rita)


def test_label_after_the_sample_was_closed_is_not_saved(draw: Draw, rita: User):
    sample = draw()
    item = take(sample, rita).item_id
    sampling.close(sample.pk)

    assert (say(item, rita).outcome, standing()) == (Outcome.CLOSED, [])


def test_label_of_what_was_erased_meanwhile_is_not_saved(draw: Draw, rita: User, maya: User):
    item = take(draw(), rita).item_id
    erase(maya, item)

    assert (say(item, rita).outcome, standing()) == (Outcome.ERASED, [])


def erase(user: User, item_id: int) -> None:
    fact = fact_of(item_id).pk
    with scope.user(user.pk):
        forgetting.erase(user.pk, [fact], actor="test")


def test_correct_brings_nothing_back_that_was_taken_back_meanwhile(draw: Draw, rita: User, otto: User, maya: User):
    item = take(draw(), rita).item_id
    with scope.staff():
        forgetting.retire(maya.pk, [SampleItem.objects.get(pk=item).fact_id], actor=otto)

    say(item, rita, "correct")

    assert (fact_of(item).status, standing()) == ("retracted", ["correct"])


def test_note_and_suggestion_are_kept_with_their_person(draw: Draw, rita: User, maya: User):
    item = take(draw(), rita).item_id

    say(item, rita, "incorrect", note=" i s u\u202e ", suggestion="Collects coins.")

    with scope.user(maya.pk):
        assert [(r.note, r.suggestion) for r in Remark.objects.all()] == [("i s u", "Collects coins.")]


def test_suggestion_that_is_the_claim_itself_is_none(draw: Draw, rita: User, maya: User):
    item = take(draw(), rita).item_id

    recorded = say(item, rita, "correct", suggestion="Collects stamps of kind 0")

    assert (recorded.outcome, recorded.label.remark_id) == (Outcome.SAVED, None)


def test_two_reviewers_who_disagree_are_both_kept(draw: Draw, rita: User, otto: User):
    sample = draw(overlap=1)

    for reviewer, verdict in ((rita, "correct"), (otto, "incorrect")):
        say(take(sample, reviewer).item_id, reviewer, verdict)

    assert standing() == ["correct", "incorrect"]


def test_undo_of_an_undone_label_changes_nothing(draw: Draw, rita: User):
    item = take(draw(), rita).item_id
    label = say(item, rita).label

    first, second = (undo(label.pk, by=rita).undone_at for _ in range(2))

    assert first == second
    with scope.staff():
        assert SampleItem.objects.get(pk=item).lacking == 1


def test_undo_of_another_reviewers_label_is_refused(draw: Draw, rita: User, otto: User):
    label = say(take(draw(), rita).item_id, rita).label

    with pytest.raises(NotFound):
        undo(label.pk, by=otto)


def test_undo_reaches_back_twenty_labels_and_no_further(draw: Draw, rita: User):
    sample = draw(21)
    labels = [say(take(sample, rita).item_id, rita, "cant_tell").label for _ in range(21)]

    undo(labels[1].pk, by=rita)

    with pytest.raises(NotFound, match="last 20"):
        undo(labels[0].pk, by=rita)


def test_undo_in_a_closed_sample_is_refused(draw: Draw, rita: User):
    sample = draw()
    label = say(take(sample, rita).item_id, rita).label
    sampling.close(sample.pk)

    with pytest.raises(InvalidLabel, match="closed"):
        undo(label.pk, by=rita)


def test_deleted_reviewer_leaves_their_labels(draw: Draw, rita: User):
    item = take(draw(), rita).item_id
    say(item, rita, "incorrect")

    with scope.staff():
        User.objects.get(pk=rita.pk).delete()

    assert (standing(), fact_of(item).status) == (["incorrect"], "retracted")


def test_labels_stay_when_their_person_leaves(draw: Draw, rita: User, maya: User):
    item = take(draw(), rita).item_id
    say(item, rita, "incorrect", note="private")

    forgetting.depart(maya, actor="test")

    with scope.staff():
        kept = SampleItem.objects.get(pk=item)
        assert (kept.user_id, kept.is_erased, kept.owner, Remark.objects.count()) == (None, True, maya.pk, 0)
    assert standing() == ["incorrect"]


def test_gold_is_among_the_items_and_rules_nothing(draw: Draw, rita: User, maya: User):
    sample = draw(2)
    fact = factories.make_believed(maya, "Owns a boat", "owns", "a boat")
    item = gold.add(sample.pk, fact.pk, LabelVerdict.INCORRECT)

    while handout := next_of(sample, rita):
        say(handout.item_id, rita, "incorrect")

    with scope.staff():
        places = list(SampleItem.objects.filter(sample=sample).order_by("place").values_list("place", flat=True))
        unruled = Label.objects.get(item=item).ruling_id
        assert (Sample.objects.get(pk=sample.pk).size, places, unruled) == (2, [1, 2, 3], None)
    assert fact_of(item.pk).status == "active"


def test_label_of_a_refusal_changes_no_fact(rita: User, maya: User):
    refusal = factories.make_refusal(maya)
    sample = sampling.draw(Plan("Refused", 1, subject=SampleSubject.REFUSALS), by=None)

    recorded = say(take(sample, rita).item_id, rita, "incorrect")

    assert (recorded.label.ruling_id, rulings()) == (None, [])
    with scope.staff():
        refusal.refresh_from_db()
    assert refusal.verdict == "refused"


def test_refusal_cannot_be_stale(rita: User, maya: User):
    factories.make_refusal(maya)
    sample = sampling.draw(Plan("Refused", 1, subject=SampleSubject.REFUSALS), by=None)

    with pytest.raises(InvalidLabel, match="only a fact"):
        say(take(sample, rita).item_id, rita, "stale")


def test_parts_of_progress_add_up(draw: Draw, rita: User, otto: User, maya: User):
    sample = draw(6)
    say(take(sample, rita).item_id, rita, "correct")
    say(take(sample, rita).item_id, rita, "cant_tell")
    erased, skipped = take(sample, rita), take(sample, otto)
    erase(maya, erased.item_id)
    take(sample, rita)

    with scope.staff():
        handing.skip(skipped.item_id, otto.pk, within=sample.pk)
        found = progress.of([sample.pk])[sample.pk]

    assert (found.labelled, found.cant_tell, found.erased, found.in_hand) == (1, 1, 1, 1)
    assert (found.skipped, found.unlabelled, found.total, found.done) == (1, 1, 6, 3)


def test_label_takes_the_same_statements_at_the_beginning_and_later(draw: Draw, rita: User):
    sample = draw(6)
    counts = []

    for _ in range(6):
        with CaptureQueriesContext(connection) as captured:
            say(take(sample, rita).item_id, rita, "correct")
        counts.append(len(captured))

    assert len(set(counts[1:])) == 1
