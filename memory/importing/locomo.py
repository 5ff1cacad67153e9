"""LoCoMo: samples of very long conversations between two people."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from memory.errors import InvalidEpisode
from memory.importing.fields import Raw, first, items, mapping, string
from memory.types import Role

_SESSION = re.compile(r"session_(\d+)")
_FORM = "%I:%M %p on %d %B, %Y"


def episodes(raw: Raw, index: int) -> Iterator[Raw | InvalidEpisode]:
    """Each session, once for each speaker: own turns as `user`, the other's as `assistant`."""
    conversation = mapping(raw.get("conversation"))
    sample = first(raw, "sample_id") or f"sample-{index}"
    speakers = [first(conversation, key) for key in ("speaker_a", "speaker_b")]
    if not all(speakers):
        raise InvalidEpisode("conversation: must name speaker_a and speaker_b.")
    for name in _sessions(conversation):
        try:
            start = _time(string(conversation.get(f"{name}_date_time")))
        except ValueError:
            yield InvalidEpisode(f'{name}_date_time: must be like "1:56 pm on 8 May, 2023".')
            continue
        for speaker in speakers:
            turns = [_turn(mapping(turn), speaker, start, n) for n, turn in enumerate(items(conversation[name]))]
            yield _episode(sample, speaker, name, turns) | {"occurred_at": start}


def _sessions(conversation: Raw) -> list[str]:
    """In their order; one without turns did not take place."""
    found = [match for key in conversation if (match := _SESSION.fullmatch(key)) and conversation[key]]
    return [match.group() for match in sorted(found, key=lambda match: int(match.group(1)))]


def _episode(sample: str, speaker: str, session: str, turns: list[dict[str, object]]) -> dict[str, object]:
    return {
        "external_id": f"{sample}:{session}",
        "user": f"{sample}:{speaker}",
        "session": session,
        "closed": True,
        "turns": turns,
    }


def _turn(turn: Raw, owner: str, start: datetime, number: int) -> dict[str, object]:
    """A second apart, which keeps their order; the file dates sessions only."""
    speaker = first(turn, "speaker")
    caption = first(turn, "blip_caption")
    said = [turn.get("text"), f"[photo: {caption}]" if caption else ""]
    return {
        "role": Role.USER if speaker == owner else Role.ASSISTANT,
        "name": speaker,
        "content": "\n".join(str(part) for part in said if part),
        "at": start + timedelta(seconds=number),
        "ref": turn.get("dia_id"),
    }


def _time(written: str) -> datetime:
    return datetime.strptime(" ".join(written.split()), _FORM).replace(tzinfo=UTC)
