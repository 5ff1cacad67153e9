"""Asking in a chat to be forgotten about something: what counts as asking, and what is done at once."""

import time
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import correcting, forgetting, scope
from memory.errors import Refused
from memory.mine import leaving
from memory.models import ErasureRequest, User
from memory.types import Role, Turn
from tests.factories import make_user
from tests.memory.forgetting.living import claim, erase, fact, facts, lives, living_in, process, said, send, tell

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 10, tzinfo=UTC)


def _topics(content: str, role: Role = Role.USER) -> list[str]:
    return [topic.words for topic in forgetting.topics([Turn(1, role, content, NOW)])]


@pytest.mark.parametrize(
    ("content", "topic"),
    [
        ("Forget what I said about my divorce.", "divorce"),
        ("Please forget everything I told you about my divorce", "divorce"),
        ("Hi! Can you forget what I've said about the divorce, please?", "divorce"),
        ("Sorry, please delete everything I mentioned about my divorce from Kim.", "divorce from Kim"),
        ("forget about my divorce!", "divorce"),
        ("I'd like you to erase anything I ever told you about our divorce", "divorce"),
        ("Thanks. Delete all you know about my divorce; then go on.", "divorce"),
        ("Please forget everything about my divorce for good.", "divorce"),
        ("Remove my divorce from your memory, please.", "divorce"),
        ("Stop remembering what I said about my divorce.", "divorce"),
        ("Forget that I went through a divorce.", "I went through a divorce"),
        ("Forget the divorce, please.", "divorce"),
        ("Vergiss, dass ich geschieden bin.", "ich geschieden bin"),
        ("Olvida que tuve un divorcio.", "tuve un divorcio"),
        ("Oublie que j'ai divorcé.", "j'ai divorcé"),
        ("Unohda, että olen eronnut.", "olen eronnut"),
        ("Забудь, что я в разводе.", "я в разводе"),
        ("Vergiss, was ich über meine Scheidung gesagt habe.", "Scheidung"),
        ("Bitte vergiss alles, was ich dir über meine Scheidung erzählt habe!", "Scheidung"),
        ("Vergiss bitte meine Scheidung.", "Scheidung"),
        ("Kannst du bitte alles über meine Scheidung löschen?", "Scheidung"),
        ("Lösche alles, was du über die Scheidung weißt.", "Scheidung"),
        ("Danke. Vergiss alles über meine Scheidung.", "Scheidung"),
        ("Lösch bitte meine Scheidung aus deinem Gedächtnis", "Scheidung"),
        ("Vergessen Sie bitte, was ich Ihnen über meine Scheidung erzählt habe.", "Scheidung"),
        ("Olvida lo que te dije sobre mi divorcio.", "divorcio"),
        ("Por favor, olvida todo lo que he dicho sobre mi divorcio", "divorcio"),
        ("Borra todo lo que sabes de mi divorcio, por favor.", "divorcio"),
        ("Olvida mi divorcio.", "divorcio"),
        ("Hola. ¿Puedes olvidar lo que te conté sobre mi divorcio?", "divorcio"),
        ("Olvida todo sobre mi divorcio.", "divorcio"),
        ("Quiero que olvides lo que te he contado acerca de mi divorcio.", "divorcio"),
        ("Elimina mi divorcio de tu memoria.", "divorcio"),
        ("Oublie ce que j'ai dit sur mon divorce.", "divorce"),
        ("S’il te plaît, oublie tout ce que je t’ai dit sur mon divorce.", "divorce"),
        ("Oublie mon divorce, s'il te plaît.", "divorce"),
        ("Efface tout ce que tu sais sur mon divorce.", "divorce"),
        ("Peux-tu oublier ce que je t'ai raconté à propos de mon divorce ?", "divorce"),
        ("Oublie tout sur mon divorce.", "divorce"),
        ("Bonjour. Oubliez ce que je vous ai dit sur mon divorce.", "divorce"),
        ("Supprime mon divorce de ta mémoire", "divorce"),
        ("Unohda mitä sanoin avioerostani.", "avioerostani"),
        ("Unohda kaikki, mitä olen kertonut avioerostani.", "avioerostani"),
        ("Ole hyvä ja unohda mitä kerroin sinulle avioerosta", "avioerosta"),
        ("Unohda avioeroni.", "avioeroni"),
        ("Voisitko unohtaa, mitä olen sanonut avioerostani?", "avioerostani"),
        ("Poista kaikki mitä tiedät avioerostani, kiitos.", "avioerostani"),
        ("Unohda minun avioeroni kokonaan.", "avioeroni"),
        ("Poista avioeroni muististasi.", "avioeroni"),
        ("Забудь, что я говорил о моём разводе.", "разводе"),
        ("Пожалуйста, забудь всё, что я тебе рассказывала про мой развод", "развод"),
        ("Забудь про мой развод.", "развод"),
        ("Удали всё, что ты знаешь о моем разводе, пожалуйста.", "разводе"),
        ("Можешь забыть, что я сказал о разводе?", "разводе"),
        ("Забудь всё о моём разводе.", "разводе"),
        ("Спасибо. Сотри всё, что я говорила о разводе!", "разводе"),
        ("Удали мой развод из памяти.", "развод"),
    ],
)
def test_request_names_its_topic(content: str, topic: str) -> None:
    assert _topics(content) == [topic]


