"""People who talk and are remembered: conversations stored and processed by the real pipeline and a scripted model."""

import itertools
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from memory import forgetting, incoming, ingest, jobs, pipeline, scope
from memory.models import Candidate, Episode, Fact, Receipt, Turn, User
from tests.factories import make_user
from tests.scripted_model import ScriptedModel, candidate

_numbers = itertools.count(1)
BEGIN = datetime(2026, 1, 5, 12, tzinfo=UTC)

type Said = str | tuple[str, str]


def claim(text: str, **fields: Any) -> dict[str, Any]:
    """What the model makes of a sentence; `turn` is where it stands, `quote` what it quotes."""
    turn, quote = fields.pop("turn", 1), fields.pop("quote", text)
    return candidate(text, evidence=[{"turn": turn, "quote": quote}]) | fields


def lives(place: str, **fields: Any) -> dict[str, Any]:
    return claim(fields.pop("text", f"I live in {place}."), object=place, **fields)


def send(user: User, *turns: Said, day: int = 0, **fields: Any) -> Episode:
    """Stores a conversation of this day. A turn is what the user says, or a role and its words."""
    said = [("user", turn) if isinstance(turn, str) else turn for turn in turns]
    at = (BEGIN + timedelta(days=day)).isoformat()
    raw = {
        "external_id": f"talk-{next(_numbers)}",
        "occurred_at": at,
        "closed": True,
        "turns": [{"role": role, "content": content, "at": at} for role, content in said],
    }
    return ingest.store(user, incoming.prepare(raw | fields)).episode


def process(user: User, *claims: dict[str, Any], model: ScriptedModel | None = None) -> ScriptedModel:
    """Works off what is due; the model proposes `claims` once."""
    model = model or ScriptedModel([{"candidates": list(claims)}])
    jobs.request([user.pk])
    while pipeline.process(user.pk, pipeline.Engine(model=model)):
        pass
    return model


def tell(user: User, *turns: Said, claims: Iterable[dict[str, Any]] = (), day: int = 0, **fields: Any) -> Episode:
    """A conversation, stored and processed."""
    episode = send(user, *turns, day=day, **fields)
    process(user, *claims)
    return episode


def remember(user: User, text: str, *, day: int = 0) -> None:
    """Given outright, without a model: kept even where no pattern matches."""
    at = (BEGIN + timedelta(days=day)).isoformat()
    raw = {"external_id": f"talk-{next(_numbers)}", "occurred_at": at, "turns": [{"role": "user", "content": text}]}
    ingest.store(user, incoming.prepare(raw, is_outright=True), is_import=True)
    jobs.request([user.pk])
    while pipeline.process(user.pk, pipeline.Engine()):
        pass


def living_in(*places: str) -> User:
    """Someone who has moved from each of the places to the next, ten days apart."""
    user = make_user()
    for number, place in enumerate(places):
        tell(user, f"I live in {place}.", claims=[lives(place)], day=10 * number)
    return user


def facts(user: User) -> list[tuple[str, str]]:
    """Every fact's object (or its text), with its status, in the order in which they were first said."""
    with scope.user(user.pk):
        rows = Fact.objects.filter(user=user).order_by("first_said_at", "object", "text")
        return [(row.object or row.text, str(row.status)) for row in rows]


def fact(user: User, words: str) -> Fact:
    """The newest fact whose object or text is this."""
    with scope.user(user.pk):
        rows = Fact.objects.filter(user=user, object=words) | Fact.objects.filter(user=user, text=words)
        return rows.order_by("-first_said_at", "-pk")[0]


def erase(user: User, *objects: str, was_wrong: bool = False) -> Receipt:
    pks = [fact(user, words).pk for words in objects]
    with scope.user(user.pk):
        return forgetting.erase(user.pk, pks, actor=str(user.pk), was_wrong=was_wrong)


def preview(user: User, *objects: str) -> forgetting.Preview:
    pks = [fact(user, words).pk for words in objects]
    with scope.user(user.pk):
        return forgetting.preview(user.pk, pks)


def said(user: User) -> list[str]:
    """What stands in the stored turns."""
    with scope.user(user.pk):
        turns = Turn.objects.filter(user=user).order_by("episode__occurred_at", "episode", "n")
        return list(turns.values_list("content", flat=True))


def verdicts(user: User) -> list[tuple[str, str, str]]:
    """Text, verdict and reason of every candidate, as they came."""
    with scope.user(user.pk):
        rows = Candidate.objects.filter(user=user).order_by("pk")
        return [(row.text, str(row.verdict), row.reason) for row in rows]


def contents(rows: Sequence[dict[str, Any]], field: str) -> list[Any]:
    return [row[field] for row in rows]
