from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from memory import ingest, scope
from memory.errors import EpisodeConflict, InvalidEpisode
from memory.incoming import IncomingEpisode, prepare
from memory.ingest import Arrival
from memory.models import Episode, State, Turn, User
from tests.factories import make_user

pytestmark = pytest.mark.django_db

WHEN = datetime(2024, 3, 9, 12, tzinfo=UTC)


def _turn(content: str = "I live in Oslo.", **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **fields}


def _episode(*turns: dict[str, Any], **fields: Any) -> IncomingEpisode:
    return prepare({"external_id": "e-1", "turns": [*turns] or [_turn()], **fields})


def _rows(user: User) -> list[tuple[Any, ...]]:
    with scope.user(user.pk):
        return list(Turn.objects.order_by("episode", "n").values_list("episode__external_id", "n", "content"))


def _reload(stored: ingest.Stored) -> Episode:
    with scope.user(stored.episode.user_id):
        return Episode.objects.get(pk=stored.episode.pk)


def test_store_new_episode_keeps_it_word_for_word() -> None:
    user = make_user()
    raw = _turn("We met\n\tat café 👩‍👧", name="Ada", at="2024-03-09T13:00:00Z", ref="m1")

    stored = ingest.store(user, _episode(raw, session="s", occurred_at=WHEN.isoformat(), closed=True, remember=True))

    episode = _reload(stored)
    with scope.user(user.pk):
        turn = episode.turns.get()
    assert (stored.state, stored.added, stored.is_due) == (Arrival.CREATED, 1, True)
    assert (episode.session, episode.occurred_at, episode.is_closed, episode.is_flagged) == ("s", WHEN, True, True)
    assert (episode.turn_count, episode.read_turns, episode.state) == (1, 0, State.PENDING)
    assert (turn.n, turn.role, turn.name, turn.ref) == (1, "user", "Ada", "m1")
    assert (turn.content, turn.at) == ("We met\n\tat café 👩‍👧", WHEN + timedelta(hours=1))


def test_store_hidden_characters_are_counted() -> None:
    stored = ingest.store(make_user(), _episode(_turn("a\x00b"), _turn("c\u202ed\ud800")))

    assert _reload(stored).removed == 3


def test_store_same_content_again_starts_nothing() -> None:
    user = make_user()
    first = ingest.store(user, _episode(_turn(), closed=True))

    second = ingest.store(user, _episode(_turn(), closed=True))

    assert (second.state, second.added, second.is_due) == (Arrival.EXISTING, 0, False)
    assert second.episode.pk == first.episode.pk
    assert _rows(user) == [("e-1", 1, "I live in Oslo.")]


def test_store_same_id_of_another_user_is_another_episode() -> None:
    one, other = make_user(), make_user()
    ingest.store(one, _episode(_turn("I live in Oslo.")))

    stored = ingest.store(other, _episode(_turn("I live in Bergen.")))

    assert (stored.state, _rows(one), _rows(other)) == (
        Arrival.CREATED,
        [("e-1", 1, "I live in Oslo.")],
        [("e-1", 1, "I live in Bergen.")],
    )


@pytest.mark.parametrize("is_closed", [True, False])
@pytest.mark.parametrize(
    "other",
    [
        {"turns": [_turn("I live in Bergen.")]},
        {"turns": [_turn(role="assistant")]},
        {"turns": [_turn(at="2024-03-09T12:00:01Z")]},
        {"turns": [_turn("I live in Bergen."), _turn()]},
        {"turns": [_turn()], "session": "other"},
        {"turns": [_turn()], "occurred_at": "2024-03-10"},
        {"turns": [_turn()], "document": "list"},
    ],
    ids=["content", "role", "time", "turn in front", "session", "occurred_at", "document"],
)
def test_store_other_content_under_the_id_is_refused(other: dict[str, Any], is_closed: bool) -> None:  # noqa: FBT001
    user = make_user()
    ingest.store(user, _episode(_turn(at=WHEN.isoformat()), session="s", closed=is_closed))

    with pytest.raises(EpisodeConflict):
        ingest.store(user, prepare({"external_id": "e-1", **other}))

    assert _rows(user) == [("e-1", 1, "I live in Oslo.")]