@pytest.mark.parametrize(
    "content",
    [
        "Don't forget my divorce.",
        "Please don't forget what I told you about my divorce.",
        "I will never forget my divorce.",
        "I try to forget my divorce.",
        "I'll go home and forget my divorce.",
        "Did you forget what I said about my divorce?",
        "How do I forget my divorce?",
        "My lawyer said: “forget everything I told you about my divorce”.",
        "Translate: forget what I said about my divorce",
        "Forget it.",
        "Forget about it, never mind.",
        "Forget that.",
        "Forget everything.",
        "I forgot to tell you about my divorce.",
        "Vergiss nicht, was ich über meine Scheidung gesagt habe.",
        "Vergiss meine Scheidung nicht!",
        "Ich kann meine Scheidung nicht vergessen.",
        "Hast du vergessen, was ich über meine Scheidung gesagt habe?",
        "No olvides lo que te dije sobre mi divorcio.",
        "Nunca olvidaré mi divorcio.",
        "¿Olvidaste lo que te dije sobre mi divorcio?",
        "N'oublie pas mon divorce.",
        "Je n'oublierai jamais mon divorce.",
        "As-tu oublié ce que je t'ai dit sur mon divorce ?",
        "Älä unohda avioeroani.",
        "En koskaan unohda avioeroani.",
        "Unohditko mitä sanoin avioerostani?",
        "Не забудь про мой развод.",
        "Я никогда не забуду мой развод.",
        "Ты забыл, что я говорил о моём разводе?",
    ],
)
def test_other_talk_of_forgetting_is_no_request(content: str) -> None:
    assert _topics(content) == []


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.TOOL, Role.SYSTEM])
def test_only_the_user_can_ask(role: Role) -> None:
    assert _topics("Forget what I said about my divorce.", role) == []


DIVORCE = "I went through a divorce in 2025."


def _divorced() -> User:
    user = make_user()
    tell(
        user,
        DIVORCE,
        "I live in Oslo.",
        "I like tea.",
        claims=[
            claim(DIVORCE, predicate="went_through", object="a divorce"),
            lives("Oslo", turn=2),
            claim("I like tea.", predicate="likes", object="tea", turn=3),
        ],
    )
    return user


def _requests(user: object) -> list[tuple[list[int], bool]]:
    with scope.user(user.pk):  # type: ignore[attr-defined]
        return [(row.facts, row.answered_at is None) for row in ErasureRequest.objects.exclude(facts=[]).order_by("pk")]


