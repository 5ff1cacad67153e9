"""Rows for tests, made through the same scope as the engine's."""

import itertools
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.hashers import make_password

from memory import believing, people, policies, recording, scope
from memory.models import Candidate, Conflict, ConflictSide, Entity, Episode, Evidence, Fact, ModelCall, Turn, User
from memory.types import TEXTLESS, Judgement, Proposal, Quote, Role

_numbers = itertools.count(1)
WHEN = datetime(2026, 3, 10, 12, tzinfo=UTC)


def make_user(external_id: str | None = None, **fields: Any) -> User:
    with scope.staff():
        return User.objects.create(external_id=external_id or f"person-{next(_numbers)}", **fields)


def make_episode(user: User, *contents: str, **fields: Any) -> Episode:
    """An episode of user turns, one a content."""
    defaults = {"occurred_at": WHEN, "due_at": WHEN, "content_hash": "0", "is_closed": True}
    with scope.user(user.pk):
        episode = Episode.objects.create(
            user=user, **{"external_id": f"episode-{next(_numbers)}", **defaults, **fields}, turn_count=len(contents)
        )
        Turn.objects.bulk_create(
            Turn(user=user, episode=episode, n=n, role="user", content=content, at=episode.occurred_at)
            for n, content in enumerate(contents, start=1)
        )
    return episode


def make_login(access: str = "member", external_id: str | None = None, **fields: Any) -> User:
    """Someone who can sign in with the password "open sesame"."""
    return make_user(external_id, access=access, password=make_password("open sesame"), **fields)


def make_fact(user: User, text: str = "Lives in Oslo.", *, episode: Episode | None = None, **fields: Any) -> Fact:
    """A fact about the user themselves, unless `entity` says whom else, with its own sentence as its quote."""
    episode = episode or make_episode(user, text)
    with scope.user(user.pk):
        values = {"entity": fields.pop("entity", None) or _owner(user)} | _FACT | fields
        fact = Fact.objects.create(user=user, text=text, **values)
        _claim(fact, episode)
    return fact


def make_entity(user: User, name: str, note: str = "") -> Entity:
    with scope.user(user.pk):
        return Entity.objects.create(user=user, name=name, name_key=name.lower(), note=note, note_key=note.lower())


def make_refusal(user: User, text: str = "Maybe I like tea.", *, reason: str = "hedged", **fields: Any) -> Candidate:
    """A refused candidate, with its own sentence as its quote where the reason lets text be kept."""
    episode = fields.pop("episode", None) or make_episode(user, text)
    is_textless = reason in TEXTLESS
    told = {"text": "", "digest": "0" * 64} if is_textless else {"text": text, "detail": "maybe"} | _TRIPLE
    with scope.user(user.pk):
        values = _CANDIDATE | told | {"verdict": "refused"} | fields
        row = Candidate.objects.create(user=user, episode=episode, reason=reason, **values)
        if not is_textless:
            _quote(row, text)
    return row


def make_conflict(user: User, *facts: Fact, **fields: Any) -> Conflict:
    """A question between these facts, which become conflicted unless it is settled."""
    with scope.user(user.pk):
        values = {"entity": facts[0].entity, "predicate": facts[0].predicate, "why": "both are newer"} | fields
        conflict = Conflict.objects.create(user=user, **values)
        ConflictSide.objects.bulk_create(ConflictSide(user=user, conflict=conflict, fact=fact) for fact in facts)
        if not conflict.settled_by:
            Fact.objects.filter(pk__in=[fact.pk for fact in facts]).update(status="conflicted")
    return conflict


_TRIPLE = {"subject": "user", "predicate": "lives_in", "object": "Oslo", "object_key": "oslo"}
_CLAIM = {"kind": "knowledge", "polarity": "affirms", "basis": "stated", "policy_version": 0}
_CANDIDATE = _CLAIM | {"place": 1, "turn": 1, "said_at": WHEN, "speech": "states", "extractor": "patterns-1"}
_FACT = (
    _CLAIM
    | _TRIPLE
    | {
        "source": "user",
        "status": "active",
        "confidence": 0.9,
        "last_supported_at": WHEN,
        "first_said_at": WHEN,
        "began_on": WHEN.date(),
    }
)


def _owner(user: User) -> Entity:
    names = {"name": user.subject, "name_key": user.subject.lower()}
    return Entity.objects.get_or_create(user=user, is_owner=True, defaults=names)[0]


def _claim(fact: Fact, episode: Episode) -> None:
    said = {"text": fact.text, "said_at": fact.last_supported_at, "source": fact.source, "verdict": "accepted"}
    claim = Candidate.objects.create(user=fact.user, episode=episode, fact=fact, **_CANDIDATE | said)
    _quote(claim, fact.text)


def _quote(candidate: Candidate, quote: str) -> None:
    Evidence.objects.create(
        user=candidate.user,
        candidate=candidate,
        episode=candidate.episode,
        turn=candidate.turn,
        role="user",
        at=candidate.said_at,
        quote=quote,
    )


def add_evidence(fact: Fact, episode: Episode, quote: str, **fields: Any) -> None:
    """One more claim behind a fact, with its quote."""
    said = {"text": quote, "source": fact.source, "verdict": "accepted"} | fields
    with scope.user(fact.user_id):
        claim = Candidate.objects.create(user=fact.user, episode=episode, fact=fact, **_CANDIDATE | said)
        _quote(claim, quote)


def make_believed(
    user: User, text: str = "Lives in Oslo", predicate: str = "lives_in", value: str = "Oslo", **fields: Any
) -> Fact:
    """A fact as the engine makes one, from an episode in which just this was said: folding again leaves it be.

    `fields` are of the episode.
    """
    episode = make_episode(user, text, state="done", read_turns=1, **fields)
    with scope.user(user.pk):
        person, policy = people.read(user.pk), policies.current()
        spots = [recording.Spot(episode.pk, 1, Role.USER, episode.occurred_at)]
        sitting = recording.Sitting(person, policy, "test", None, spots, [], {})
        proposal = Proposal(text, person.subject, predicate, value, evidence=(Quote(1, text),))
        (claim,) = recording.record([(proposal, Judgement(is_accepted=True, source="user"))], sitting)
        believing.refold(user.pk, [believing.Key(person.entity, claim.predicate, claim.slot)], policy=policy)
        claim.refresh_from_db()
        return Fact.objects.get(pk=claim.fact_id)


def make_call(user: User, **fields: Any) -> ModelCall:
    """A call to a model."""
    with scope.user(user.pk):
        return ModelCall.objects.create(user=user, name="extraction", **fields)
