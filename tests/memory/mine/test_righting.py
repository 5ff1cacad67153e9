"""Putting right what is known: what it does at once, what it outlasts, and that it can be undone."""

from datetime import date, timedelta
from typing import Any

import pytest

from memory import believing, clock, policies, scope
from memory.believing import Key
from memory.errors import MemoryPaused, NotFound, NotLive, Refused
from memory.mine import righting
from memory.models import Candidate, Correction, Episode, Fact, PersonsRuling, User
from memory.types import LabelVerdict
from tests.factories import WHEN, make_believed, make_user
from tests.memory.forgetting.living import lives, process, tell

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    return make_user("own", language="en")


def live(user: User) -> list[str]:
    with scope.user(user.pk):
        return sorted(Fact.objects.live().filter(user=user).values_list("text", flat=True))


def status(fact: Fact) -> str:
    with scope.user(fact.user_id):
        return Fact.objects.get(pk=fact.pk).status


def corrections(user: User) -> list[tuple[str, bool]]:
    with scope.user(user.pk):
        rows = Correction.objects.filter(user=user).order_by("pk")
        return [(row.verdict, row.undone_at is None) for row in rows]


def tell_again(user: User, text: str = "Lives in Oslo", value: str = "Oslo", *, days: int = 0) -> None:
    """A claim from another conversation, `days` after the first, as reading anew finds it."""
    make_believed(user, text, value=value, occurred_at=WHEN + timedelta(days=days))


def test_rewording_in_other_words_takes_the_object_from_the_sentence(user: User):
    fact = make_believed(user)

    righting.reword(user.pk, fact.pk, said="I live in Portland")

    with scope.user(user.pk):
        assert list(Fact.objects.live().filter(user=user).values_list("text", "object")) == [
            ("I live in Portland", "Portland")
        ]


def test_refusing_takes_it_out_of_what_is_believed(user: User):
    fact = make_believed(user)

    righting.refuse(user.pk, fact.pk)

    assert (live(user), status(fact)) == ([], "retracted")


def test_refusing_twice_is_one_correction(user: User):
    fact = make_believed(user)

    righting.refuse(user.pk, fact.pk)
    righting.refuse(user.pk, fact.pk)

    assert corrections(user) == [(LabelVerdict.INCORRECT, True)]


def test_refused_stays_away_when_the_same_and_older_is_read_again(user: User):
    fact = make_believed(user)
    righting.refuse(user.pk, fact.pk)

    tell_again(user)
    tell_again(user, days=-300)

    assert live(user) == []


def test_undoing_a_refusal_brings_it_back_as_it_was(user: User):
    fact = make_believed(user)
    with scope.user(user.pk):
        before = Fact.objects.filter(pk=fact.pk).values().get()

    righting.undo(user.pk, righting.refuse(user.pk, fact.pk).pk)

    with scope.user(user.pk):
        assert Fact.objects.filter(pk=fact.pk).values().get() == before
    assert corrections(user) == [(LabelVerdict.INCORRECT, False)]


def test_undoing_twice_stays_undone(user: User):
    fact = make_believed(user)
    correction = righting.refuse(user.pk, fact.pk)

    righting.undo(user.pk, correction.pk)
    righting.undo(user.pk, correction.pk)

    assert live(user) == ["Lives in Oslo"]


def test_affirming_confirms_it(user: User):
    fact = make_believed(user)

    righting.affirm(user.pk, fact.pk)

    with scope.user(user.pk):
        assert Fact.objects.get(pk=fact.pk).is_confirmed


def test_affirming_what_was_refused_believes_it_again(user: User):
    fact = make_believed(user)
    righting.refuse(user.pk, fact.pk)

    righting.affirm(user.pk, fact.pk)

    assert (live(user), corrections(user)) == (
        ["Lives in Oslo"],
        [(LabelVerdict.INCORRECT, False), (LabelVerdict.CORRECT, True)],
    )


def test_ending_closes_it_on_the_day(user: User):
    fact = make_believed(user)

    righting.end(user.pk, fact.pk, as_of=date(2026, 3, 12))

    with scope.user(user.pk):
        row = Fact.objects.get(pk=fact.pk)
    assert (row.status, row.valid_to) == ("superseded", "2026-03-12")


def test_ending_on_a_day_to_come_is_refused(user: User):
    fact = make_believed(user)

    with pytest.raises(Refused):
        righting.end(user.pk, fact.pk, as_of=clock.now().date() + timedelta(days=3))

    assert (live(user), corrections(user)) == (["Lives in Oslo"], [])


def test_ending_what_has_ended_is_refused(user: User):
    fact = make_believed(user)
    righting.refuse(user.pk, fact.pk)
    with scope.user(user.pk):
        Correction.objects.all().delete()

    with pytest.raises(NotLive):
        righting.end(user.pk, fact.pk)


def test_ended_stays_ended_when_older_is_read_again(user: User):
    fact = make_believed(user)
    righting.end(user.pk, fact.pk)

    tell_again(user, days=-30)

    assert live(user) == []


def test_rewording_believes_the_new_one_alone(user: User):
    fact = make_believed(user)

    righting.reword(user.pk, fact.pk, said="Lives in Bergen")

    assert (live(user), status(fact)) == (["Lives in Bergen"], "retracted")


