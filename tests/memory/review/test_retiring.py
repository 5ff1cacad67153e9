"""Many facts retired at once, and brought back."""

import pytest

from memory import forgetting, scope
from memory.errors import Refused
from memory.models import Derivation, Fact, History, Label, PersonsRuling, User
from memory.review import pinning, retiring, sampling
from memory.review.sampling import Plan
from tests import factories
from tests.memory.review.conftest import say, take

pytestmark = pytest.mark.django_db


@pytest.fixture
def reviewer(db: None) -> User:
    return factories.make_login("reviewer", "rita")


def status(fact: Fact) -> str:
    with scope.staff():
        return Fact.objects.get(pk=fact.pk).status


def test_facts_of_several_people_are_retired_with_the_reason(reviewer: User):
    facts = [factories.make_believed(factories.make_user()) for _ in range(2)]

    count = retiring.retire([fact.pk for fact in facts], actor=reviewer, note=" a test agent said it ")

    assert (count, [status(fact) for fact in facts]) == (2, ["retracted", "retracted"])
    with scope.staff():
        rulings = PersonsRuling.objects.order_by("pk").values_list("by", "actor", "note")
        assert list(rulings) == [("reviewer", reviewer.pk, "a test agent said it")] * 2


def test_retiring_without_a_reason_is_refused(reviewer: User):
    fact = factories.make_believed(factories.make_user())

    with pytest.raises(Refused, match="Say why"):
        retiring.retire([fact.pk], actor=reviewer, note="  ")

    assert status(fact) == "active"


def test_reason_is_cleaned_as_all_that_is_typed(reviewer: User):
    fact = factories.make_believed(factories.make_user())

    retiring.retire([fact.pk], actor=reviewer, note="wro\x00ng ")

    with scope.staff():
        assert PersonsRuling.objects.get().note == "wrong"


def test_retiring_twice_counts_once(reviewer: User):
    fact = factories.make_believed(factories.make_user())

    counts = [retiring.retire([fact.pk], actor=reviewer, note="wrong") for _ in range(2)]

    assert counts == [1, 0]


def test_fact_that_is_gone_is_left_out(reviewer: User):
    fact = factories.make_believed(factories.make_user())

    assert retiring.retire([fact.pk, 2**62], actor=reviewer, note="wrong") == 1


def test_undoing_brings_them_back(reviewer: User):
    fact = factories.make_believed(factories.make_user())
    retiring.retire([fact.pk], actor=reviewer, note="wrong")

    counts = [retiring.restore([fact.pk], actor=reviewer) for _ in range(2)]

    assert (counts, status(fact)) == ([1, 0], "active")
    with scope.staff():
        actions = History.objects.filter(row=fact.pk, actor=str(reviewer.pk)).order_by("pk")
        assert list(actions.values_list("action", flat=True)) == ["retire", "restore"]


def test_undoing_leaves_what_its_person_ruled(reviewer: User):
    user = factories.make_user()
    fact = factories.make_believed(user)
    retiring.retire([fact.pk], actor=reviewer, note="wrong")
    with scope.user(user.pk):
        forgetting.retire(user.pk, [fact.pk], actor=user)

    retiring.restore([fact.pk], actor=reviewer)

    assert status(fact) == "retracted"


def test_undoing_leaves_what_the_same_reviewer_labelled(reviewer: User):
    fact = factories.make_believed(factories.make_user())
    sample = sampling.draw(Plan("Weekly", 1), by=None)
    handout = take(sample, reviewer)
    say(handout.item_id, reviewer, "incorrect")

    count = retiring.restore([fact.pk], actor=reviewer)

    assert (count, status(fact)) == (0, "retracted")
    with scope.staff():
        assert Label.objects.standing().exclude(ruling=None).count() == 1


def test_preview_tells_what_hangs_on_them():
    user = factories.make_user()
    fact = factories.make_fact(user, "Lives in Bergen")
    older = factories.make_fact(user, "Lived in Oslo", status="superseded", superseded_by=fact)
    derived = factories.make_fact(user, "Likes rain", basis="inferred", predicate="likes", object="rain")
    other = factories.make_fact(user, "Lives in Kiel", object="Kiel")
    factories.make_conflict(user, fact, other)
    with scope.user(user.pk):
        Derivation.objects.create(user=user, fact=derived, base=fact)

    with scope.staff():
        going = retiring.going([fact.pk])

    assert [row.pk for row in going.facts] == [fact.pk]
    assert ([row.pk for row in going.older], [row.pk for row in going.derived]) == ([older.pk], [derived.pk])
    assert (going.conflicts, going.people) == (1, 1)


def test_pinning_twice_is_noted_once(reviewer: User):
    user = factories.make_user()
    fact = factories.make_believed(user)

    for _ in range(2):
        with scope.user(user.pk):
            pinning.pin(user.pk, fact.pk, actor=reviewer)

    with scope.staff():
        assert Fact.objects.get(pk=fact.pk).is_pinned
        assert History.objects.filter(row=fact.pk, action="pin").count() == 1
