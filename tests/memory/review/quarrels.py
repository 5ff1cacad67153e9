"""Contradictions as the engine makes them, so that folding again leaves them be."""

from datetime import datetime, timedelta
from typing import Any

from memory import attributing, believing, gate, people, policies, recording, scope
from memory.models import Candidate, Conflict, Fact, User
from memory.types import Ground, Judgement, Proposal, Quote, Role, Turn
from tests.factories import WHEN, make_episode


def tell(user: User, value: str, *, at: datetime = WHEN, predicate: str = "lives_in", **said: Any) -> Candidate:
    """A claim that the user made at `at`, or that has another `source`, believed."""
    source = said.pop("source", "user")
    words = said.pop("text", f"{predicate.replace('_', ' ').capitalize()} {value}")
    episode = make_episode(user, words, state="done", read_turns=1, occurred_at=at)
    with scope.user(user.pk):
        person, policy = people.read(user.pk), policies.current()
        spots = [recording.Spot(episode.pk, 1, Role.USER, at)]
        sitting = recording.Sitting(person, policy, "test", None, spots, [], {})
        subject = said.pop("subject", person.subject)
        proposal = Proposal(words, subject, predicate, value, evidence=(Quote(1, words),), **said)
        (claim,) = recording.record([(proposal, Judgement(is_accepted=True, source=source))], sitting)
        keys = attributing.attribute(user.pk, [claim])
        believing.refold(user.pk, [believing.Key(*key) for key in keys], policy=policy)
        claim.refresh_from_db()
    return claim


def quarrel(user: User, *values: str, predicate: str = "lives_in", **said: Any) -> None:
    """The values said on one day, too close for any to replace another: one contradiction."""
    for number, value in enumerate(filter(None, values)):
        tell(user, value, at=WHEN + timedelta(hours=number), predicate=predicate, **said)


def refuse(
    user: User, words: str = "Maybe I live in Oslo", value: str = "Oslo", *, role: str = "user", **said: Any
) -> int:
    """A candidate that the gate refused, as recording leaves it."""
    fields = {"name": "ci"} if role == "tool" else {}
    episode = make_episode(user, words, state="done", read_turns=1, **said.pop("of", {}))
    with scope.user(user.pk):
        episode.turns.update(role=role, **fields)
        person, policy = people.read(user.pk), policies.current()
        proposal = Proposal(
            words,
            said.pop("subject", "user"),
            said.pop("predicate", "lives_in"),
            value,
            evidence=(Quote(1, words),),
            **said,
        )
        ground = Ground(turns=(Turn(1, Role(role), words, WHEN),), owner=person.subject)
        judgement = gate.judge(proposal, ground, policy)
        assert not judgement.is_accepted
        spots = [recording.Spot(episode.pk, 1, Role(role), WHEN)]
        recording.record([(proposal, judgement)], recording.Sitting(person, policy, "test", None, spots, [], {}))
        return Candidate.objects.get(user=user, episode=episode).pk


def conflict_of(user: User) -> Conflict:
    """The newest contradiction of the user's; inside or outside a scope of staff."""
    return _inside(lambda: Conflict.objects.filter(user=user).latest("pk"))


def facts_of(user: User) -> dict[str, Fact]:
    """Object → fact, in the order in which they were first said."""
    rows = _inside(lambda: list(Fact.objects.filter(user=user).order_by("first_said_at", "pk")))
    return {row.object: row for row in rows}


def beliefs(user: User) -> list[tuple[str, str, str | None]]:
    """Object, status and what replaced it, of every fact."""
    rows = facts_of(user)
    objects = {row.pk: row.object for row in rows.values()}
    return [(row.object, row.status, objects.get(row.superseded_by_id or 0)) for row in rows.values()]


def _inside(read: Any) -> Any:
    try:
        with scope.staff():
            return read()
    except RuntimeError:  # a scope is open already
        return read()
