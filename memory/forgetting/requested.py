"""Asking in a chat to be forgotten about something: retired at once, and left to the person to erase for good."""

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import islice
from pathlib import Path

import regex

from memory import clock, text
from memory.forgetting import matching
from memory.forgetting.matching import Asked, Named
from memory.forgetting.retiring import forget
from memory.models import Candidate, ErasureRequest
from memory.types import ERASED, Role, Status, Turn

MOST = 50
"""Requests in one reading; more are none."""
LONGEST = 500

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


def heed(user_id: int, turns: Iterable[Turn], *, learnt: Sequence[Candidate], standing: list[datetime]) -> None:
    """Retires what the requests in `turns` name, and what earlier ones name of the claims just `learnt`; in the scope.

    What is retired waits on the person's page to be erased. `standing`: until when requests of theirs stand; those
    made here are added. Each stands as of when it was said, so that in which order conversations come changes nothing.
    """
    said = [*dict.fromkeys(islice(filter(None, map(_asked, topics(turns))), MOST))]
    asked = [one for one in matching.marked(user_id, said) if one.marks] if said else []
    named = matching.named(user_id, asked) if asked else []
    if learnt and standing and max(standing) >= min(claim.said_at for claim in learnt):
        named += matching.still_named(user_id, [claim.pk for claim in learnt])
    gone = _forget(user_id, named) if named else {}
    for one in dict.fromkeys([*asked, *(one.asked for one in named)]):
        _keep(user_id, one, sorted({gone[claim] for by, claim in named if by == one and claim in gone}))
    standing += [one.at for one in asked]


def _asked(topic: Topic) -> Asked | None:
    is_all = text.is_self(topic.words) and not text.is_we(topic.words)
    return Asked("" if is_all else topic.words, topic.language, topic.at) if len(topic.words) <= LONGEST else None


def _forget(user_id: int, named: Sequence[Named]) -> dict[int, int]:
    """Rules it as of when it was asked. The facts that are retired by that, by the claims behind them."""
    claims = Candidate.objects.filter(user=user_id, pk__in={one.claim for one in named}).order_by("pk")
    latest_first = sorted(named, key=lambda one: one.asked.at, reverse=True)
    forget(user_id, {one.claim: one.asked.at for one in latest_first}, claims)  # the first that asked for it
    retired = claims.filter(fact__status=Status.RETRACTED)
    return dict(retired.values_list("pk", "fact"))


def _keep(user_id: int, asked: Asked, facts: Sequence[int]) -> None:
    """The request: once, however often it is made; facts that come to it after its answer are asked about anew."""
    rows = ErasureRequest.objects.filter(user=user_id)
    waiting = {pk for known in rows.filter(answered_at=None).values_list("facts", flat=True) for pk in known}
    new = [pk for pk in facts if pk not in waiting]
    same = rows.filter(marks=[*asked.marks], language=asked.language).exclude(said_at=None).first()
    if same is not None:
        same.said_at = max(same.said_at or asked.at, asked.at)
        same.facts += new if same.answered_at is None else []
        same.save(update_fields=["said_at", "facts"])
    if same is None or (new and same.answered_at is not None):
        ErasureRequest.objects.create(
            user_id=user_id,
            facts=new,
            topic=asked.topic if new or not asked.topic else ERASED,
            marks=[*asked.marks],
            language=asked.language,
            said_at=asked.at if same is None else None,
            answered_at=None if new else clock.now(),
        )


def answer(user_id: int, requests: Iterable[int] = ()) -> None:
    """These are answered now. Of the topic of whatever is answered only the marks stay; inside the person's scope."""
    rows = ErasureRequest.objects.filter(user=user_id)
    rows.filter(pk__in=[*requests], answered_at=None).update(answered_at=clock.now())
    rows.exclude(answered_at=None).exclude(topic="").update(topic=ERASED)


def mark(user_id: int) -> None:
    """Makes the marks of requests that came without, as from an export; inside a scope that sees the person."""
    rows = ErasureRequest.objects.filter(user=user_id, marks=[]).exclude(said_at=None).exclude(topic=ERASED)
    found = list(rows.order_by("pk"))
    asked = matching.marked(user_id, [Asked(row.topic, row.language, row.said_at or row.asked_at) for row in found])
    for row, one in zip(found, asked, strict=True):
        ErasureRequest.objects.filter(pk=row.pk).update(marks=[*one.marks])
    answer(user_id)


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
