"""An episode at the door: checked and cleaned, not yet stored. No database.

Times stay as they were given: None where none was, naive where no zone was said. Only whoever
stores them knows the user's zone and the hour of arrival.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count

from memory import moments, text
from memory.errors import InvalidEpisode, TooLarge
from memory.types import Role

MAX_BYTES = 1 << 20
MAX_TURNS = 1_000
MAX_EPISODES = 100
MAX_NAME = 200


@dataclass(frozen=True, slots=True)
class IncomingTurn:
    """One turn; `ref` is the name its source has for it, `removed` what cleaning took out."""

    role: Role
    content: str
    at: datetime | None = None
    name: str = ""
    ref: str = ""
    removed: int = 0


@dataclass(frozen=True, slots=True)
class IncomingEpisode:
    """An episode as it came. `user` is an external id, "" when the source names none.

    `document` names a list of bare memories; it is "" for a conversation.
    `is_outright`: given to `remember`, to be kept even if no pattern matches.
    """

    external_id: str
    turns: tuple[IncomingTurn, ...]
    user: str = ""
    session: str = ""
    occurred_at: datetime | None = None
    closed: bool = False
    remember: bool = False
    document: str = ""
    is_outright: bool = False

    @property
    def removed(self) -> int:
        """How many characters cleaning took out."""
        return sum(turn.removed for turn in self.turns)

    @property
    def is_urgent(self) -> bool:
        """Whether there is nothing to wait for before it is read."""
        return self.closed or self.remember or self.is_outright


def prepare(raw: Mapping[str, object], *, is_limited: bool = True, is_outright: bool = False) -> IncomingEpisode:
    """The episode in `raw`, which has the shape of `POST …/episodes`.

    Beside that shape it may name a `user` and a `document`, and turns a `ref`; what else it
    holds is ignored. Raises InvalidEpisode naming the field, or TooLarge.
    """
    fields = _object(raw, "episode")
    turns = tuple(_turn(turn, f"turns[{n}]") for n, turn in enumerate(_turns(fields, is_limited=is_limited)))
    if not any(turn.content.strip() for turn in turns):
        raise InvalidEpisode("turns: none of them says anything. Send at least one with text.")
    return IncomingEpisode(
        external_id=_identifier(fields, "external_id", is_required=True),
        turns=turns,
        user=_identifier(fields, "user"),
        session=_identifier(fields, "session"),
        occurred_at=_moment(fields, "occurred_at"),
        closed=_flag(fields, "closed"),
        remember=_flag(fields, "remember"),
        document=_identifier(fields, "document"),
        is_outright=is_outright,
    )


def user_name(raw: object) -> str:
    """A user's external id, as it may be stored. Raises InvalidEpisode."""
    return _identifier({"user": raw}, "user")


def unpack(body: object) -> list[Mapping[str, object]]:
    """The raw episodes of one call: one, or the list under `episodes`. Raises InvalidEpisode or TooLarge."""
    call = _object(body, "body")
    if "episodes" not in call:
        return [call]
    episodes = call["episodes"]
    if not isinstance(episodes, list | tuple) or not episodes:
        raise InvalidEpisode("episodes: must be a list with at least one episode.")
    if len(episodes) > MAX_EPISODES:
        raise TooLarge(f"episodes: {len(episodes)} are over the limit of {MAX_EPISODES}. Send them in several calls.")
    return [_object(episode, f"episodes[{index}]") for index, episode in enumerate(episodes)]


def split(episode: IncomingEpisode) -> list[IncomingEpisode]:
    """Parts that keep the limits: the first has the episode's id, the next are `<id>#2` and so on.

    Cut between turns; within one only if it is over the limit alone. All parts share a session.
    """
    parts = list(_parts(episode.turns))
    if len(parts) == 1:
        return [episode]
    session = episode.session or episode.external_id
    names = (episode.external_id if n == 1 else f"{episode.external_id}#{n}" for n in count(1))
    return [
        replace(episode, external_id=name, session=session, turns=part)
        for name, part in zip(names, parts, strict=False)
    ]


def digest(episode: IncomingEpisode, *, turns: int | None = None) -> str:
    """A hash of what was said in the episode, or in its first `turns` turns.

    Of what was given only: an episode sent without times has one hash whenever it arrives.
    """
    said = [
        [turn.role, turn.name, turn.content, turn.at.isoformat() if turn.at else None] for turn in episode.turns[:turns]
    ]
    return hashlib.sha256(json.dumps([episode.document, said]).encode()).hexdigest()


def _turns(fields: Mapping[str, object], *, is_limited: bool) -> Sequence[object]:
    turns = fields.get("turns")
    if not isinstance(turns, list | tuple) or not turns:
        raise InvalidEpisode("turns: must be a list with at least one turn, each with a role and its content.")
    if is_limited:
        _check_size(turns)
    return turns


