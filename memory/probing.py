"""Probes: questions with facts that must and must not come back."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from django.db import transaction
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memory import clock, embedding, llm, people, recollecting, scope, text
from memory.errors import NotFound, Unreadable
from memory.models import Entity, Fact, User
from memory.types import LIVE, Basis, Kind, Polarity, Status

FIRST = 5
"""How many facts a probe looks at."""
ACTOR = "probe"


class Given(BaseModel):
    """A fact that a suite brings along, for as long as it runs."""

    model_config = ConfigDict(extra="forbid")

    text: str
    subject: str = "user"
    predicate: str = ""
    object: str = ""
    kind: Kind = Kind.KNOWLEDGE
    status: Status = Status.ACTIVE
    confidence: float = Field(default=0.9, ge=0, le=0.99)


class Probe(BaseModel):
    """Texts in `expect` and `forbid` stand in a fact's sentence or are its object; numbers are ids of facts."""

    model_config = ConfigDict(extra="forbid")

    query: str
    expect: list[str | int] = []
    forbid: list[str | int] = []
    subject: str | None = None
    as_of: str | None = None


class Suite(BaseModel):
    """Probes of one user's memory, `scope` being their external id."""

    model_config = ConfigDict(extra="forbid")

    scope: str
    facts: list[Given | str] = []
    probes: list[Probe]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one probe brought: its texts that were missed, that leaked, and how many of the facts were stale."""

    scope: str
    query: str
    expected: int
    returned: int
    missed: tuple[str | int, ...]
    leaked: tuple[str | int, ...]
    stale: int


def read(path: Path) -> list[Suite]:
    """The suites of a YAML file: one, a list, or several documents. Raises Unreadable."""
    try:
        documents = list(yaml.safe_load_all(path.read_text(encoding="utf-8")))
        raw = [item for document in documents for item in (document if isinstance(document, list) else [document])]
        return [Suite.model_validate(item, strict=False) for item in raw if item is not None]
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise Unreadable(f"{path} is no YAML file that can be read: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise Unreadable(f"{path}: {where or 'the document'}: {first['msg']}") from error


def run(suites: Iterable[Suite], *, embedder: llm.Embedder | None) -> list[Outcome]:
    """Asks every probe. Nothing of it stays: neither a suite's own facts nor the record of what was recalled.

    Raises NotFound for a user who does not exist, where the suite brings no facts.
    """
    outcomes = []
    for suite in suites:
        with transaction.atomic():
            user = _user(suite)
            _add(user, suite.facts, embedder)
            outcomes += [_ask(user, probe, embedder) for probe in suite.probes]
            transaction.set_rollback(True)
    return outcomes


def report(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Shares over all probes. Null where nothing was expected, or nothing came back."""
    expected = sum(one.expected for one in outcomes)
    returned = sum(one.returned for one in outcomes)
    missed = [{"scope": one.scope, "query": one.query, "missed": list(one.missed)} for one in outcomes if one.missed]
    leaked = [{"scope": one.scope, "query": one.query, "leaked": list(one.leaked)} for one in outcomes if one.leaked]
    return {
        "probes": len(outcomes),
        "recall_at_5": _share(expected - sum(len(one.missed) for one in outcomes), expected),
        "staleness": _share(sum(one.stale for one in outcomes), returned),
        "leak_rate": _share(len(leaked), len(outcomes)),
        "missed": missed,
        "leaks": leaked,
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _user(suite: Suite) -> User:
    with scope.staff():
        found = User.objects.filter(external_id=suite.scope).first()
        if found is None and not suite.facts:
            raise NotFound(f"There is no user {suite.scope!r} to probe, and the suite brings no facts of its own.")
        return found or User.objects.create(external_id=suite.scope, password="!")  # noqa: S106 - no login


def _add(user: User, given: Sequence[Given | str], embedder: llm.Embedder | None) -> None:
    if not given:
        return
    facts = [Given(text=one) if isinstance(one, str) else one for one in given]
    with scope.user(user.pk):
        owner = people.read(user.pk)
        for fact in facts:
            _store(user, fact, owner=owner.entity)
    embedding.refresh(embedder, user_id=user.pk)


def _store(user: User, given: Given, *, owner: int) -> None:
    key = text.name_key(given.subject)
    is_owner = text.is_self(given.subject) or key == text.name_key(user.subject)
    entity = (
        owner
        if is_owner
        else Entity.objects.get_or_create(user=user, name_key=key, note_key="", defaults={"name": given.subject})[0].pk
    )
    now = clock.now()
    Fact.objects.create(
        **given.model_dump(),
        user=user,
        entity_id=entity,
        object_key=text.object_key(given.object),
        polarity=Polarity.AFFIRMS,
        basis=Basis.STATED,
        source="user",
        last_supported_at=now,
        first_said_at=now,
        began_on=now.date(),
        ended_on=None if given.status in LIVE else now.date(),
        policy_version=0,
        language=user.language,
    )


def _ask(user: User, probe: Probe, embedder: llm.Embedder | None) -> Outcome:
    question = recollecting.Question(probe.query, FIRST, probe.subject, probe.as_of)
    found = recollecting.recollect(user, question, model=None, embedder=embedder, actor=ACTOR).document["facts"]
    return Outcome(
        scope=user.external_id,
        query=probe.query,
        expected=len(probe.expect),
        returned=len(found),
        missed=tuple(wanted for wanted in probe.expect if not _any(found, wanted)),
        leaked=tuple(unwanted for unwanted in probe.forbid if _any(found, unwanted)),
        stale=0 if probe.as_of else sum(_is_stale(fact) for fact in found),
    )


def _any(found: Sequence[Mapping[str, Any]], told: str | int) -> bool:
    if isinstance(told, int):
        return told in [fact["id"] for fact in found]
    folded = text.fold_quote(told).casefold()
    return any(folded in text.fold_quote(fact[name]).casefold() for fact in found for name in ("text", "object"))


def _is_stale(fact: Mapping[str, Any]) -> bool:
    """Superseded or worse, or past its end."""
    today = clock.now().date().isoformat()
    return fact["status"] not in LIVE or bool(fact["expires_on"] and fact["expires_on"] < today)
