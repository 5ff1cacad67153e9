"""One item at a time, in one reviewer's hands at a time, for a while."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from memory import forgetting, scope
from memory.models import Handout, Sample, SampleItem, User
from memory.review import handing, sampling
from tests.memory.review.conftest import lapse, next_of, say, take, undo

pytestmark = pytest.mark.django_db
type Draw = Callable[..., Sample]


def item_of(handout: Handout) -> SampleItem:
    with scope.staff():
        return SampleItem.objects.get(pk=handout.item_id)


def test_items_come_in_the_order_of_their_places(draw: Draw, rita: User):
    sample = draw(3)

    places = []
    for _ in range(3):
        handout = take(sample, rita)
        places.append(item_of(handout).place)
        say(handout.item_id, rita)

    assert (places, next_of(sample, rita)) == ([1, 2, 3], None)


def test_item_in_hand_is_handed_again_and_no_other(draw: Draw, rita: User):
    sample = draw(3)

    assert take(sample, rita).item_id == take(sample, rita).item_id


def test_two_reviewers_get_different_items(draw: Draw, rita: User, otto: User):
    sample = draw(2)

    assert take(sample, rita).item_id != take(sample, otto).item_id


def test_item_wanted_twice_goes_to_two_reviewers_and_no_third(draw: Draw, rita: User, otto: User, maya: User):
    sample = draw(1, overlap=1)

    slots = [take(sample, rita).slot, take(sample, otto).slot]

    assert (slots, next_of(sample, maya)) == ([1, 2], None)


def test_item_wanted_twice_is_not_handed_to_the_same_reviewer_again(draw: Draw, rita: User):
    sample = draw(1, overlap=1)

    say(take(sample, rita).item_id, rita)

    assert next_of(sample, rita) is None


def test_item_whose_lease_ran_out_is_free_for_others(draw: Draw, rita: User, otto: User):
    sample = draw(1)
    lapse(take(sample, rita))

    handout = take(sample, otto)

    assert (handout.slot, next_of(sample, rita)) == (1, None)


def test_item_whose_lease_ran_out_stays_while_nobody_wants_it(draw: Draw, rita: User):
    sample = draw(2)
    handout = take(sample, rita)
    lapse(handout)

    again = take(sample, rita)

    assert again.item_id == handout.item_id
    assert again.leased_until > timezone.now() + timedelta(minutes=9)


def test_heartbeat_prolongs_the_lease(draw: Draw, rita: User):
    sample = draw(1)
    handout = take(sample, rita)
    lapse(handout)

    with scope.staff():
        is_held = handing.hold(handout.item_id, rita.pk, within=sample.pk)
        until = Handout.objects.get(pk=handout.pk).leased_until

    assert is_held
    assert until > timezone.now()


def test_heartbeat_of_an_item_that_went_to_another_says_so(draw: Draw, rita: User, otto: User):
    sample = draw(1)
    handout = take(sample, rita)
    lapse(handout)
    take(sample, otto)

    with scope.staff():
        assert handing.hold(handout.item_id, rita.pk, within=sample.pk) is False


def test_heartbeat_of_an_item_never_handed_takes_nothing(draw: Draw, rita: User):
    sample = draw(1)

    with scope.staff():
        item = SampleItem.objects.get(sample=sample)
        assert handing.hold(item.pk, rita.pk, within=sample.pk) is False
        assert Handout.objects.count() == 0


def test_skipped_comes_last_for_whoever_skipped_it_and_first_for_others(draw: Draw, rita: User, otto: User):
    sample = draw(3)
    first = take(sample, rita)

    with scope.staff():
        handing.skip(first.item_id, rita.pk, within=sample.pk)

    assert take(sample, otto).item_id == first.item_id
    with scope.staff():
        handing.release_all(sample.pk, otto.pk)
    seen = []
    while handout := next_of(sample, rita):
        seen.append(handout.item_id)
        say(handout.item_id, rita)
    assert (len(seen), seen[-1]) == (3, first.item_id)


def test_released_is_next_again(draw: Draw, rita: User):
    sample = draw(2)
    handout = take(sample, rita)

    with scope.staff():
        handing.release_all(sample.pk, rita.pk)

    assert take(sample, rita).item_id == handout.item_id


def test_closed_sample_hands_out_nothing(draw: Draw, rita: User):
    sample = draw(1)
    sampling.close(sample.pk)

    assert next_of(sample, rita) is None


def test_sample_assigned_to_others_hands_out_nothing(draw: Draw, rita: User, otto: User):
    sample = draw(1, reviewers=(otto.pk,))

    assert next_of(sample, rita) is None


def test_erased_item_is_not_handed_out(draw: Draw, rita: User, maya: User):
    sample = draw(2)
    handout = take(sample, rita)
    fact = item_of(handout).fact_id
    with scope.user(maya.pk):
        forgetting.erase(maya.pk, [fact], actor="test")

    assert take(sample, rita).item_id != handout.item_id


def test_undone_label_puts_its_item_in_hand_again(draw: Draw, rita: User):
    sample = draw(3)
    handout = take(sample, rita)
    label = say(handout.item_id, rita).label
    take(sample, rita)

    assert label is not None
    undo(label.pk, by=rita)

    assert take(sample, rita).item_id == handout.item_id