def _check_size(turns: Sequence[object]) -> None:
    if len(turns) > MAX_TURNS:
        raise TooLarge(f"turns: {len(turns)} are over the limit of {MAX_TURNS}. Send them as several episodes.")
    size = sum(_size(turn.get("content")) for turn in turns if isinstance(turn, Mapping))
    if size > MAX_BYTES:
        raise TooLarge(f"turns: {size} bytes are over the limit of {MAX_BYTES}. Send them as several episodes.")


def _size(content: object) -> int:
    return len(content.encode(errors="surrogatepass")) if isinstance(content, str) else 0


def _turn(raw: object, where: str) -> IncomingTurn:
    fields = _object(raw, where)
    content = fields.get("content")
    if not isinstance(content, str):
        raise InvalidEpisode(f"{where}.content: must be text, not {_kind(content)}.")
    cleaned = text.clean(content)
    name = text.clean(_string(fields, "name", where))
    return IncomingTurn(
        role=_role(fields.get("role"), where),
        content=cleaned.text,
        at=_moment(fields, "at", where),
        name=" ".join(name.text.split()),
        ref=_identifier(fields, "ref", where),
        removed=cleaned.removed + name.removed,
    )


def _role(raw: object, where: str) -> Role:
    if isinstance(raw, str) and raw in set(Role):
        return Role(raw)
    raise InvalidEpisode(f"{where}.role: must be one of {', '.join(Role)}.")


def _object(raw: object, where: str) -> Mapping[str, object]:
    if isinstance(raw, Mapping):
        return raw
    raise InvalidEpisode(f"{where}: must be an object, not {_kind(raw)}.")


def _string(fields: Mapping[str, object], key: str, where: str = "") -> str:
    value = fields.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidEpisode(f"{_path(where, key)}: must be text, not {_kind(value)}.")
    if len(value) > MAX_NAME:
        raise InvalidEpisode(f"{_path(where, key)}: must be at most {MAX_NAME} characters long.")
    return value


def _identifier(fields: Mapping[str, object], key: str, where: str = "", *, is_required: bool = False) -> str:
    """A name that tells things apart: never cleaned silently, lest two of them become one."""
    value = _string(fields, key, where).strip()
    cleaned = text.clean(value)
    if cleaned.removed or len(cleaned.text.splitlines()) > 1 or "\t" in cleaned.text:
        raise InvalidEpisode(f"{_path(where, key)}: must be without control and invisible characters.")
    if is_required and not value:
        raise InvalidEpisode(f"{key}: is missing. Give an id that is the same whenever the episode is sent again.")
    return cleaned.text


def _flag(fields: Mapping[str, object], key: str) -> bool:
    value = fields.get(key)
    if value is None or isinstance(value, bool):
        return bool(value)
    raise InvalidEpisode(f"{key}: must be true or false, not {_kind(value)}.")


def _moment(fields: Mapping[str, object], key: str, where: str = "") -> datetime | None:
    value = fields.get(key)
    if value is None:
        return None
    try:
        return moments.read(value)
    except ValueError as error:
        raise InvalidEpisode(f"{_path(where, key)}: {error}.") from None


def _path(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


_KINDS = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "a number" if isinstance(value, int | float) else type(value).__name__)


def _parts(turns: Sequence[IncomingTurn]) -> Iterator[tuple[IncomingTurn, ...]]:
    part: list[IncomingTurn] = []
    size = 0
    for piece in (piece for turn in turns for piece in _pieces(turn)):
        length = _size(piece.content)
        if part and (len(part) == MAX_TURNS or size + length > MAX_BYTES):
            yield tuple(part)
            part, size = [], 0
        part.append(piece)
        size += length
    yield tuple(part)


def _pieces(turn: IncomingTurn) -> Iterator[IncomingTurn]:
    """The turn itself, or pieces of one that is over the limit alone; each piece has a ref of its own."""
    if _size(turn.content) <= MAX_BYTES:
        yield turn
        return
    for n, content in enumerate(_slices(turn.content), start=1):
        ref = f"{turn.ref}/{n}" if turn.ref and n > 1 else turn.ref
        yield replace(turn, content=content, ref=ref, removed=turn.removed if n == 1 else 0)


def _slices(content: str) -> Iterator[str]:
    """At white space where there is some; a slice is at most MAX_BYTES, with four bytes for any character."""
    start = 0
    while start < len(content):
        end = _cut(content, start)
        yield content[start:end]
        start = end


def _cut(content: str, start: int) -> int:
    end = start + MAX_BYTES // 4
    if end >= len(content):
        return len(content)
    middle = start + MAX_BYTES // 8
    space = max(content.rfind(" ", middle, end), content.rfind("\n", middle, end))
    return end if space < 0 else space + 1
