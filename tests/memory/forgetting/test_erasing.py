"""Erasing: what goes, what stays, and what is believed afterwards."""

import pytest

from memory import forgetting, listing, policies, scope
from memory.errors import NotFound
from memory.models import Conflict, Entity, Evidence, Fact, PersonsRuling, Receipt
from tests.factories import make_user
from tests.memory.forgetting.living import claim, erase, fact, facts, lives, living_in, preview, said, tell, verdicts

pytestmark = pytest.mark.django_db


def works(firm: str, **fields: object) -> dict[str, object]:
    return claim(f"I work at {firm}.", predicate="works_at", object=firm, **fields)


def test_erasing_takes_fact_claims_and_quotes() -> None:
    user = living_in("Oslo")

    erase(user, "Oslo")

    assert (facts(user), verdicts(user), said(user)) == ([], [], ["[erased]"])


def test_erasing_leaves_the_other_sentences_of_a_turn() -> None:
    user = make_user()
    tell(user, "Morning! I live in Oslo. How are you?", claims=[lives("Oslo")])

    erase(user, "Oslo")

    assert said(user) == ["Morning! [erased] How are you?"]


def test_erasing_twice_says_that_it_is_gone() -> None:
    user = living_in("Oslo")
    pk = fact(user, "Oslo").pk
    erase(user, "Oslo")

    with scope.user(user.pk), pytest.raises(NotFound, match="erased already"):
        forgetting.erase(user.pk, [pk], actor="me")

    with scope.user(user.pk):
        assert Receipt.objects.filter(user_id=user.pk).count() == 1


def test_erasing_a_strangers_fact_finds_nothing() -> None:
    user, stranger = living_in("Oslo"), living_in("Bergen")
    pk = fact(stranger, "Bergen").pk

    with scope.user(user.pk), pytest.raises(NotFound):
        forgetting.erase(user.pk, [pk], actor="me")

    assert facts(stranger) == [("Bergen", "active")]


def test_receipt_counts_what_went_and_holds_no_words() -> None:
    user = make_user()
    tell(user, "I live in Oslo.", ("assistant", "Oslo, how nice."), claims=[lives("Oslo")])

    receipt = erase(user, "Oslo")

    assert receipt.counts == {"facts": 1, "candidates": 1, "evidence": 1, "sentences": 2, "entities": 0, "turns": 2}
    assert (receipt.act, receipt.actor) == ("erase", str(user.pk))


def test_preview_names_exactly_what_erasing_takes() -> None:
    user = make_user()
    tell(user, "I live in Oslo. I work at Acme.", claims=[lives("Oslo"), works("Acme")])

    going = preview(user, "Oslo")
    receipt = erase(user, "Oslo")

    assert going.counts | {"turns": 1} == receipt.counts
    assert facts(user) == [("Acme", "active")]


def test_facts_that_share_a_sentence_keep_all_but_the_quote() -> None:
    user = make_user()
    both = "I live in Oslo and work at Acme."
    tell(user, both, claims=[lives("Oslo", quote=both), works("Acme", quote=both)])

    erase(user, "Oslo")

    assert (facts(user), said(user)) == ([("Acme", "active")], ["[erased]"])
    with scope.user(user.pk):
        assert [*Evidence.objects.values_list("quote", flat=True)] == ["[erased]"]


def test_second_of_facts_that_shared_a_sentence_goes_without_taking_more() -> None:
    user = make_user()
    both = "I live in Oslo and work at Acme."
    tell(user, f"{both} I like tea.", claims=[lives("Oslo", quote=both), works("Acme", quote=both)])
    erase(user, "Oslo")

    erase(user, "Acme")

    assert (facts(user), said(user)) == ([], ["[erased] I like tea."])


def test_duplicates_over_several_episodes_go_everywhere() -> None:
    user = make_user()
    for day in (0, 20, 40):
        tell(user, f"Day {day}. I live in Oslo.", claims=[lives("Oslo")], day=day)

    erase(user, "Oslo")

    assert said(user) == ["Day 0. [erased]", "Day 20. [erased]", "Day 40. [erased]"]


@pytest.mark.parametrize(
    ("stored", "quote", "left"),
    [
        ("Hi.\nI live\nin Oslo.\nBye.", "I live\nin Oslo.", "Hi.\n[erased]\n[erased]\nBye."),
        ("Hi. I “really” live in Oslo. Bye.", 'I "really" live in Oslo.', "Hi. [erased] Bye."),
        ("Hi. I  live   in Oslo. Bye.", "I live in Oslo.", "Hi. [erased] Bye."),
        ("我住在东京。你好。", "我住在东京", "[erased]你好。"),
        ("Hi 🙂. I live in Oslo 🏔️. Bye.", "I live in Oslo", "Hi 🙂. [erased] Bye."),
    ],
    ids=["lines", "quote marks", "spaces", "without spaces", "emoji"],
)
def test_quotes_are_found_however_they_stand(stored: str, quote: str, left: str) -> None:
    place = "东京" if "东京" in stored else "Oslo"
    user = make_user()
    tell(user, stored, claims=[lives(place, quote=quote)])

    erase(user, place)

    assert said(user) == [left]