def test_store_open_episode_takes_further_turns() -> None:
    user = make_user()
    ingest.store(user, _episode(_turn("One")))

    stored = ingest.store(user, _episode(_turn("One"), _turn("T\x00wo"), closed=True))

    episode = _reload(stored)
    assert (stored.state, stored.added, stored.is_due) == (Arrival.APPENDED, 1, True)
    assert (episode.turn_count, episode.removed, episode.is_closed) == (2, 1, True)
    assert _rows(user) == [("e-1", 1, "One"), ("e-1", 2, "Two")]


def test_store_further_turns_of_a_read_episode_make_it_pending_again() -> None:
    user = make_user()
    first = ingest.store(user, _episode(_turn("One")))
    with scope.user(user.pk):
        Episode.objects.update(state=State.DONE, read_turns=1)

    stored = ingest.store(user, _episode(_turn("One"), _turn("Two")))

    episode = _reload(stored)
    assert (episode.pk, episode.state, episode.read_turns, episode.turn_count) == (first.episode.pk, "pending", 1, 2)


def test_store_further_turns_twice_adds_them_once() -> None:
    user = make_user()
    ingest.store(user, _episode(_turn("One")))
    ingest.store(user, _episode(_turn("One"), _turn("Two")))

    again = ingest.store(user, _episode(_turn("One"), _turn("Two")))

    assert (again.state, _rows(user)) == (Arrival.EXISTING, [("e-1", 1, "One"), ("e-1", 2, "Two")])


def test_store_late_delivery_of_fewer_turns_changes_nothing() -> None:
    user = make_user()
    ingest.store(user, _episode(_turn("One"), _turn("Two"), closed=True))

    late = ingest.store(user, _episode(_turn("One")))

    assert (late.state, _rows(user)) == (Arrival.EXISTING, [("e-1", 1, "One"), ("e-1", 2, "Two")])


def test_store_closed_episode_takes_no_further_turns() -> None:
    user = make_user()
    ingest.store(user, _episode(_turn("One"), closed=True))

    with pytest.raises(EpisodeConflict):
        ingest.store(user, _episode(_turn("One"), _turn("Two")))

    assert _rows(user) == [("e-1", 1, "One")]


@pytest.mark.parametrize("flag", ["closed", "remember"])
def test_store_flag_raised_later_makes_it_due(flag: str) -> None:
    user = make_user()
    before = ingest.store(user, _episode(_turn()))

    stored = ingest.store(user, _episode(_turn(), **{flag: True}))

    assert (before.is_due, stored.state, stored.is_due) == (False, Arrival.EXISTING, True)
    assert _reload(stored).due_at <= timezone.now()


def test_store_flag_is_never_lowered() -> None:
    user = make_user()
    ingest.store(user, _episode(_turn(), closed=True, remember=True))

    stored = ingest.store(user, _episode(_turn(), closed=False, remember=False))

    episode = _reload(stored)
    assert (episode.is_closed, episode.is_flagged) == (True, True)


def test_store_open_episode_is_due_when_it_fell_idle() -> None:
    stored = ingest.store(make_user(), _episode(_turn()))

    wait = _reload(stored).due_at - timezone.now()
    assert timedelta(minutes=9) < wait <= timedelta(minutes=10)


def test_store_import_is_due_at_once() -> None:
    stored = ingest.store(make_user(), _episode(_turn()), is_import=True)

    assert (stored.is_due, _reload(stored).is_closed) == (True, False)


def test_store_turns_named_by_their_source_are_added_wherever_they_stand() -> None:
    user = make_user()
    ingest.store(user, _episode(_turn("One", ref="a"), _turn("Three", ref="c")))

    stored = ingest.store(user, _episode(_turn("One", ref="a"), _turn("Two", ref="b"), _turn("Three", ref="c")))

    assert stored.state == Arrival.APPENDED
    assert _rows(user) == [("e-1", 1, "One"), ("e-1", 2, "Three"), ("e-1", 3, "Two")]


def test_store_turn_changed_under_its_name_is_refused() -> None:
    user = make_user()
    ingest.store(user, _episode(_turn("One", ref="a")))

    with pytest.raises(EpisodeConflict):
        ingest.store(user, _episode(_turn("Zero", ref="z"), _turn("Two", ref="a")))


