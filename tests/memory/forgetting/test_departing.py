"""Forget me: everything of a person, their login and sessions too; and coming back only when an admin lets them."""

import json

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command

from memory import forgetting, inviting, people, scope
from memory.errors import Departed, InvalidEpisode, NotFound
from memory.models import Access, ApiKey, Departure, Fact, Invitation, Receipt, SavedView, User
from tests import filling
from tests.factories import make_login, make_user
from tests.memory.forgetting.living import facts, lives, living_in, send, tell

pytestmark = pytest.mark.django_db(transaction=True)


def _receipts(user_id: int) -> list[tuple[str, dict[str, int], str]]:
    with scope.staff():
        return list(Receipt.objects.filter(user_id=user_id).order_by("pk").values_list("act", "counts", "actor"))


def _sign_in(user: User) -> str:
    session = SessionStore()
    session["_auth_user_id"] = str(user.pk)
    session.save()
    return str(session.session_key)


def test_departing_takes_everything_that_was_previewed() -> None:
    user = make_user()
    filling.fill(user)
    with scope.staff():
        shown = forgetting.preview_departure(user.pk)

    receipt = forgetting.depart(user, actor="command line")

    assert receipt.counts == shown
    with scope.staff():
        assert forgetting.preview_departure(user.pk) == {}
        assert User.objects.filter(pk=user.pk).count() == 0


def test_receipts_stay_and_hold_counts_alone() -> None:
    user = living_in("Oslo")
    with scope.user(user.pk):
        forgetting.erase(user.pk, [Fact.objects.get().pk], actor=str(user.pk))

    forgetting.depart(user, actor="command line")

    acts = [(act, actor) for act, _, actor in _receipts(user.pk)]
    assert acts == [("erase", str(user.pk)), ("forget", "command line")]
    assert {type(count) for _, counts, _ in _receipts(user.pk) for count in counts.values()} == {int}


def test_departing_twice_says_that_they_are_gone() -> None:
    user = living_in("Oslo")
    forgetting.depart(user, actor="me")

    with pytest.raises(NotFound, match="forgotten already"):
        forgetting.depart(user, actor="me")

    assert len(_receipts(user.pk)) == 1


def test_sessions_and_keys_of_the_departed_end_and_others_go_on() -> None:
    user, other = make_user(), make_user()
    own, foreign = _sign_in(user), _sign_in(other)
    ApiKey.objects.create(name="a", prefix="a", digest="a", scopes=["recall"], user=user)
    ApiKey.objects.create(name="b", prefix="b", digest="b", scopes=["recall"], user=other)

    receipt = forgetting.depart(user, actor="me")

    assert list(Session.objects.values_list("pk", flat=True)) == [foreign]
    assert own != foreign
    assert list(ApiKey.objects.values_list("name", flat=True)) == ["b"]
    assert (receipt.counts["session"], receipt.counts["apikey"]) == (1, 1)


def test_only_a_hash_of_the_departed_is_left() -> None:
    user = make_user("zoe@example.org")

    forgetting.depart(user, actor="me")

    marks = list(Departure.objects.values_list("mark", flat=True))
    assert [len(mark) for mark in marks] == [64]


def test_resend_is_refused_until_an_admin_lifts_it() -> None:
    user = living_in("Oslo")
    name = user.external_id
    forgetting.depart(user, actor="me")

    with pytest.raises(Departed, match="asked to be forgotten"):
        people.named(name)
    lifted = forgetting.lift_departure(name)
    again = people.named(name)
    tell(again, "I live in Oslo.", claims=[lives("Oslo")])

    assert lifted is True
    assert again.pk != user.pk
    assert facts(again) == [("Oslo", "active")]


def test_refused_resend_makes_no_user() -> None:
    user = make_user()
    forgetting.depart(user, actor="me")

    with pytest.raises(Departed):
        people.named(user.external_id)

    with scope.staff():
        assert User.objects.count() == 0