@pytest.mark.parametrize(
    "words",
    [
        "Forget what I said about my divorce.",
        "Please forget everything I told you about divorces!",
        "Forget my divorce.",
        "Bitte vergiss alles, was ich über divorce gesagt habe.",
        "Oublie ce que j'ai dit sur le divorce.",
    ],
)
def test_request_retires_at_once_what_it_names_and_nothing_else(words: str) -> None:
    user = _divorced()

    tell(user, words, day=1)

    assert facts(user) == [("Oslo", "active"), ("a divorce", "retracted"), ("tea", "active")]
    assert _requests(user) == [([fact(user, "a divorce").pk], True)]
    assert said(user)[0] == DIVORCE


@pytest.mark.parametrize(
    "words",
    ["Forget what I said about my wedding.", "Forget my divorce from Anna.", "Don't forget my divorce.", "Forget the."],
)
def test_request_that_names_nothing_known_changes_nothing(words: str) -> None:
    user = _divorced()

    tell(user, words, day=1)

    assert {status for _, status in facts(user)} == {"active"}
    assert _requests(user) == []


@pytest.mark.parametrize(
    ("language", "sentence", "thing", "words"),
    [
        (
            "de",
            "Ich habe eine Scheidung hinter mir.",
            "Scheidung",
            "Vergiss, was ich über meine Scheidungen gesagt habe.",
        ),
        ("es", "He tenido un divorcio.", "un divorcio", "Olvida lo que te dije sobre mis divorcios."),
        ("fr", "J'ai eu deux divorces.", "deux divorces", "Oublie ce que j'ai dit sur mon divorce."),
        ("fi", "Minulla oli avioero viime vuonna.", "avioero", "Unohda mitä sanoin avioerostani."),
        ("ru", "У меня был развод в 2025 году.", "развод", "Забудь, что я говорил о моём разводе."),
        ("en", "I had two divorces.", "two divorces", "Forget what I said about my divorce."),
    ],
)
def test_topic_is_known_in_its_inflected_forms(language: str, sentence: str, thing: str, words: str) -> None:
    user = make_user(language=language)
    tell(user, sentence, claims=[claim(sentence, predicate="experienced", object=thing)])
    assert facts(user) == [(thing, "active")]

    tell(user, words, day=1)

    assert facts(user) == [(thing, "retracted")]


def test_request_is_kept_once_however_often_it_is_made() -> None:
    user = _divorced()

    for day in (1, 2, 3):
        tell(user, "Forget what I said about my divorce.", day=day)

    assert len(_requests(user)) == 1


def test_request_is_answered_when_its_facts_are_erased() -> None:
    user = _divorced()
    tell(user, "Forget what I said about my divorce.", day=1)

    erase(user, "a divorce")

    assert [is_open for _, is_open in _requests(user)] == [False]
    assert said(user)[0] == "[erased]"


def test_request_can_be_taken_back() -> None:
    user = _divorced()
    tell(user, "Forget what I said about my divorce.", day=1)
    pk = fact(user, "a divorce").pk

    with scope.user(user.pk):
        forgetting.restore(user.pk, [pk], actor=user)

    assert facts(user) == [("Oslo", "active"), ("a divorce", "active"), ("tea", "active")]


def test_request_does_not_bring_back_what_the_fact_had_replaced() -> None:
    user = living_in("Oslo", "Bergen")

    tell(user, "Forget what I told you about Bergen.", day=30)

    assert facts(user) == [("Oslo", "superseded"), ("Bergen", "retracted")]


def test_request_says_nothing_of_what_is_said_later() -> None:
    user = _divorced()

    tell(user, "Forget what I said about my divorce.", day=-1)

    assert ("a divorce", "active") in facts(user)


TOLD = [("I live in Oslo.", 0), ("I live in Bergen.", 7), ("Forget what I told you about Bergen.", 30)]
AGAIN = ("I live in Bergen.", 40)