def test_reworded_outlasts_older_and_inferred_words(user: User):
    fact = make_believed(user)
    righting.reword(user.pk, fact.pk, said="Lives in Bergen")

    tell_again(user)
    tell_again(user, "Lives in Turku", "Turku", days=-30)

    assert live(user) == ["Lives in Bergen"]


def test_undoing_an_edit_takes_its_words_out_again(user: User):
    fact = make_believed(user)
    with scope.user(user.pk):
        before = (
            list(Candidate.objects.values_list("pk", flat=True)),
            list(Episode.objects.values_list("pk", flat=True)),
        )

    righting.undo(user.pk, righting.reword(user.pk, fact.pk, said="Lives in Bergen").pk)

    with scope.user(user.pk):
        after = list(Candidate.objects.values_list("pk", flat=True)), list(Episode.objects.values_list("pk", flat=True))
        left = PersonsRuling.objects.count()
    assert (live(user), after, left) == (["Lives in Oslo"], before, 0)


@pytest.mark.parametrize("said_of", [0, 1])
def test_undoing_what_was_said_of_a_fact_that_may_be_folded_into_another_takes_it_back(said_of: int, user: User):
    first = make_believed(user)
    between = make_believed(user, "Lives in Bergen", value="Bergen", occurred_at=WHEN + timedelta(days=30))
    again = make_believed(user, occurred_at=WHEN + timedelta(days=60))
    said = righting.affirm(user.pk, (first, again)[said_of].pk)
    with scope.user(user.pk):
        key = Key(between.entity_id, between.predicate, Candidate.objects.get(fact=between).slot)
        Candidate.objects.filter(fact=between).delete()  # nothing lies between the two any more
        believing.refold(user.pk, {key}, policy=policies.current(), language=user.language)
        (left,) = Fact.objects.filter(user=user)

    shown = righting.undo(user.pk, said.pk)

    with scope.user(user.pk):
        left.refresh_from_db()
    assert (shown, left.is_confirmed, left.status) == (left.pk, False, "active")


def test_undoing_what_is_about_nothing_any_more_says_that_no_fact_shows_it(user: User):
    fact = make_believed(user)
    said = righting.refuse(user.pk, fact.pk)
    with scope.user(user.pk):
        Candidate.objects.filter(user=user).delete()
        Fact.objects.filter(user=user).delete()

    assert (righting.undo(user.pk, said.pk), corrections(user)) == (None, [(LabelVerdict.INCORRECT, False)])


def test_edit_that_cannot_be_kept_changes_nothing(user: User):
    fact = make_believed(user)

    with pytest.raises(Refused) as refused:
        righting.reword(user.pk, fact.pk, said="Maybe lives in Bergen", value="Bergen")

    assert (refused.value.reason, live(user), corrections(user)) == ("hedged", ["Lives in Oslo"], [])


def test_edit_is_refused_while_memory_is_paused(user: User):
    fact = make_believed(user)
    with scope.user(user.pk):
        User.objects.filter(pk=user.pk).update(is_paused=True)

    with pytest.raises(MemoryPaused):
        righting.reword(user.pk, fact.pk, said="Lives in Bergen")

    assert live(user) == ["Lives in Oslo"]


@pytest.mark.parametrize("verb", ["affirm", "refuse", "end"])
def test_what_is_a_strangers_is_missing(verb: str, user: User):
    fact = make_believed(make_user("strange"))

    with pytest.raises(NotFound):
        getattr(righting, verb)(user.pk, fact.pk)

    assert status(fact) == "active"


def test_undoing_a_strangers_correction_is_missing(user: User):
    stranger = make_user("strange")
    correction = righting.refuse(stranger.pk, make_believed(stranger).pk)

    with pytest.raises(NotFound):
        righting.undo(user.pk, correction.pk)

    assert live(stranger) == []


def infer(user: User, place: str, *, day: int) -> None:
    """What a model concludes on its own, from a later conversation."""
    tell(user, f"The trams in {place} are late again.", claims=[concluded(place)], day=day)


def concluded(place: str) -> dict[str, Any]:
    return lives(place, text=f"Lives in {place}", quote=f"The trams in {place} are late again.", basis="inferred")


def test_affirmed_stands_above_what_a_model_concludes_later(user: User):
    fact = make_believed(user)
    righting.affirm(user.pk, fact.pk)

    for day in range(400, 404):
        infer(user, "Turku", day=day)

    assert live(user) == ["Lives in Oslo"]


def test_refused_is_not_concluded_again(user: User):
    fact = make_believed(user)
    righting.refuse(user.pk, fact.pk)

    for day in range(400, 404):
        infer(user, "Oslo", day=day)

    assert live(user) == []


def test_refused_may_be_said_again_by_its_person_later(user: User):
    fact = make_believed(user)
    righting.refuse(user.pk, fact.pk)

    tell_again(user, days=700)

    assert live(user) == ["Lives in Oslo"]


def test_conversation_processed_anew_brings_nothing_refused_back(user: User):
    said = lives("Oslo", text="Lives in Oslo", quote="I live in Oslo.")
    episode = tell(user, "I live in Oslo.", claims=[said])
    with scope.user(user.pk):
        fact = Fact.objects.get()
    righting.refuse(user.pk, fact.pk)

    with scope.user(user.pk):
        Episode.objects.filter(pk=episode.pk).update(state="pending", read_turns=0)
    process(user, said)

    with scope.user(user.pk):
        assert Candidate.objects.filter(episode=episode).count() == 2  # it was read twice
    assert live(user) == []
