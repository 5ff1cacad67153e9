"""Asking in a chat to be forgotten about something: retired at once, and left to the person to erase for good."""

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import regex

from memory.forgetting.matching import said_about
from memory.forgetting.retiring import retire
from memory.models import ErasureRequest, User
from memory.types import Role, Turn

_FILE = Path(__file__).parent.parent / "data" / "forget_requests.toml"
# A request begins its clause: "don't forget my birthday" and "I'll never forget …" are none.
_BEGIN = r"(?:^|[.!?,;:\n]|\b(?:please|and|now|bitte|und|favor|y|plaît|et|ja|и|пожалуйста)\b)\s*"
_POSSESSIVE = regex.compile(r"^(?:my|our|the|mein\w*|unser\w*|mis?|nuestr\w+|mon|ma|mes|notre|nos|мо\w+)\s+", regex.I)


def topics(turns: Iterable[Turn]) -> Iterator[str]:
    """What the user's own turns ask to be forgotten about."""
    for turn in turns:
        if turn.role is not Role.USER:
            continue
        for pattern in _patterns():
            for match in pattern.finditer(turn.content):
                topic = next(text for text in match.groupdict().values() if text)
                yield _POSSESSIVE.sub("", topic.strip(" ,;:\"'")).removesuffix(" please")


def heed(user_id: int, turns: Iterable[Turn]) -> list[int]:
    """Retires what the requests in `turns` name and asks on the person's page whether to erase it; inside the scope."""
    named = sorted({pk for topic in topics(turns) for pk in said_about(user_id, topic)})
    if not named:
        return []
    retire(user_id, named, actor=User.objects.get(pk=user_id))
    ErasureRequest.objects.create(user_id=user_id, facts=named)
    return named


@cache
def _patterns() -> tuple[regex.Pattern[str], ...]:
    data = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return tuple(
        regex.compile(_BEGIN + form, regex.IGNORECASE)
        for name, forms in data.items()
        if name != "version"
        for form in forms
    )
