"""What was said before a change of language follows it: a little at once, the rest by a worker."""

import pytest

from memory import people, scope, stemming, tasks
from memory.models import Fact, Turn, User
from tests.factories import make_believed, make_episode, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    return make_user("maya")


@pytest.fixture
def _few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stemming.follow, "__kwdefaults__", {"limit": 2})
    monkeypatch.setattr(stemming, "BATCH", 2)


def speak(user: User, language: str) -> bool:
    """Whether some of it is behind then."""
    with scope.user(user.pk):
        return stemming.is_behind(people.change(user.pk, language=language))


def languages(user: User) -> list[str]:
    with scope.user(user.pk):
        rows = [*Turn.objects.filter(user=user), *Fact.objects.filter(user=user)]
        return [row.language for row in rows]


def test_short_memory_follows_at_once(user: User):
    make_believed(user)

    is_behind = speak(user, "de")

    assert (is_behind, languages(user)) == (False, ["de", "de"])


@pytest.mark.usefixtures("_few_at_once")
def test_long_memory_follows_in_part_and_says_so(user: User):
    make_episode(user, "a", "b", "c", "d", "e")

    is_behind = speak(user, "de")

    assert (is_behind, sorted(languages(user))) == (True, ["de", "de", "en", "en", "en"])


@pytest.mark.usefixtures("_few_at_once")
def test_worker_brings_the_rest_to_the_language_of_now_and_again_changes_nothing(user: User):
    make_episode(user, "a", "b", "c", "d", "e")
    speak(user, "de")
    speak(user, "fi")

    for _ in range(2):
        tasks.restem(user.pk)

    assert languages(user) == ["fi"] * 5


@pytest.mark.usefixtures("_few_at_once")
def test_whoever_is_behind_is_found_and_nobody_else(user: User):
    make_believed(make_user("other"))
    make_episode(user, "a", "b", "c", "d", "e")
    speak(user, "de")

    with scope.staff():
        assert stemming.behind() == [user.pk]


def test_worker_finds_somebody_gone_and_does_nothing():
    tasks.restem(999_999)