def test_store_erased_words_do_not_come_back() -> None:
    user = make_user()
    ingest.store(user, _episode(_turn("I live in Oslo. Bye."), _turn("Two")))
    with scope.user(user.pk):
        Turn.objects.filter(n=1).update(content="[erased] Bye.")

    again = ingest.store(user, _episode(_turn("I live in Oslo. Bye."), _turn("Two"), _turn("Three")))

    assert (again.state, again.added) == (Arrival.APPENDED, 1)
    assert _rows(user) == [("e-1", 1, "[erased] Bye."), ("e-1", 2, "Two"), ("e-1", 3, "Three")]


def test_store_naive_time_is_in_the_users_zone() -> None:
    user = make_user(time_zone="America/New_York")

    stored = ingest.store(user, _episode(_turn(at="2024-03-10T22:30:00"), occurred_at="2024-03-10T22:00:00"))

    with scope.user(user.pk):
        turn = Turn.objects.get()
    assert (_reload(stored).occurred_at, turn.at) == (
        datetime(2024, 3, 11, 2, tzinfo=UTC),
        datetime(2024, 3, 11, 2, 30, tzinfo=UTC),
    )


def test_store_missing_times_follow_the_ones_before() -> None:
    user = make_user()
    later = (WHEN + timedelta(hours=1)).isoformat()

    ingest.store(user, _episode(_turn("One"), _turn("Two", at=later), _turn("Three"), occurred_at=WHEN.isoformat()))

    with scope.user(user.pk):
        times = list(Turn.objects.order_by("n").values_list("at", flat=True))
    assert times == [WHEN, WHEN + timedelta(hours=1), WHEN + timedelta(hours=1)]


def test_store_episode_without_a_time_has_its_first_turns() -> None:
    stored = ingest.store(make_user(), _episode(_turn(at=WHEN.isoformat())))

    assert _reload(stored).occurred_at == WHEN


def test_store_no_times_at_all_is_now(settings: Any) -> None:
    settings.ASSAY_NOW = WHEN

    stored = ingest.store(make_user(), _episode(_turn()))

    assert _reload(stored).occurred_at == WHEN


def test_store_turns_added_without_times_are_of_their_arrival(settings: Any) -> None:
    user = make_user()
    settings.ASSAY_NOW = WHEN
    ingest.store(user, _episode(_turn("One")))
    settings.ASSAY_NOW = WHEN + timedelta(hours=2)

    ingest.store(user, _episode(_turn("One"), _turn("Two")))

    with scope.user(user.pk):
        times = list(Turn.objects.order_by("n").values_list("at", flat=True))
    assert times == [WHEN, WHEN + timedelta(hours=2)]


def test_store_for_a_user_forgotten_meanwhile_is_refused() -> None:
    user = make_user()
    with scope.staff():
        User.objects.filter(pk=user.pk).delete()

    with pytest.raises(InvalidEpisode):
        ingest.store(user, _episode(_turn()))


def test_store_all_answers_each_in_order() -> None:
    user = make_user()
    ingest.store(user, _episode(_turn("Old")))
    batch = [
        prepare({"external_id": name, "turns": [_turn(content)]})
        for name, content in [("e-2", "A"), ("e-1", "Old"), ("e-2", "A"), ("e-2", "B"), ("e-3", "C")]
    ]

    results = ingest.store_all(user, batch)

    assert [getattr(result, "state", type(result)) for result in results] == [
        Arrival.CREATED,
        Arrival.EXISTING,
        Arrival.EXISTING,
        EpisodeConflict,
        Arrival.CREATED,
    ]
    assert _rows(user) == [("e-1", 1, "Old"), ("e-2", 1, "A"), ("e-3", 1, "C")]


def test_store_all_of_a_hundred_takes_few_statements(django_assert_max_num_queries: Any) -> None:
    user = make_user()
    turns = [_turn(f"turn {n}") for n in range(10)]
    batch = [prepare({"external_id": f"e-{n}", "turns": turns, "closed": True}) for n in range(100)]

    with django_assert_max_num_queries(20):
        results = ingest.store_all(user, batch)

    assert len(results) == 100