def _told(*order: tuple[str, int]) -> User:
    """In the order in which it comes in; each was said on its day."""
    user = make_user()
    for words, day in order:
        place = words.removeprefix("I live in ").rstrip(".")
        tell(user, words, claims=[] if words.startswith("Forget") else [lives(place)], day=day)
    return user


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (2, 0, 1), (1, 2, 0)])
def test_request_covers_what_was_said_before_it_in_whatever_order_it_comes(order: tuple[int, ...]) -> None:
    user = _told(*(TOLD[place] for place in order))

    assert facts(user) == [("Oslo", "superseded"), ("Bergen", "retracted")]
    assert _requests(user) == [([fact(user, "Bergen").pk], True)]


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (0, 1, 3, 2), (2, 3, 0, 1)])
def test_what_is_said_after_a_request_counts_in_whatever_order_it_comes(order: tuple[int, ...]) -> None:
    user = _told(*([*TOLD, AGAIN][place] for place in order))

    assert sorted(facts(user)) == [("Bergen", "active"), ("Bergen", "retracted"), ("Oslo", "superseded")]


@pytest.mark.parametrize(
    ("language", "sentence", "thing", "words"),
    [
        ("de", "Ich habe eine Scheidung hinter mir.", "Scheidung", "Vergiss meine Scheidung."),
        ("fi", "Minulla oli avioero viime vuonna.", "avioero", "Unohda mitä sanoin avioerostani."),
        ("ru", "У меня был развод в 2025 году.", "развод", "Забудь, что я говорил о моём разводе."),
    ],
)
def test_request_covers_what_comes_in_after_it_in_other_languages(
    language: str, sentence: str, thing: str, words: str
) -> None:
    user = make_user(language=language)
    tell(user, words, day=1)

    tell(user, sentence, claims=[claim(sentence, predicate="experienced", object=thing)])

    assert facts(user) == [(thing, "retracted")]


def test_request_about_oneself_covers_what_comes_in_after_it() -> None:
    user = make_user()
    tell(user, "Please forget everything you know about me.", day=1)

    tell(user, "I live in Oslo.", claims=[lives("Oslo")])
    tell(user, "Bo lives in Rome.", claims=[claim("Bo lives in Rome.", subject="Bo", object="Rome")])

    assert sorted(facts(user)) == [("Oslo", "retracted"), ("Rome", "active")]


def test_request_whose_facts_were_erased_covers_what_comes_in_after_that() -> None:
    user = _divorced()
    tell(user, "Forget what I said about my divorce.", day=1)
    erase(user, "a divorce")

    tell(
        user,
        "The divorce cost me the house.",
        claims=[claim("The divorce cost me the house.", predicate="lost", object="the house")],
        day=-3,
    )

    assert ("the house", "retracted") in facts(user)
    assert [is_open for _, is_open in _requests(user)] == [False, True]


def _topics_kept(user: User) -> list[str]:
    with scope.user(user.pk):
        return [row.topic for row in ErasureRequest.objects.order_by("pk")]


def test_topic_goes_when_its_facts_are_erased() -> None:
    user = _divorced()
    tell(user, "Forget what I said about my divorce.", day=1)
    before = _topics_kept(user)

    erase(user, "a divorce")

    assert (before, _topics_kept(user)) == (["divorce"], ["[erased]"])


def test_topic_of_which_nothing_is_known_is_never_kept() -> None:
    user = make_user()

    tell(user, "Forget what I said about my divorce.")

    assert _topics_kept(user) == ["[erased]"]


def test_topic_goes_when_the_request_was_not_meant() -> None:
    user = _divorced()
    tell(user, "Forget what I said about my divorce.", day=1)

    with scope.user(user.pk):
        leaving.keep(user.pk, ErasureRequest.objects.get().pk)

    assert (_topics_kept(user), ("a divorce", "active") in facts(user)) == (["[erased]"], True)


def test_request_of_which_marks_are_left_is_kept_once_and_moves_on() -> None:
    user = make_user()
    tell(user, "Forget what I said about my divorce.")
    tell(user, "Forget what I said about my divorces.", day=9)

    tell(user, DIVORCE, claims=[claim(DIVORCE, predicate="went_through", object="a divorce")], day=5)

    assert facts(user) == [("a divorce", "retracted")]
    with scope.user(user.pk):
        assert ErasureRequest.objects.exclude(said_at=None).count() == 1


