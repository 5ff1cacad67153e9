"""A person who tells things over days, and what is believed of it: through the door, the pipeline and the database.

A turn is written "u: …", "a: …", "t: …" or "s: …"; without a letter it is the user's. What is
believed is written "predicate=object", "not predicate=object", with "(Anna, sister) " before it for others.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings

from memory import incoming, ingest, jobs, llm, pipeline, scope
from memory.models import Candidate, Conflict, Evidence, Fact, User
from memory.types import LIVE, Verdict
from tests.factories import make_user
from tests.scripted_model import ScriptedModel

ROLES = {"u": "user", "a": "assistant", "t": "tool", "s": "system"}
START = datetime(2024, 3, 10, 12, tzinfo=UTC)


class Person:
    """Someone with a memory. Episodes are processed as they come unless they are `put`."""

    def __init__(self, *, language: str = "en", zone: str = "UTC", model: llm.Model | None = None) -> None:
        self.user: User = make_user(language=language, time_zone=zone)
        self.model = model
        self.count = 0

    def says(self, *turns: str, day: float = 0, **more: Any) -> None:
        """One episode, `day` days after 10 March 2024 at noon, a minute between turns."""
        self.puts(*turns, day=day, **more)
        self.works()

    def puts(self, *turns: str, day: float = 0, remember: bool = False, **more: Any) -> None:
        self.count += 1
        begun = START + timedelta(days=day)
        settings.ASSAY_NOW = max(settings.ASSAY_NOW, begun + timedelta(minutes=len(turns)))
        told = [_turn(turn, begun + timedelta(minutes=n)) for n, turn in enumerate(turns)]
        raw = {"external_id": f"e{self.count}", "closed": True, "remember": remember, "turns": told} | more
        ingest.store(self.user, incoming.prepare(raw, is_outright=remember))

    def works(self) -> None:
        jobs.request([self.user.pk])
        while pipeline.process(self.user.pk, pipeline.Engine(model=self.model)):
            pass

    @property
    def live(self) -> list[str]:
        with scope.user(self.user.pk):
            return sorted(_written(fact) for fact in _facts().filter(status__in=LIVE))

    @property
    def facts(self) -> list[str]:
        """All, each with its status before it."""
        with scope.user(self.user.pk):
            return sorted(f"{fact.status} {_written(fact)}" for fact in _facts())

    @property
    def refused(self) -> list[str]:
        with scope.user(self.user.pk):
            return sorted(Candidate.objects.filter(verdict=Verdict.REFUSED).values_list("reason", flat=True))

    @property
    def held(self) -> list[str]:
        with scope.user(self.user.pk):
            return sorted(Candidate.objects.filter(verdict=Verdict.HELD).values_list("text", flat=True))

    @property
    def conflicts(self) -> list[tuple[list[str], str]]:
        """The objects of each side, and who settled it."""
        with scope.user(self.user.pk):
            rows = Conflict.objects.prefetch_related("sides__fact")
            return [(sorted(side.fact.object for side in row.sides.all()), row.settled_by) for row in rows]

    @property
    def turns(self) -> list[int]:
        """Those that are evidence of what is believed."""
        with scope.user(self.user.pk):
            return sorted(Evidence.objects.filter(candidate__fact__isnull=False).values_list("turn", flat=True))

    def one(self, **like: Any) -> Fact:
        with scope.user(self.user.pk):
            return _facts().get(**like)


def _facts() -> Any:
    return Fact.objects.select_related("entity")


def _turn(raw: str, at: datetime) -> dict[str, Any]:
    letter, colon, content = raw.partition(": ")
    role = ROLES.get(letter) if colon else None
    return {"role": role or "user", "content": content if role else raw, "at": at.isoformat()}


def _written(fact: Fact) -> str:
    entity = fact.entity
    whom = "" if entity is None or entity.is_owner else ", ".join(filter(None, (entity.name, entity.note)))
    denied = "not " if fact.polarity == "denies" else ""
    return f"{f'({whom}) ' if whom else ''}{denied}{fact.predicate}={fact.object}"


def after(*episodes: str | Sequence[str], days: float = 30, language: str = "en") -> Person:
    """A person without a model who said each of these, `days` days apart."""
    person = Person(language=language)
    for n, episode in enumerate(episodes):
        person.says(*([episode] if isinstance(episode, str) else episode), day=n * days)
    return person


def proposing(*candidates: Iterable[dict[str, Any]]) -> ScriptedModel:
    """A model that makes of the first window the first list, and so on."""
    return ScriptedModel([{"candidates": list(found)} for found in candidates])
