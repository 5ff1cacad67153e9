"""Windows hold every turn once, in order, whole where it fits, and apart where they must be."""

from datetime import UTC, datetime

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from memory.extraction import Due, Place, window
from memory.extraction.windows import OVERHEAD
from memory.types import Role, Turn

AT = datetime(2024, 3, 10, 12, tzinfo=UTC)


def due(number: int, *contents: str, session: str = "", document: str = "", is_outright: bool = False) -> Due:
    turns = tuple(Turn(n, Role.USER, content, AT) for n, content in enumerate(contents, start=1))
    return Due(number, turns, session=session, document=document, is_outright=is_outright)


def shape(episodes: list[Due], **limits: int) -> list[list[tuple[int, int]]]:
    return [[(p.episode, p.n) for p in made.places] for made in window(episodes, **limits)]


def test_window_of_nothing_is_nothing() -> None:
    assert window([]) == []
    assert window([Due(1, ())]) == []


def test_window_numbers_turns_from_one_and_knows_their_places() -> None:
    [made] = window([due(7, "a", "b"), due(9, "c")])

    assert [(t.n, t.content) for t in made.turns] == [(1, "a"), (2, "b"), (3, "c")]
    assert [made.place(n) for n in (0, 1, 2, 3, 4)] == [None, Place(7, 1), Place(7, 2), Place(9, 1), None]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (due(1, "a", session="x"), due(2, "b", session="y")),
        (due(1, "a", session="x"), due(2, "b")),
        (due(1, "a", document="mem0"), due(2, "b")),
        (due(1, "a", is_outright=True), due(2, "b")),
    ],
    ids=["sessions", "one-session", "document", "outright"],
)
def test_window_of_unlike_episodes_is_not_shared(first: Due, second: Due) -> None:
    assert shape([first, second]) == [[(1, 1)], [(2, 1)]]


@pytest.mark.parametrize("session", ["", "x"])
def test_window_of_one_session_or_none_is_shared(session: str) -> None:
    assert shape([due(1, "a", session=session), due(2, "b", session=session)]) == [[(1, 1), (2, 1)]]


def test_window_carries_what_its_episodes_are() -> None:
    [made] = window([due(1, "a", document="mem0", is_outright=True)])

    assert (made.document, made.is_outright) == ("mem0", True)


def test_window_of_more_turns_than_a_batch_is_not_shared() -> None:
    assert shape([due(1, *"ab"), due(2, *"cd")], batch_turns=3) == [[(1, 1), (1, 2)], [(2, 1), (2, 2)]]


def test_window_of_one_long_episode_stays_one_whatever_the_batch() -> None:
    assert len(window([due(1, *"abcdefgh")], batch_turns=3)) == 1


def test_window_over_its_size_breaks_between_turns() -> None:
    assert shape([due(1, "a" * 50, "b" * 50, "c" * 50)], max_chars=2 * (50 + OVERHEAD)) == [[(1, 1), (1, 2)], [(1, 3)]]


def test_window_that_an_answer_begins_has_its_question_as_context() -> None:
    roles = (Role.USER, Role.ASSISTANT, Role.USER)
    turns = tuple(Turn(n, role, "x" * 50, AT) for n, role in enumerate(roles, start=1))

    first, second = window([Due(1, turns)], max_chars=2 * (50 + OVERHEAD))

    assert [p.n for p in first.places] == [1, 2]
    assert [p.n for p in second.places] == [2, 3]
    assert (first.context, second.context) == (0, 1)


def test_window_of_a_huge_turn_breaks_after_sentences() -> None:
    content = "First one here. Second one there. Third one elsewhere."

    made = window([due(1, content)], max_chars=OVERHEAD + 40)

    assert [w.turns[0].content for w in made] == ["First one here. Second one there. ", "Third one elsewhere."]
    assert [w.places for w in made] == [(Place(1, 1),), (Place(1, 1),)]


@pytest.mark.parametrize("grapheme", ["👩‍👩‍👧‍👦", "🇳🇴", "é", "👍🏽", "각", "नि"])
def test_window_of_a_huge_turn_without_spaces_cuts_no_grapheme(grapheme: str) -> None:
    made = window([due(1, grapheme * 200)], max_chars=OVERHEAD + 50)

    pieces = [w.turns[0].content for w in made]
    assert "".join(pieces) == grapheme * 200
    assert {part for piece in pieces for part in regex.findall(r"\X", piece)} == {grapheme}


EPISODES = st.lists(
    st.builds(
        lambda contents, session: (contents, session),
        st.lists(st.text("ab .\n👩‍👧é", max_size=120), max_size=6),
        st.sampled_from(["", "x", "y"]),
    ),
    max_size=6,
)


@given(EPISODES, st.integers(1, 200), st.integers(1, 12))
def test_window_over_any_episodes_loses_and_doubles_nothing(
    raw: list[tuple[list[str], str]], size: int, turns: int
) -> None:
    episodes = [due(n, *contents, session=session) for n, (contents, session) in enumerate(raw)]

    made = window(episodes, max_chars=size + OVERHEAD, batch_turns=turns)

    spoken: dict[tuple[int, int], str] = {}
    for one in made:
        assert [t.n for t in one.turns] == list(range(1, len(one.turns) + 1))
        assert len(one.turns) == len(one.places)
        for turn, place in list(zip(one.turns, one.places, strict=True))[one.context :]:
            spoken[place.episode, place.n] = spoken.get((place.episode, place.n), "") + turn.content
    assert spoken == {(e.id, t.n): t.content for e in episodes for t in e.turns}
    assert all(sum(len(t.content) for t in one.turns) <= size + OVERHEAD for one in made)


def answered(question: str, *answers: str) -> Due:
    """An episode of which the question was read before."""
    turns = [
        Turn(4, Role.ASSISTANT, question, AT),
        *(Turn(n, Role.USER, a, AT) for n, a in enumerate(answers, start=5)),
    ]
    return Due(1, tuple(turns), context=1)


def test_window_leads_with_what_was_read_before() -> None:
    [made] = window([answered("You live in Oslo?", "Yes.")])

    assert ([t.content for t in made.turns], made.context) == (["You live in Oslo?", "Yes."], 1)


def test_window_with_a_context_begins_anew() -> None:
    made = window([due(2, "a"), answered("Oslo?", "Yes."), due(3, "b")])

    assert [([p.episode for p in one.places], one.context) for one in made] == [([2], 0), ([1, 1, 3], 1)]


def test_window_drops_a_context_that_leaves_no_room() -> None:
    [made] = window([answered("x" * 90, "y" * 30)], max_chars=150)

    assert ([t.content for t in made.turns], made.context) == (["y" * 30], 0)
