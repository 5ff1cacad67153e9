"""Forgotten stays forgotten: the same episode again, other words, other names, and what its person may lift."""

import pytest

from memory import forgetting, incoming, ingest, scope
from memory.errors import EpisodeConflict, NotFound
from memory.models import Alias, Candidate, Entity, Episode, Erasure, State, User
from tests.factories import make_user
from tests.memory.forgetting.living import (
    BEGIN,
    claim,
    erase,
    fact,
    facts,
    lives,
    living_in,
    process,
    remember,
    said,
    tell,
    verdicts,
)

pytestmark = pytest.mark.django_db

OSLO = "I live in Oslo."


def _again(user: User, external_id: str, *turns: str, closed: bool = False) -> ingest.Stored:
    at = BEGIN.isoformat()
    raw = {
        "external_id": external_id,
        "occurred_at": at,
        "closed": closed,
        "turns": [{"role": "user", "content": content, "at": at} for content in turns],
    }
    return ingest.store(user, incoming.prepare(raw))


def _erased() -> User:
    user = make_user()
    tell(user, "Morning. " + OSLO, claims=[lives("Oslo")], external_id="first", closed=False, remember=True)
    erase(user, "Oslo")
    return user


def test_same_episode_sent_again_is_the_stored_one() -> None:
    user = _erased()

    stored = _again(user, "first", "Morning. " + OSLO)
    process(user, lives("Oslo"))

    assert (stored.state, stored.added) == (ingest.Arrival.EXISTING, 0)
    assert (facts(user), said(user)) == ([], ["Morning. [erased]"])


def test_same_episode_processed_again_gives_nothing_to_learn() -> None:
    user = _erased()
    with scope.user(user.pk):
        Episode.objects.update(read_turns=0, state=State.PENDING)

    process(user, lives("Oslo"))

    assert facts(user) == []
    assert verdicts(user) == [("", "refused", "forgotten")]


def test_same_episode_with_more_turns_adds_only_those() -> None:
    user = _erased()

    stored = _again(user, "first", "Morning. " + OSLO, "I like tea.", closed=True)
    process(user, lives("Oslo"), claim("I like tea.", predicate="likes", object="tea"))

    assert (stored.state, stored.added) == (ingest.Arrival.APPENDED, 1)
    assert facts(user) == [("tea", "active")]
    assert said(user) == ["Morning. [erased]", "I like tea."]
    with scope.user(user.pk):
        assert [*Episode.objects.values_list("content_hash", flat=True)] == [""]


@pytest.mark.parametrize(
    "other",
    ["Evening. " + OSLO, "Morning. " + OSLO + " Bye.", "Morning.", "Morning.[erased]!"],
    ids=["before", "after", "shorter", "marked"],
)
def test_other_content_under_the_erased_episodes_id_is_refused(other: str) -> None:
    user = make_user()
    tell(
        user, f"Morning. {OSLO} That is all.", claims=[lives("Oslo")], external_id="first", closed=False, remember=True
    )
    erase(user, "Oslo")

    with pytest.raises(EpisodeConflict):
        _again(user, "first", other)


@pytest.mark.parametrize(
    ("sentence", "proposed"),
    [
        (OSLO, lives("Oslo")),
        ("My home is in Oslo these days.", lives("Oslo", quote="My home is in Oslo these days.")),
        ("I am based in OSLO.", claim("I am based in OSLO.", predicate="based_in", object="OSLO")),
        ("I reside in Oslo.", claim("I reside in Oslo.", predicate="Resides in", object="“Oslo”")),
        ("Ich wohne in Oslo.", claim("Ich wohne in Oslo.", object="Oslo", subject="ich")),
    ],
)
def test_same_claim_in_other_words_is_refused_without_its_text(sentence: str, proposed: dict[str, object]) -> None:
    user = _erased()

    tell(user, sentence, claims=[proposed], day=30)

    assert facts(user) == []
    assert verdicts(user) == [("", "refused", "forgotten")]


@pytest.mark.parametrize("name", ["Anna", "anna", "Annie", "ANNIE"])
def test_erased_claim_is_known_by_every_name_of_its_subject(name: str) -> None:
    user = make_user()
    tell(
        user,
        "Anna lives in Oslo. Anna likes tea.",
        claims=[
            claim("Anna lives in Oslo.", subject="Anna", object="Oslo"),
            claim("Anna likes tea.", subject="Anna", predicate="likes", object="tea"),
        ],
    )
    with scope.user(user.pk):
        anna = Entity.objects.get(name="Anna")
        Alias.objects.create(user=user, entity=anna, alias="Annie", alias_key="annie")
    erase(user, "Oslo")

    tell(user, f"{name} lives in Oslo.", claims=[claim(f"{name} lives in Oslo.", subject=name, object="Oslo")], day=9)

    assert facts(user) == [("tea", "active")]


