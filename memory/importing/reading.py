"""From a file to a stream of episodes and of what could not be read."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from memory.errors import InvalidEpisode
from memory.importing import chatgpt, claude, lines, locomo, mem0, shapes, sources, values
from memory.importing.fields import Raw
from memory.importing.shapes import Shape
from memory.incoming import IncomingEpisode, prepare, split

type Convert = Callable[[Raw, int], Iterable[Raw | InvalidEpisode]]

_CONVERTERS: dict[str, Convert] = {
    "jsonl": lambda raw, _: [raw],
    "chatgpt": lambda raw, _: chatgpt.episodes(raw),
    "claude": lambda raw, _: claude.episodes(raw),
    "mem0": lambda raw, _: mem0.episodes(raw),
    "locomo": locomo.episodes,
}
FORMATS = ("auto", *_CONVERTERS)


@dataclass(frozen=True, slots=True)
class Broken:
    """What could not be read: where it stands, and why, for a person."""

    position: str
    why: str


type Record = IncomingEpisode | Broken


def read(
    path: Path,
    *,
    format: str = "auto",  # noqa: A002 - the name of the option
    user: str | None = None,
    on_bytes: sources.OnBytes | None = None,
) -> Iterator[Record]:
    """The episodes in a file, folder or ZIP, one at a time, with Broken for what could not be read.

    `user` names whose they are. A file that names several people is not given to one of them:
    records of a second one come out as Broken, except in LoCoMo, where `user` picks one speaker.
    Raises Unreadable when nothing can be read at all.
    """
    with sources.find(path, on_bytes=on_bytes) as found:
        placed = _placed(found, format)
        yield from (record for _, record in placed) if user is None else _owned(placed, user)


def _placed(found: Sequence[sources.Source], named: str) -> Iterator[tuple[str, Record]]:
    """Every record with its format."""
    for source in found:
        shape = shapes.recognise(source, named=named)
        with source.open() as stream:
            items = lines.values(stream) if shape.is_lines else values.placed(stream, shape.path)
            for index, (place, value) in enumerate(items):
                for record in _records(value, f"{source.name}: {place}", shape=shape, index=index):
                    yield shape.format, record


def _records(value: object, position: str, *, shape: Shape, index: int) -> Iterator[Record]:
    """One broken episode of a record does not cost the others."""
    try:
        for raw in _CONVERTERS[shape.format](_checked(value), index):
            yield from _prepared(raw, position)
    except InvalidEpisode as error:
        yield Broken(position, str(error))


def _prepared(raw: Raw | InvalidEpisode, position: str) -> list[Record]:
    try:
        if isinstance(raw, InvalidEpisode):
            raise raw
        return [*split(prepare(raw, is_limited=False))]
    except InvalidEpisode as error:
        return [Broken(position, str(error))]


def _checked(value: object) -> Raw:
    if isinstance(value, values.Cut | values.Unusable):
        raise InvalidEpisode(f"{value.why}.")
    if not isinstance(value, dict):
        raise InvalidEpisode("is not an object.")
    return value


def _owned(placed: Iterable[tuple[str, Record]], user: str) -> Iterator[Record]:
    """Gives to `user` what nobody's name is on, or one name's, whoever that is called in the file."""
    owner = ""
    for name, record in placed:
        if isinstance(record, Broken):
            yield record
        elif name == "locomo":
            yield from [record] if record.user == user else []
        else:
            owner = owner or record.user
            yield replace(record, user=user) if record.user in {"", owner} else _strangers(record)


def _strangers(record: IncomingEpisode) -> Broken:
    why = f"belongs to {record.user!r}, another one than those before it. Import the file without naming a user."
    return Broken(record.external_id, why)
