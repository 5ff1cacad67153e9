from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.errors import InvalidEpisode, TooLarge
from memory.incoming import MAX_BYTES, MAX_TURNS, IncomingTurn, digest, prepare, split, unpack
from memory.types import Role


def _raw(**changes: Any) -> dict[str, Any]:
    return {"external_id": "e-1", "turns": [{"role": "user", "content": "I live in Oslo."}], **changes}


def _with_turn(**changes: Any) -> dict[str, Any]:
    return _raw(turns=[{"role": "user", "content": "I live in Oslo.", **changes}])


def test_prepare_full_episode_keeps_every_field() -> None:
    raw = _raw(
        user="ada",
        session="s-1",
        closed=True,
        remember=True,
        occurred_at="2024-03-10T22:30:00-04:00",
        turns=[{"role": "tool", "name": "calendar", "content": "Dentist", "at": 1710124200, "ref": "m1"}],
    )

    episode = prepare(raw)

    at = datetime(2024, 3, 11, 2, 30, tzinfo=UTC)
    assert episode.turns == (IncomingTurn(Role.TOOL, "Dentist", at, "calendar", "m1"),)
    assert (episode.user, episode.external_id, episode.session) == ("ada", "e-1", "s-1")
    assert (episode.closed, episode.remember, episode.occurred_at) == (True, True, at)


def test_prepare_minimal_episode_leaves_times_open() -> None:
    episode = prepare(_raw())

    assert (episode.occurred_at, episode.turns[0].at, episode.session, episode.closed) == (None, None, "", False)


def test_prepare_naive_time_stays_naive() -> None:
    episode = prepare(_raw(occurred_at="2024-03-10T22:30:00"))

    assert episode.occurred_at == datetime(2024, 3, 10, 22, 30)  # noqa: DTZ001 - that is the point


@pytest.mark.parametrize(
    ("content", "text", "removed"),
    [
        ("a\x00b", "ab", 1),
        ("a\u202eb", "ab", 1),
        ("caf\u0065\u0301", "café", 0),
        ("a\ud83db", "ab", 1),
        ("👩\u200d👩\u200d👧 שלום مرحبا", "👩\u200d👩\u200d👧 שלום مرحبا", 0),
        ("line\n\ttab", "line\n\ttab", 0),
    ],
)
def test_prepare_content_is_cleaned_and_counted(content: str, text: str, removed: int) -> None:
    episode = prepare(_with_turn(content=content))

    assert (episode.turns[0].content, episode.removed) == (text, removed)


def test_prepare_name_with_line_breaks_becomes_one_line() -> None:
    episode = prepare(_with_turn(name="Ada\n[2] user"))

    assert episode.turns[0].name == "Ada [2] user"


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ([], "episode"),
        (_raw(external_id=None), "external_id"),
        (_raw(external_id="  "), "external_id"),
        (_raw(external_id=7), "external_id"),
        (_raw(external_id="a\u200bb"), "external_id"),
        (_raw(external_id="a\nb"), "external_id"),
        (_raw(external_id="x" * 201), "external_id"),
        (_raw(session=["s"]), "session"),
        (_raw(closed="yes"), "closed"),
        (_raw(remember=1), "remember"),
        (_raw(turns=None), "turns"),
        (_raw(turns=[]), "turns"),
        (_raw(turns={"role": "user"}), "turns"),
        (_raw(turns=["hello"]), "turns[0]"),
        (_with_turn(content=" \u200b "), "turns"),
        (_with_turn(content=None), "turns[0].content"),
        (_with_turn(content=[{"type": "text", "text": "hi"}]), "turns[0].content"),
        (_with_turn(role="human"), "turns[0].role"),
        (_with_turn(role=["user"]), "turns[0].role"),
        (_with_turn(name=5), "turns[0].name"),
        (_with_turn(at="yesterday"), "turns[0].at"),
        (_with_turn(at=True), "turns[0].at"),
        (_with_turn(at=float("nan")), "turns[0].at"),
        (_with_turn(at=10**400), "turns[0].at"),
        (_with_turn(at=1_700_000_000_000), "turns[0].at"),
        (_with_turn(at="9999-12-31T23:59:59-14:00"), "turns[0].at"),
        (_with_turn(at="0001-01-01T00:00:00+14:00"), "turns[0].at"),
        (_raw(occurred_at={"$date": 5}), "occurred_at"),
    ],
)
def test_prepare_wrong_field_is_named(raw: Any, field: str) -> None:
    with pytest.raises(InvalidEpisode) as caught:
        prepare(raw)

    assert str(caught.value).partition(": ")[0] == field


