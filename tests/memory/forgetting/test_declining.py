"""Standing rules: what a person never wants remembered, and pausing."""

import pytest

from memory import forgetting, scope
from memory.errors import MemoryPaused, NotFound, Refused
from memory.models import Candidate, Episode, Rule, User
from tests.factories import make_user
from tests.memory.forgetting.living import claim, fact, facts, lives, living_in, process, send, tell, verdicts
from tests.scripted_model import ScriptedModel

pytestmark = pytest.mark.django_db

HEALTH = "I have been taking insulin for diabetes."
DIABETES = claim(HEALTH, predicate="takes", object="insulin")


def _with_rule(topic: str) -> User:
    user = make_user()
    with scope.user(user.pk):
        forgetting.decline(user.pk, topic)
    return user


@pytest.mark.parametrize("topic", ["diabetes", "my diabetes", "Diabetes", "insulin", "INSULIN and diabetes"])
def test_claim_on_a_declined_topic_is_refused_without_its_text(topic: str) -> None:
    user = _with_rule(topic)

    tell(user, HEALTH, claims=[DIABETES])

    assert (facts(user), verdicts(user)) == ([], [("", "refused", "declined")])
    with scope.user(user.pk):
        row = Candidate.objects.get()
        assert (row.object, row.subject, row.detail, row.evidence.count(), len(row.digest)) == ("", "", "", 0, 64)


@pytest.mark.parametrize("topic", ["my divorce", "Oslo", "my cat"])
def test_claim_on_another_topic_is_learnt(topic: str) -> None:
    user = _with_rule(topic)

    tell(user, HEALTH, claims=[DIABETES])

    assert facts(user) == [("insulin", "active")]


def test_topic_added_twice_stands_once() -> None:
    user = _with_rule("my health")

    with scope.user(user.pk):
        again = forgetting.decline(user.pk, "My  Health!")
        assert [row.pk for row in Rule.objects.all()] == [again.pk]


@pytest.mark.parametrize("topic", ["", "   ", "!?", "\u202e", "x" * 201])
def test_topic_that_names_nothing_is_refused(topic: str) -> None:
    user = make_user()

    with scope.user(user.pk), pytest.raises(Refused):
        forgetting.decline(user.pk, topic)


def test_topic_taken_off_lets_it_be_learnt() -> None:
    user = _with_rule("diabetes")
    with scope.user(user.pk):
        forgetting.undecline(user.pk, Rule.objects.get().pk)

    tell(user, HEALTH, claims=[DIABETES])

    assert facts(user) == [("insulin", "active")]


def test_strangers_rule_cannot_be_taken_off() -> None:
    user, stranger = make_user(), _with_rule("diabetes")
    with scope.user(stranger.pk):
        pk = Rule.objects.get().pk

    with scope.user(user.pk), pytest.raises(NotFound):
        forgetting.undecline(user.pk, pk)

    with scope.user(stranger.pk):
        assert Rule.objects.count() == 1


def test_preview_names_the_facts_that_a_rule_would_have_stopped() -> None:
    user = living_in("Oslo")
    tell(user, HEALTH, claims=[DIABETES])
    insulin = fact(user, "insulin").pk

    with scope.user(user.pk):
        assert forgetting.would_stop(user.pk, "diabetes") == [insulin]
        assert forgetting.would_stop(user.pk, "my divorce") == []


def test_what_is_known_already_stays_until_it_is_erased() -> None:
    user = make_user()
    tell(user, HEALTH, claims=[DIABETES])

    with scope.user(user.pk):
        forgetting.decline(user.pk, "diabetes")

    assert facts(user) == [("insulin", "active")]


def test_rule_set_while_an_extraction_runs_holds_for_it() -> None:
    user = make_user()
    send(user, HEALTH)

    def reply(call: object) -> dict[str, object]:
        if not seen:
            seen.append(True)
            with scope.user(user.pk):
                forgetting.decline(user.pk, "diabetes")
        return {"candidates": [DIABETES]}

    seen: list[bool] = []
    process(user, model=ScriptedModel(reply))

    assert facts(user) == []


# Pausing ----------------------------------------------------------------------------------


def _pause(user: User, *, is_paused: bool) -> None:
    with scope.user(user.pk):
        User.objects.filter(pk=user.pk).update(is_paused=is_paused)


def test_nothing_is_stored_while_paused() -> None:
    user = make_user()
    _pause(user, is_paused=True)

    with pytest.raises(MemoryPaused):
        send(user, "I live in Oslo.")

    with scope.user(user.pk):
        assert Episode.objects.count() == 0


def test_what_was_pending_waits_and_is_learnt_after_the_pause() -> None:
    user = make_user()
    send(user, "I live in Oslo.")
    _pause(user, is_paused=True)

    model = process(user, lives("Oslo"))
    while_paused = (facts(user), len(model.calls))
    _pause(user, is_paused=False)
    process(user, lives("Oslo"))

    assert while_paused == ([], 0)
    assert facts(user) == [("Oslo", "active")]


def test_what_is_known_can_be_erased_while_paused() -> None:
    user = living_in("Oslo")
    _pause(user, is_paused=True)
    pk = fact(user, "Oslo").pk

    with scope.user(user.pk):
        forgetting.erase(user.pk, [pk], actor="me")

    assert facts(user) == []
