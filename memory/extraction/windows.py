"""Cutting due episodes into windows that fit one call. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import regex

from memory.types import Role, Turn

OVERHEAD = 48
"""Characters that number, role and time of a turn take in a prompt, roughly."""

_SENTENCE_END = re.compile(r"[.!?…。！？]+[\"'”’»)\]]*(?:\s+|(?<=[。！？])|$)|\n+")
_GRAPHEME = regex.compile(r"\X")
_LOOK_BACK = 64
"""No grapheme in honest text is longer."""


@dataclass(frozen=True, slots=True)
class Due:
    """An episode that is due for extraction, as the pipeline hands it over.

    The first `context` turns were read before: they lead, so that an answer keeps its question.
    """

    id: int
    turns: tuple[Turn, ...]
    session: str = ""
    document: str = ""
    is_outright: bool = False
    context: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a window's turn really stands: `n` by the episode's own numbering."""

    episode: int
    n: int


@dataclass(frozen=True, slots=True)
class Window:
    """Turns for one call, numbered from 1; `places[n - 1]` says where turn n comes from.

    The first `context` turns were in an earlier window already: they are there so
    that an answer keeps its question, not to be extracted from again.
    """

    turns: tuple[Turn, ...]
    places: tuple[Place, ...]
    document: str = ""
    is_outright: bool = False
    context: int = 0

    def place(self, n: int) -> Place | None:
        """The place of turn `n`, None for a number that was never handed out."""
        return self.places[n - 1] if 1 <= n <= len(self.places) else None


type _Piece = tuple[Place, Turn]


def window(episodes: Sequence[Due], *, max_chars: int = 24_000, batch_turns: int = 30) -> list[Window]:
    """Windows over `episodes` in the order given; every turn is in one, whole unless larger than a window."""
    fitting = [_fitting(episode, max_chars=max_chars) for episode in episodes]
    return [
        made
        for group in _groups(fitting, max_chars=max_chars, batch_turns=batch_turns)
        for made in _fill(group, max_chars=max_chars)
    ]


def _fitting(episode: Due, *, max_chars: int) -> Due:
    """Without its context if that and the first new turn are too large together."""
    size = sum(_size(turn) for turn in episode.turns[: episode.context + 1])
    is_whole = not episode.context or size <= max_chars
    return episode if is_whole else replace(episode, turns=episode.turns[episode.context :], context=0)


def _groups(episodes: Sequence[Due], *, max_chars: int, batch_turns: int) -> Iterator[list[Due]]:
    """Runs of episodes that may share a window."""
    group: list[Due] = []
    for episode in episodes:
        if group and not _may_join(episode, group, max_chars=max_chars, batch_turns=batch_turns):
            yield group
            group = []
        group.append(episode)
    if group:
        yield group


def _may_join(episode: Due, group: list[Due], *, max_chars: int, batch_turns: int) -> bool:
    together = [*group, episode]
    return (
        not episode.context
        and _likeness(episode) == _likeness(group[0])
        and sum(len(e.turns) for e in together) <= batch_turns
        and sum(_size(turn) for e in together for turn in e.turns) <= max_chars
    )


def _likeness(episode: Due) -> tuple[str, str, bool]:
    return episode.session, episode.document, episode.is_outright


def _fill(group: list[Due], *, max_chars: int) -> Iterator[Window]:
    """One window, or as many as the group's turns need; an answer takes its question along."""
    pieces = [piece for episode in group for piece in _pieces(episode, max_chars=max_chars)]
    held: list[_Piece] = []
    context, size = group[0].context, 0
    for piece in pieces:
        if held and size + _size(piece[1]) > max_chars:
            yield _number(held, group[0], context=context)
            held = _question_before(piece, held, max_chars=max_chars)
            context, size = len(held), sum(_size(turn) for _, turn in held)
        held.append(piece)
        size += _size(piece[1])
    if held:
        yield _number(held, group[0], context=context)


def _question_before(piece: _Piece, held: list[_Piece], *, max_chars: int) -> list[_Piece]:
    place, turn = piece
    before, question = held[-1]
    is_answer = turn.role is Role.USER and question.role is Role.ASSISTANT and before.episode == place.episode
    return [held[-1]] if is_answer and _size(question) + _size(turn) <= max_chars else []


def _number(held: list[_Piece], like: Due, *, context: int) -> Window:
    return Window(
        turns=tuple(replace(turn, n=n) for n, (_, turn) in enumerate(held, start=1)),
        places=tuple(place for place, _ in held),
        document=like.document,
        is_outright=like.is_outright,
        context=context,
    )


def _pieces(episode: Due, *, max_chars: int) -> Iterator[_Piece]:
    for turn in episode.turns:
        for part in _split(turn.content, max(max_chars - OVERHEAD, 1)):
            yield Place(episode.id, turn.n), replace(turn, content=part)


def _size(turn: Turn) -> int:
    return len(turn.content) + OVERHEAD


def _split(content: str, limit: int) -> Iterator[str]:
    start = 0
    while len(content) - start > limit:
        end = _cut(content, start, start + limit)
        yield content[start:end]
        start = end
    yield content[start:]


def _cut(content: str, start: int, limit: int) -> int:
    """Where to cut before `limit`: after a sentence, else at a space, else between two graphemes."""
    half = start + (limit - start) // 2
    sentences = [m.end() for m in _SENTENCE_END.finditer(content, half, limit) if m.end() < limit]
    if sentences:
        return sentences[-1]
    space = max(content.rfind(" ", half, limit), content.rfind("\n", half, limit))
    return space + 1 if space >= 0 else _between_graphemes(content, start, limit)


def _between_graphemes(content: str, start: int, limit: int) -> int:
    since = max(start, limit - _LOOK_BACK)
    ends = [m.end() for m in _GRAPHEME.finditer(content, since, min(len(content), limit + _LOOK_BACK))]
    fitting = [end for end in ends if start < end <= limit]
    return fitting[-1] if fitting else limit