def test_lifting_for_somebody_who_never_left_says_so() -> None:
    assert forgetting.lift_departure("nobody") is False


def test_sender_who_still_holds_the_user_is_refused() -> None:
    user = living_in("Oslo")
    forgetting.depart(user, actor="me")

    with pytest.raises(InvalidEpisode, match="not known any more"):
        send(user, "I live in Oslo.")


def test_others_whose_names_look_alike_are_untouched() -> None:
    user, other = make_user("team:ann"), make_user("team:anna")
    forgetting.depart(user, actor="me")

    assert people.named("team:anna").pk == other.pk


# The command ------------------------------------------------------------------------------


def test_command_shows_and_does_nothing_without_yes(capsys: pytest.CaptureFixture[str]) -> None:
    user = living_in("Oslo")

    call_command("forget", user=user.external_id, everything=True, as_json=True)

    shown = json.loads(capsys.readouterr().out)
    assert (shown["erased"], shown["counts"]["fact"]) == (False, 1)
    assert facts(user) == [("Oslo", "active")]


def test_command_forgets_with_yes_and_refuses_the_resend(capsys: pytest.CaptureFixture[str]) -> None:
    user = living_in("Oslo")

    call_command("forget", user=user.external_id, everything=True, yes=True, as_json=True)
    done = json.loads(capsys.readouterr().out)
    with pytest.raises(CommandError, match="asked to be forgotten") as caught:
        call_command("remember", "I live in Oslo.", user=user.external_id)

    assert (done["erased"], done["counts"]["fact"]) == (True, 1)
    assert caught.value.returncode == 2


def test_command_lets_a_forgotten_person_come_back(capsys: pytest.CaptureFixture[str]) -> None:
    user = living_in("Oslo")
    forgetting.depart(user, actor="me")

    call_command("forget", user=user.external_id, lift=True, as_json=True)

    assert json.loads(capsys.readouterr().out) == {"user": user.external_id, "lifted": True}
    assert people.named(user.external_id).pk != user.pk


def test_command_that_lifts_nothing_says_so() -> None:
    with pytest.raises(CommandError, match="not forgotten") as caught:
        call_command("forget", user="nobody", lift=True)

    assert caught.value.returncode == 2


@pytest.mark.parametrize("subject", ["me", "I", "user", "ich"])
def test_command_erases_what_is_known_about_a_subject(subject: str, capsys: pytest.CaptureFixture[str]) -> None:
    user = living_in("Oslo", "Bergen")

    call_command("forget", user=user.external_id, subject=subject, yes=True, as_json=True)

    assert json.loads(capsys.readouterr().out)["counts"]["facts"] == 2
    assert facts(user) == []


def test_command_asked_for_a_fact_that_is_not_there_finds_nothing() -> None:
    user = living_in("Oslo")

    with pytest.raises(CommandError) as caught:
        call_command("forget", user=user.external_id, fact=10**9, yes=True)

    assert caught.value.returncode == 2


def test_invitations_of_the_departed_let_nobody_in_and_name_nobody() -> None:
    user = make_user("maya")
    link = inviting.renew(user.pk, by=make_login("admin", "ada"))
    inviting.issue("jonas", access=Access.MEMBER)

    forgetting.depart(user, actor="me")

    assert inviting.accept(link.token, display_name="Maya", password="correct horse") is None
    with scope.staff():
        assert list(Invitation.objects.values_list("external_id", flat=True)) == ["jonas"]


def test_searches_that_name_the_departed_go_and_others_stay() -> None:
    user, reviewer = make_user("maya o"), make_login("reviewer", "rita")
    queries = {"theirs": "status=all&person=maya+o", "another's": "person=maya+okafor", "nobody's": "q=maya+o"}
    with scope.staff():
        for name, query in queries.items():
            SavedView.objects.create(holder=reviewer, name=name, page="facts", query=query)

    forgetting.depart(user, actor="me")

    with scope.staff():
        assert list(SavedView.objects.order_by("pk").values_list("name", flat=True)) == ["another's", "nobody's"]