@pytest.mark.parametrize(
    ("echo", "left"),
    [
        ("So Oslo it is. Anything else?", "[erased] Anything else?"),
        ("OSLO! Anything else?", "[erased] Anything else?"),
        ("The Osloer Straße is in Berlin.", "The Osloer Straße is in Berlin."),
        ("Oslo's winters are long. Anything else?", "[erased] Anything else?"),
        ("You said: I live\nin oslo. Anything else?", "[erased]\n[erased] Anything else?"),
    ],
)
def test_sentences_of_others_that_say_the_object_go_too(echo: str, left: str) -> None:
    user = make_user()
    tell(user, "I live in Oslo.", ("assistant", echo), claims=[lives("Oslo")])

    erase(user, "Oslo")

    assert said(user) == ["[erased]", left]


def test_object_of_which_another_fact_speaks_stays_where_that_is_told() -> None:
    user = make_user()
    tell(
        user,
        "I live in Oslo.",
        "I work in Oslo.",
        claims=[lives("Oslo"), claim("I work in Oslo.", predicate="works_in", object="Oslo", turn=2)],
    )

    with scope.user(user.pk):
        home = Fact.objects.get(predicate="lives_in").pk
        forgetting.erase(user.pk, [home], actor="me")

    assert said(user) == ["[erased]", "I work in Oslo."]


@pytest.mark.parametrize("answer", ["5", "C", "42", "X", "B1"])
def test_object_that_names_nothing_blanks_only_its_own_sentence(answer: str) -> None:
    user = make_user()
    sentence = f"My answer about diabetes is {answer}."
    tell(
        user,
        sentence,
        f"Shall we go on? {answer}. It is {answer}.",
        claims=[claim(sentence, predicate="has_diabetes", object=answer)],
    )

    erase(user, answer)

    assert said(user) == ["[erased]", f"Shall we go on? {answer}. It is {answer}."]


@pytest.mark.parametrize("status", ["retracted", "lapsed", "superseded"])
def test_facts_that_are_not_live_can_be_erased(status: str) -> None:
    user = living_in("Oslo")
    pk = fact(user, "Oslo").pk
    with scope.user(user.pk):
        if status == "retracted":
            forgetting.retire(user.pk, [pk], actor=user)
        else:
            Fact.objects.update(status=status, is_exclusive=False)

    erase(user, "Oslo")

    assert (facts(user), verdicts(user), said(user)) == ([], [], ["[erased]"])
    with scope.user(user.pk):
        assert PersonsRuling.objects.count() == 0


def test_side_of_a_conflict_goes_and_the_other_becomes_active() -> None:
    user = make_user()
    tell(user, "I live in Oslo.", claims=[lives("Oslo")])
    tell(user, "I live in Bergen.", claims=[lives("Bergen")])
    assert facts(user) == [("Bergen", "conflicted"), ("Oslo", "conflicted")]

    erase(user, "Bergen")

    assert facts(user) == [("Oslo", "active")]
    with scope.user(user.pk):
        assert Conflict.objects.count() == 0


def test_both_sides_of_a_conflict_take_the_question_with_them() -> None:
    user = make_user()
    tell(user, "I live in Oslo.", claims=[lives("Oslo")])
    tell(user, "I live in Bergen.", claims=[lives("Bergen")])

    erase(user, "Bergen", "Oslo")

    with scope.user(user.pk):
        assert (Fact.objects.count(), Conflict.objects.count()) == (0, 0)


def test_name_of_whom_nothing_speaks_any_more_goes() -> None:
    user = make_user()
    sentence = "Bo works at Acme."
    tell(
        user,
        sentence,
        ("assistant", "How is Bo?"),
        claims=[claim(sentence, subject="Bo", predicate="works_at", object="Acme")],
    )

    erase(user, "Acme")

    assert said(user) == ["[erased]", "[erased]"]
    with scope.user(user.pk):
        assert [*Entity.objects.filter(is_owner=False)] == []


def test_name_of_whom_something_else_speaks_stays() -> None:
    user = make_user()
    firm, town = "Bo works at Acme.", "Bo lives in Oslo."
    tell(
        user,
        firm,
        town,
        claims=[
            claim(firm, subject="Bo", predicate="works_at", object="Acme"),
            claim(town, subject="Bo", object="Oslo", turn=2),
        ],
    )

    erase(user, "Acme")

    assert (facts(user), said(user)) == ([("Oslo", "active")], ["[erased]", town])
    with scope.user(user.pk):
        assert [*Entity.objects.filter(is_owner=False).values_list("name", flat=True)] == ["Bo"]


def test_refused_and_held_candidates_that_hold_the_words_go() -> None:
    user = make_user()
    tell(
        user,
        "I live in Oslo.",
        "Maybe I will buy a flat in Oslo.",
        "I like tea.",
        claims=[
            lives("Oslo"),
            claim(
                "Will buy a flat in Oslo.",
                predicate="buys",
                object="a flat",
                turn=2,
                quote="Maybe I will buy a flat in Oslo.",
            ),
            claim("Is from Oslo.", predicate="comes_from", object="Oslo", turn=3, quote="nobody said this"),
            claim("Likes tea.", predicate="likes", object="tea", turn=3, quote="I like tea."),
        ],
    )

    erase(user, "Oslo")

    assert verdicts(user) == [("Likes tea.", "accepted", "")]


def test_reading_right_after_erasing_does_not_show_it() -> None:
    user = living_in("Oslo")
    pk = fact(user, "Oslo").pk

    with scope.user(user.pk):
        forgetting.erase(user.pk, [pk], actor="me")
        listed = listing.facts(listing.with_status(user.pk, "all"), thresholds=policies.current().thresholds)

    assert listed == []