def test_request_that_came_without_marks_gets_them_and_loses_its_topic() -> None:
    user = make_user()
    tell(user, "Forget what I said about my divorce.", day=1)
    with scope.user(user.pk):
        rows = ErasureRequest.objects.all()
        before = rows.get().marks
        rows.update(marks=[], topic="divorce")

        forgetting.mark(user.pk)

        assert (rows.get().marks, rows.get().topic) == (before, "[erased]")


def test_request_taken_back_covers_nothing_more() -> None:
    user = _told(*TOLD)
    pk = fact(user, "Bergen").pk
    with scope.user(user.pk):
        forgetting.restore(user.pk, [pk], actor=user)

    tell(user, "I like Bergen.", claims=[claim("I like Bergen.", predicate="likes", object="Bergen")], day=1)

    assert sorted(facts(user)) == [("Bergen", "active"), ("Bergen", "active"), ("Oslo", "superseded")]


def test_requests_cost_nothing_where_none_was_made() -> None:
    user = make_user()
    tell(user, "I live in Oslo.", claims=[lives("Oslo")])
    send(user, "I live in Bergen.", day=1)

    with CaptureQueriesContext(connection) as asked:
        process(user, lives("Bergen"))

    statements = [query["sql"] for query in asked if "memory_erasurerequest" in query["sql"]]
    assert len(statements) == 1  # what is read of the person


def test_staff_cannot_bring_back_what_its_person_asked_to_be_forgotten() -> None:
    user, reviewer = _told(*TOLD), make_user("reviewer", access="reviewer")
    pk = fact(user, "Bergen").pk

    with scope.user(user.pk), pytest.raises(Refused):
        forgetting.restore(user.pk, [pk], actor=reviewer)

    assert facts(user) == [("Oslo", "superseded"), ("Bergen", "retracted")]


@pytest.mark.parametrize("take", [correcting.retract, correcting.close])
def test_staff_cannot_bring_back_what_an_agent_took_away_for_its_person(take: Any) -> None:
    user, reviewer = living_in("Oslo"), make_user("reviewer", access="reviewer")
    pk = fact(user, "Oslo").pk
    with scope.user(user.pk):
        take(user.pk, pk)
    before = facts(user)

    with scope.user(user.pk), pytest.raises(Refused):
        forgetting.restore(user.pk, [pk], actor=reviewer)

    assert facts(user) == before


def test_staff_brings_back_what_staff_took_away() -> None:
    user, reviewer = living_in("Oslo"), make_user("reviewer", access="reviewer")
    pk = fact(user, "Oslo").pk
    with scope.user(user.pk):
        forgetting.retire(user.pk, [pk], actor=reviewer)
        forgetting.restore(user.pk, [pk], actor=reviewer)

    assert facts(user) == [("Oslo", "active")]


def test_everything_about_me_is_every_fact_about_oneself() -> None:
    user = _divorced()
    tell(user, "Bo lives in Rome.", claims=[claim("Bo lives in Rome.", subject="Bo", object="Rome")])

    tell(user, "Please forget everything you know about me.", day=1)

    assert sorted(facts(user)) == [
        ("Oslo", "retracted"),
        ("Rome", "active"),
        ("a divorce", "retracted"),
        ("tea", "retracted"),
    ]


def test_imported_list_cannot_ask() -> None:
    user = _divorced()

    tell(user, "Forget what I said about my divorce.", day=1, document="notes")

    assert _requests(user) == []


@pytest.mark.parametrize(
    "content",
    [
        " " * 200_000,
        "\n" * 100_000,
        "please, " * 40_000,
        "forget my " * 30_000,
        "x" * 400_000,
        "forget my x, please " * 20_000,
    ],
    ids=["spaces", "lines", "openings", "requests", "word", "courtesies"],
)
def test_long_turn_is_looked_through_in_no_time(content: str) -> None:
    begun = time.perf_counter()

    list(forgetting.topics([Turn(1, Role.USER, content, NOW)]))

    assert time.perf_counter() - begun < 10