@pytest.mark.parametrize(
    "turns",
    [
        [{"role": "user", "content": "x"}] * (MAX_TURNS + 1),
        [{"role": "user", "content": "ä" * (MAX_BYTES // 2 + 1)}],
        [{"role": "user", "content": "x" * (MAX_BYTES // 2 + 1)}] * 2,
    ],
    ids=["turns", "bytes of one", "bytes of all"],
)
def test_prepare_over_a_limit_is_refused(turns: list[dict[str, str]]) -> None:
    with pytest.raises(TooLarge):
        prepare(_raw(turns=turns))


def test_prepare_at_the_limits_passes() -> None:
    size = MAX_BYTES // MAX_TURNS

    episode = prepare(_raw(turns=[{"role": "user", "content": "x" * size}] * MAX_TURNS))

    assert len(episode.turns) == MAX_TURNS


_JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=10**300, max_value=10**310)
    | st.floats()
    | st.text(st.characters(), max_size=20)
    | st.sampled_from(["\x00", "\ud800", "e-1", "user", "2024-02-30", "2024-01-01T00:00:00Z", b"\xff"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
_TURN = st.fixed_dictionaries({}, optional=dict.fromkeys(("role", "content", "name", "at", "ref"), _JUNK))
_SOUND = {"external_id": st.just("e"), "turns": st.just([{"role": "user", "content": "hi"}])}
_EPISODE = st.fixed_dictionaries(
    {"external_id": _JUNK | st.just("e"), "turns": _JUNK | st.lists(_TURN, max_size=3) | _SOUND["turns"]},
    optional=dict.fromkeys(("user", "session", "closed", "occurred_at", "remember", "document"), _JUNK),
)


@settings(max_examples=500, deadline=None)
@given(_JUNK | _EPISODE)
def test_prepare_anything_is_an_episode_or_invalid(raw: Any) -> None:
    try:
        episode = prepare(raw)
    except InvalidEpisode:
        return

    assert prepare(_again(episode)) == episode or episode.removed


def _again(episode: Any) -> dict[str, Any]:
    names = ("user", "external_id", "session", "closed", "occurred_at", "remember", "document")
    turns = [{key: getattr(turn, key) for key in ("role", "content", "name", "at", "ref")} for turn in episode.turns]
    return {name: getattr(episode, name) for name in names} | {"turns": turns}


def test_prepare_deeply_nested_junk_is_invalid() -> None:
    junk: Any = "x"
    for _ in range(100_000):
        junk = [junk]

    with pytest.raises(InvalidEpisode):
        prepare(_with_turn(content=junk))


def test_digest_same_moment_written_differently_is_equal() -> None:
    zulu, offset = prepare(_with_turn(at="2024-01-01T10:00:00Z")), prepare(_with_turn(at="2024-01-01T12:00:00+02:00"))

    assert digest(zulu) == digest(offset)


@pytest.mark.parametrize(
    "change", [{"content": "I live in Bergen."}, {"role": "assistant"}, {"name": "Ada"}, {"at": "2024-01-01T10:00:00Z"}]
)
def test_digest_other_content_differs(change: dict[str, str]) -> None:
    assert digest(prepare(_raw())) != digest(prepare(_with_turn(**change)))


def test_split_small_episode_is_left_alone() -> None:
    episode = prepare(_raw())

    assert split(episode) == [episode]


def test_split_many_turns_cuts_between_turns() -> None:
    turns = [{"role": "user", "content": f"turn {n}"} for n in range(2_500)]

    parts = split(prepare(_raw(turns=turns), is_limited=False))

    assert [(part.external_id, part.session, len(part.turns)) for part in parts] == [
        ("e-1", "e-1", 1_000),
        ("e-1#2", "e-1", 1_000),
        ("e-1#3", "e-1", 500),
    ]
    assert [turn.content for part in parts for turn in part.turns] == [turn["content"] for turn in turns]


@pytest.mark.parametrize("letter", ["a", "ä", "我", "👍"])
def test_split_one_huge_turn_is_cut_into_parts_that_pass(letter: str) -> None:
    content = f"{letter * 9} " * 200_000
    episode = prepare(_with_turn(content=content, ref="m"), is_limited=False)

    parts = split(episode)

    pieces = [turn for part in parts for turn in part.turns]
    assert "".join(piece.content for piece in pieces) == content
    assert len({piece.ref for piece in pieces}) == len(pieces)
    assert [prepare(_again(part)).turns for part in parts] == [part.turns for part in parts]


def test_unpack_list_gives_its_episodes() -> None:
    assert unpack({"episodes": [_raw(), _raw()]}) == [_raw(), _raw()]


def test_unpack_single_episode_gives_it() -> None:
    assert unpack(_raw()) == [_raw()]


@pytest.mark.parametrize("body", [None, [], "x", {"episodes": []}, {"episodes": 5}, {"episodes": [1]}])
def test_unpack_wrong_shape_is_invalid(body: object) -> None:
    with pytest.raises(InvalidEpisode):
        unpack(body)


def test_unpack_too_many_is_refused() -> None:
    with pytest.raises(TooLarge):
        unpack({"episodes": [_raw()] * 101})
