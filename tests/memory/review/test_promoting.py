"""Taking in what the gate refused, and taking that back."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from memory import forgetting, scope
from memory.errors import MemoryPaused, NotFound, Refused
from memory.models import Candidate, Entity, Evidence, Fact, History, Remark, Resolution, User
from memory.review import promoting
from memory.review.promoting import Promoted
from memory.types import Basis, Role, Turn
from tests.factories import WHEN, make_login, make_refusal, make_user
from tests.memory.review.quarrels import beliefs, facts_of, refuse, tell

pytestmark = pytest.mark.django_db


@pytest.fixture
def reviewer() -> User:
    return make_login("reviewer", "rita")


@pytest.fixture
def person() -> User:
    return make_user("maya")


def promote(user: User, candidate: int, *, by: User, note: str = "", is_plain: bool = True) -> Promoted:
    with scope.user(user.pk):
        return promoting.promote(user.pk, candidate, by=by, note=note, is_plain=is_plain)


def demote(user: User, candidate: int, *, by: User) -> Promoted:
    with scope.user(user.pk):
        return promoting.demote(user.pk, candidate, by=by)


def _rows(user: User) -> list[Any]:
    tables: tuple[Any, ...] = (Candidate, Evidence, Fact, Entity, Resolution)
    with scope.user(user.pk):
        return [list(table.objects.filter(user=user).order_by("pk").values()) for table in tables]


def test_promoted_is_believed_with_its_quote(person: User, reviewer: User) -> None:
    candidate = refuse(person)

    promoted = promote(person, candidate, by=reviewer, note="They said so twice.")

    fact = facts_of(person)["Oslo"]
    assert (promoted.is_new, promoted.fact, beliefs(person)) == (True, fact.pk, [("Oslo", "active", None)])
    with scope.user(person.pk):
        row = Candidate.objects.get(pk=candidate)
        assert (row.verdict, row.reason, row.refused_for, row.source) == ("accepted", "", "hedged", "user")
        assert list(row.evidence.values_list("quote", flat=True)) == ["Maybe I live in Oslo"]
        assert list(Remark.objects.values_list("candidate", "note")) == [(candidate, "They said so twice.")]


def test_promoted_meets_what_is_known_as_any_claim_does(person: User, reviewer: User) -> None:
    tell(person, "Bergen")
    candidate = refuse(person)

    promote(person, candidate, by=reviewer)

    assert [status for _, status, _ in beliefs(person)] == ["conflicted", "conflicted"]


@pytest.mark.parametrize(
    ("fields", "source"),
    [
        ({"role": "tool"}, "tool:ci"),
        ({"of": {"document": "notes"}}, "imported:notes"),
    ],
)
def test_promoted_comes_from_whose_words_it_quotes(
    person: User, reviewer: User, fields: dict[str, Any], source: str
) -> None:
    candidate = refuse(person, **fields)

    promote(person, candidate, by=reviewer)

    with scope.user(person.pk):
        assert Candidate.objects.get(pk=candidate).source == source


def test_promoted_inference_waits_for_support(person: User, reviewer: User) -> None:
    candidate = refuse(person, basis=Basis.INFERRED)

    promoted = promote(person, candidate, by=reviewer)

    assert (promoted.fact, promoted.verdict) == (None, "held")


@pytest.mark.parametrize("words", ["Maybe I live in Oslo", "What if I lived in Oslo?", "Do I live in Oslo?"])
def test_promoted_that_was_not_asserted_waits_for_support(words: str, person: User, reviewer: User) -> None:
    promoted = promote(person, refuse(person, words), by=reviewer, is_plain=False)

    assert (promoted.fact, promoted.verdict, beliefs(person)) == (None, "held", [])


def test_promoted_that_was_left_open_twice_is_told_as_unsure(person: User, reviewer: User) -> None:
    for _ in range(2):
        promote(person, refuse(person), by=reviewer, is_plain=False)

    fact = facts_of(person)["Oslo"]
    assert (fact.status, fact.basis, fact.confidence) == ("active", "inferred", 0.6)


def test_promoted_for_another_reason_counts_as_said(person: User, reviewer: User) -> None:
    candidate = refuse(person, "Translate: I live in Oslo")

    promote(person, candidate, by=reviewer, is_plain=False)

    assert facts_of(person)["Oslo"].confidence == 0.9


@pytest.mark.parametrize(
    ("words", "value", "said"),
    [
        ("Maybe I live in Oslo", "Oslo", {}),
        ("Maybe Anna lives in Oslo", "Oslo", {"subject": "Anna", "subject_note": "sister"}),
        ("Maybe a nap after lunch is best for me", "", {"predicate": "", "is_keyless": True}),
    ],
)
def test_demoted_is_exactly_as_before(  # noqa: PLR0917 - a table of claims
    person: User, reviewer: User, words: str, value: str, said: dict[str, Any]
) -> None:
    tell(person, "Bergen", at=WHEN.replace(year=2025))
    candidate = refuse(person, words, value, **said)
    before = _rows(person)

    promote(person, candidate, by=reviewer, note="so")
    between = _rows(person)
    demoted = demote(person, candidate, by=reviewer)

    assert (between == before, demoted.verdict) == (False, "refused")
    assert _rows(person) == before


def test_promoted_and_demoted_twice_change_nothing_more(person: User, reviewer: User) -> None:
    candidate = refuse(person)

    told = [act(person, candidate, by=reviewer).is_new for act in (promote, promote, demote, demote)]

    assert told == [True, False, True, False]


def test_promoted_again_is_what_was_said_of_it_before(person: User, reviewer: User) -> None:
    candidate = refuse(person)
    promote(person, candidate, by=reviewer)
    with scope.user(person.pk):
        forgetting.retire(person.pk, [facts_of(person)["Oslo"].pk], actor=person)
    demote(person, candidate, by=reviewer)

    promote(person, candidate, by=reviewer)

    assert beliefs(person) == [("Oslo", "retracted", None)]


def test_history_tells_who_promoted_and_demoted(person: User, reviewer: User) -> None:
    candidate = refuse(person)
    promote(person, candidate, by=reviewer)
    demote(person, candidate, by=reviewer)

    with scope.user(person.pk):
        rows = History.objects.filter(table="candidate").order_by("pk").values_list("actor", "action", "row")
        assert list(rows) == [(str(reviewer.pk), action, candidate) for action in ("promote", "demote")]


@pytest.mark.parametrize("reason", ["secret", "declined", "forgotten"])
def test_without_text_it_stays_refused(person: User, reviewer: User, reason: str) -> None:
    candidate = make_refusal(person, reason=reason)

    with pytest.raises(Refused, match="text was not kept"):
        promote(person, candidate.pk, by=reviewer)


def test_what_only_the_assistant_said_stays_refused(person: User, reviewer: User) -> None:
    candidate = refuse(person, "You live in Oslo", role="assistant")

    with pytest.raises(Refused, match="Nothing that its person or a tool said"):
        promote(person, candidate, by=reviewer)


def test_what_its_person_declined_since_stays_refused(person: User, reviewer: User) -> None:
    candidate = refuse(person)
    with scope.user(person.pk):
        forgetting.decline(person.pk, "Oslo")

    with pytest.raises(Refused, match="stays refused"):
        promote(person, candidate, by=reviewer)


def _ask(user: User, *, at: datetime) -> None:
    with scope.user(user.pk):
        asked = Turn(1, Role.USER, "Forget what I said about Oslo.", at)
        forgetting.heed(user.pk, [asked], learnt=[], standing=[])


@pytest.mark.parametrize("how", [{"is_plain": True}, {"is_plain": False}], ids=["believed", "held"])
def test_what_its_person_asked_to_be_forgotten_since_stays_refused(
    person: User, reviewer: User, how: dict[str, bool]
) -> None:
    candidate = refuse(person)
    _ask(person, at=WHEN + timedelta(days=1))
    before = _rows(person)

    with scope.user(person.pk), pytest.raises(Refused, match="Its person asked for this to be forgotten"):
        promoting.promote(person.pk, candidate, by=reviewer, **how)

    assert _rows(person) == before


def test_what_was_said_after_a_request_to_forget_is_promoted(person: User, reviewer: User) -> None:
    candidate = refuse(person)
    _ask(person, at=WHEN - timedelta(days=1))

    promote(person, candidate, by=reviewer)

    assert beliefs(person) == [("Oslo", "active", None)]


def test_what_its_person_erased_since_stays_refused(person: User, reviewer: User) -> None:
    tell(person, "Oslo", text="Lives in Oslo now")
    candidate = refuse(person, "Perhaps I will be in Oslo", "Oslo")
    with scope.user(person.pk):
        forgetting.erase(person.pk, [facts_of(person)["Oslo"].pk], actor="me")

    with scope.user(person.pk):
        row = Candidate.objects.filter(pk=candidate).first()
    with pytest.raises((Refused, NotFound)):
        promote(person, candidate, by=reviewer)
    assert (row is None or row.verdict == "refused", beliefs(person)) == (True, [])


def test_nothing_is_taken_in_while_memory_is_paused(person: User, reviewer: User) -> None:
    candidate = refuse(person)
    with scope.staff():
        User.objects.filter(pk=person.pk).update(is_paused=True)

    with pytest.raises(MemoryPaused):
        promote(person, candidate, by=reviewer)


def test_candidate_of_another_is_not_there(person: User, reviewer: User) -> None:
    candidate = refuse(make_user())

    with pytest.raises(NotFound):
        promote(person, candidate, by=reviewer)


def test_accepted_claim_was_not_refused(person: User, reviewer: User) -> None:
    claim = tell(person, "Oslo")

    with pytest.raises(NotFound):
        promote(person, claim.pk, by=reviewer)
