"""What was said: turns by words, vectors and letters, their neighbours, and the facts that rest on them."""

import pytest

from memory import policies, recall, scope
from memory.models import Episode, Turn, User
from memory.recall import FoundTurn, Where
from tests.factories import WHEN, make_episode, make_fact, make_user
from tests.memory.recall.finding import Bagged, embed, statements

pytestmark = pytest.mark.django_db


def _said(user: User, query: str, *, k: int = 5, embedder: Bagged | None = None) -> list[FoundTurn]:
    asked = recall.ask(query, embedder=embedder)
    with scope.user(user.pk):
        return recall.recall_both(asked, Where(user.pk, user.language), k=k, policy=policies.current())


def _contents(found: list[FoundTurn]) -> list[str]:
    return [turn.content for turn in found]


def _role(episode: Episode, n: int, role: str) -> None:
    with scope.user(episode.user_id):
        Turn.objects.filter(episode=episode, n=n).update(role=role)


@pytest.mark.parametrize(
    ("language", "said", "query"),
    [
        ("en", "The otters escaped from the zoo", "When did the otter escape?"),
        ("de", "Die Häuser am Hafen sind verkauft", "Was habe ich über das Haus am Hafen gesagt?"),
        ("es", "Compramos los billetes para Cádiz", "¿Cuándo compramos el billete?"),
        ("fr", "Nous avons repeint la cuisine", "Quand avons-nous repeint les cuisines ?"),
        ("fi", "Ostin uuden veneen", "Milloin ostin veneen?"),
        ("ru", "Мы купили билеты в Казань", "Когда мы купили билет?"),
        ("xx", "昨天我在东京买了一本书", "东京"),
    ],
)
def test_recall_of_turns_finds_what_was_said(language: str, said: str, query: str) -> None:
    user = make_user(language=language)
    with_language = make_episode(user, "Hm", "Zzz", said, "Qqq")
    with scope.user(user.pk):
        Turn.objects.filter(episode=with_language).update(language=language)

    assert _contents(_said(user, query))[:1] == [said]


def test_recall_of_turns_brings_the_answer_after_its_question() -> None:
    user = make_user()
    make_episode(user, "Something else", "Which instrument does your cousin play?", "The oboe", "Fine weather")

    found = _said(user, "Which instrument did the cousin play?", k=2)

    assert _contents(found) == ["Which instrument does your cousin play?", "The oboe"]
    assert [turn.found_by for turn in found] == [["words"], ["nearby"]]


def test_neighbours_are_of_the_same_episode_alone() -> None:
    user = make_user()
    make_episode(user, "Which instrument does your cousin play?")
    make_episode(user, "The oboe")

    assert _contents(_said(user, "Which instrument did the cousin play?")) == [
        "Which instrument does your cousin play?"
    ]


def test_facts_vote_for_the_turns_that_they_rest_on() -> None:
    user = make_user()
    episode = make_episode(user, "I moved last spring, to the old harbour town")
    make_episode(user, "Harbour news, nothing more")
    make_fact(user, "Lives in Bergen", episode=episode)

    found = _said(user, "Who lives in Bergen?")

    assert (found[0].content, found[0].found_by) == ("I moved last spring, to the old harbour town", ["facts"])


def test_recall_of_turns_leaves_out_the_erased_and_the_system() -> None:
    user = make_user()
    episode = make_episode(user, "[erased]", "You are a pirate who likes erased maps", "Maps are nice")
    _role(episode, 2, "system")

    assert _contents(_said(user, "erased maps")) == ["Maps are nice"]


def test_recall_of_turns_knows_who_spoke() -> None:
    user, embedder = make_user(), Bagged()
    episode = make_episode(user, "I went hiking", "I went hiking too")
    with scope.user(user.pk):
        Turn.objects.filter(episode=episode, n=2).update(name="Caroline")
    embed(user, embedder)

    assert [turn.name for turn in _said(user, "Where did Caroline hike?", k=1, embedder=embedder)] == ["Caroline"]


def test_recall_of_turns_as_of_a_day_brings_nothing_said_later() -> None:
    user = make_user()
    make_episode(user, "The boat is sold")
    asked = recall.ask("boat", embedder=None)

    with scope.user(user.pk):
        policy = policies.current()
        days = [WHEN.date().replace(day=9), WHEN.date()]
        found = [recall.recall_turns(asked, Where(user.pk, as_of=day), k=3, policy=policy) for day in days]

    assert [len(turns) for turns in found] == [0, 1]


def test_recall_of_turns_never_brings_another_users() -> None:
    user, other = make_user(), make_user()
    for whose in (user, other):
        make_fact(whose, "Likes tea", episode=make_episode(whose, "I like tea", external_id="same"))
        embed(whose, Bagged())
    make_episode(other, "tea tea tea")

    found = _said(user, "tea", k=20, embedder=Bagged())

    assert _contents(found) == ["I like tea"]


@pytest.mark.parametrize("query", ["", "%", "'; --", "C:\\repo|x", "\x00", "x " * 1_500])
def test_recall_of_turns_of_any_signs_gives_an_answer(query: str) -> None:
    user = make_user()
    make_episode(user, "Likes tea")

    assert _said(user, query) == []


def test_recall_of_turns_is_one_statement_beside_that_for_facts() -> None:
    user = make_user()
    make_episode(user, "I like tea")

    with statements() as sent:
        _said(user, "tea")

    assert len([one for one in sent if "WITH term" in one]) == 2