def test_other_value_on_an_erased_key_is_held_until_its_person_says_yes() -> None:
    user = _erased()
    tell(user, "I live in Bergen.", claims=[lives("Bergen")], day=30)
    assert (facts(user), verdicts(user)) == ([], [("I live in Bergen.", "held", "erased_key")])

    with scope.user(user.pk):
        forgetting.allow(user.pk, Candidate.objects.get().pk)

    assert facts(user) == [("Bergen", "active")]


def test_yes_to_one_value_opens_the_key_and_not_what_was_erased() -> None:
    user = _erased()
    tell(user, "I live in Bergen.", claims=[lives("Bergen")], day=30)
    with scope.user(user.pk):
        forgetting.allow(user.pk, Candidate.objects.get().pk)

    tell(user, "I live in Rome.", claims=[lives("Rome")], day=60)
    tell(user, OSLO, claims=[lives("Oslo")], day=90)

    assert facts(user) == [("Bergen", "superseded"), ("Rome", "active")]


def test_no_to_a_held_value_takes_it_for_good() -> None:
    user = _erased()
    tell(user, "I live in Bergen.", claims=[lives("Bergen")], day=30)
    with scope.user(user.pk):
        forgetting.dismiss(user.pk, Candidate.objects.get().pk)

    tell(user, "Again: I live in Bergen.", claims=[lives("Bergen")], day=60)

    assert (facts(user), verdicts(user)) == ([], [("", "refused", "forgotten")])
    assert said(user)[:2] == ["Morning. [erased]", "[erased]"]


@pytest.mark.parametrize("verb", [forgetting.allow, forgetting.dismiss])
def test_yes_or_no_to_what_is_not_held_finds_nothing(verb: object) -> None:
    user = living_in("Oslo")

    with scope.user(user.pk), pytest.raises(NotFound):
        verb(user.pk, Candidate.objects.get().pk)  # type: ignore[operator]


def test_what_is_still_believed_may_be_said_again() -> None:
    user = make_user()
    for word in ("jazz", "tea"):
        tell(user, f"I like {word}.", claims=[claim(f"I like {word}.", predicate="likes", object=word)])
    erase(user, "jazz")

    tell(user, "I like tea.", claims=[claim("I like tea.", predicate="likes", object="tea")], day=30)

    assert facts(user) == [("tea", "active")]
    assert verdicts(user) == [("I like tea.", "accepted", "")] * 2


def test_erased_denial_does_not_ban_what_it_denied() -> None:
    user = make_user()
    tell(user, "I love sushi.", claims=[claim("I love sushi.", predicate="likes", object="sushi")])
    hates = claim("I hate sushi now.", predicate="likes", object="sushi", polarity="denies", speech="changes")
    tell(user, "I hate sushi now.", claims=[hates], day=30)
    erase(user, "I hate sushi now.", was_wrong=True)

    tell(user, "I love sushi.", claims=[claim("I love sushi.", predicate="likes", object="sushi")], day=60)
    tell(user, "I hate sushi now.", claims=[hates], day=90)

    assert facts(user) == [("sushi", "active")]


def test_lifting_lets_it_be_learnt_from_then_on() -> None:
    user = _erased()

    with scope.user(user.pk):
        lifted = forgetting.lift(user.pk)
    tell(user, OSLO, claims=[lives("Oslo")], day=30)

    assert (lifted, facts(user)) == (1, [("Oslo", "active")])


def test_erasing_again_after_lifting_bans_again() -> None:
    user = _erased()
    with scope.user(user.pk):
        forgetting.lift(user.pk)
    tell(user, OSLO, claims=[lives("Oslo")], day=30)
    erase(user, "Oslo")

    tell(user, OSLO, claims=[lives("Oslo")], day=60)
    tell(user, "I live in Rome.", claims=[lives("Rome")], day=90)

    assert (facts(user), [reason for _, _, reason in verdicts(user)]) == ([], ["forgotten", "erased_key"])


def test_keyless_claim_bans_itself_and_no_other() -> None:
    user = make_user()
    remember(user, "Gate code green at the back of the house.")
    erase(user, "Gate code green at the back of the house.")

    remember(user, "Gate code green, at the back of the house!", day=30)
    remember(user, "Alarm code blue at the front of the house.", day=60)

    assert facts(user) == [("Alarm code blue at the front of the house.", "active")]
    assert [reason for _, _, reason in verdicts(user)] == ["forgotten", ""]


def test_marks_hold_no_words() -> None:
    user = _erased()

    with scope.user(user.pk):
        marks = Erasure.objects.values_list("claim_mark", "key_mark").get()

    assert [len(mark) for mark in marks] == [64, 64]


def test_marks_of_one_person_say_nothing_of_another() -> None:
    _erased()
    other = make_user()

    tell(other, OSLO, claims=[lives("Oslo")])

    assert facts(other) == [("Oslo", "active")]


def test_fact_is_found_by_its_newest_words() -> None:
    user = living_in("Oslo", "Bergen")

    assert fact(user, "Bergen").text == "I live in Bergen."
