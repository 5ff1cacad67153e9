"""Asking in a chat to be forgotten about something: retired at once, and left to the person to erase for good."""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

import regex

from memory.forgetting.matching import said_about
from memory.forgetting.retiring import retire
from memory.models import ErasureRequest, Fact, User
from memory.types import LIVE, Role, Turn, Verb

_FILE = Path(__file__).parent.parent / "data" / "forget_requests.toml"
_QUOTES = str.maketrans(dict.fromkeys("‘’ʼ`´", "'"))


@dataclass(frozen=True, slots=True)
class Topic:
    """What is to be forgotten, in the language it was said in, of all that was said until then."""

    words: str
    language: str
    at: datetime


@dataclass(frozen=True, slots=True)
class _Manner:
    """How it is asked for in one language: the forms, and what may stand around the topic."""

    language: str
    forms: regex.Pattern[str]
    before: regex.Pattern[str]
    after: regex.Pattern[str]


def topics(turns: Iterable[Turn]) -> Iterator[Topic]:
    """What the user's own turns ask to be forgotten about."""
    for turn in turns:
        if turn.role is not Role.USER:
            continue
        content = turn.content.translate(_QUOTES)
        for manner in _manners():
            for match in manner.forms.finditer(content):
                words = _trimmed(match.captures("topic")[0], manner)
                if words:
                    yield Topic(words, manner.language, turn.at)


def heed(user_id: int, turns: Iterable[Turn]) -> list[int]:
    """Retires what the requests in `turns` name and asks on the person's page whether to erase it; inside the scope.

    What the retired facts had replaced stays past: nobody said that they were wrong.
    """
    named = {pk for topic in topics(turns) for pk in said_about(user_id, topic.words, topic.language, until=topic.at)}
    waiting = ErasureRequest.objects.filter(user=user_id, answered_at=None) if named else ()
    new = sorted(named - {pk for request in waiting for pk in request.facts})
    if not new:
        return []
    actor = User.objects.get(pk=user_id)
    older = Fact.objects.filter(user=user_id, superseded_by__in=new).exclude(pk__in=new)
    past = list(older.values_list("pk", flat=True))
    retire(user_id, new, actor=actor)
    risen = Fact.objects.filter(user=user_id, pk__in=past, status__in=LIVE)
    for row in risen.only("pk", "last_supported_at"):
        retire(user_id, [row.pk], actor=actor, verb=Verb.CLOSE, as_of=row.last_supported_at.date())
    ErasureRequest.objects.create(user_id=user_id, facts=new)
    return new


def _trimmed(topic: str, manner: _Manner) -> str:
    """Without "my" before it and "please" after it."""
    words = topic.strip(" ,:\"'")
    while (shorter := manner.after.sub("", words).strip(" ,:\"'")) != words:
        words = shorter
    return manner.before.sub("", words).strip()


@cache
def _manners() -> tuple[_Manner, ...]:
    data = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return tuple(_manner(name, table) for name, table in data.items() if name != "version")


def _manner(language: str, table: dict[str, list[str]]) -> _Manner:
    openings, courtesies, possessives = (
        "|".join(map(regex.escape, sorted(table[key], key=len, reverse=True)))
        for key in ("openings", "courtesies", "possessives")
    )
    negated = "".join(rf"(?<!\b{word})" for word in table.get("negations", ()))
    forms = "|".join(
        form.replace("<topic>", r"(?P<topic>[^.!?;\n]+?)")
        + (rf"{negated}(?=[.!?;\n]|$)" if form.endswith("<topic>") else "")
        for form in table["forms"]
    )
    begin = rf"(?:^|(?<=[.!?,;\n]\s{{0,3}}))[¿¡]?(?:(?:{openings})\b[,\s]{{0,3}}){{0,4}}"
    return _Manner(
        language,
        regex.compile(rf"{begin}(?:{forms})", regex.IGNORECASE),
        regex.compile(rf"^(?:{possessives})\b\s*", regex.IGNORECASE),
        regex.compile(rf"(?:^|[\s,]+)(?:{courtesies})$", regex.IGNORECASE),
    )
