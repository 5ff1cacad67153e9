"""Recorded dialogues: reading them, playing them in some order, and the memory they end in."""

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml
from django.db import transaction

from memory import incoming, ingest, jobs, llm, pipeline, scope
from memory.models import Candidate, Conflict, Entity, Fact, User
from tests.factories import make_user
from tests.scripted_model import ScriptedModel

FOLDER = Path(__file__).parent / "dialogues"
MOST_EPISODES_IN_ALL_ORDERS = 5
SHUFFLES = 30

type State = dict[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class Dialogue:
    """One file of `dialogues/`; its README says what the keys mean."""

    slug: str
    content: Mapping[str, Any]

    @cached_property
    def episodes(self) -> list[dict[str, Any]]:
        return list(self.content["episodes"])

    @property
    def now(self) -> datetime:
        moment: datetime = self.content["now"]
        return moment

    @property
    def expected(self) -> Mapping[str, list[Any]]:
        nothing: dict[str, list[Any]] = {key: [] for key in ("facts", "conflicts", "refused", "held", "lapsed")}
        expected: dict[str, list[Any]] = self.content["expect"]
        return nothing | expected

    def shuffled(self) -> Iterator[tuple[int, ...]]:
        """Thirty orders of its episodes, the same in every run."""
        shuffler = random.Random(self.slug)
        places = range(len(self.episodes))
        for _ in range(SHUFFLES):
            yield tuple(shuffler.sample(places, len(places)))


def read_all() -> list[Dialogue]:
    files = sorted(FOLDER.glob("*.yaml"))
    return [Dialogue(file.stem, yaml.safe_load(file.read_text(encoding="utf-8"))) for file in files]


# Playing ------------------------------------------------------------------------------------


def play(dialogue: Dialogue, order: Iterable[int]) -> State:
    """The memory of a new user to whom the episodes come in this order, each processed before the next."""
    listener = _listener(dialogue)
    for place in order:
        listener.hear([place])
    return end_state(listener.user.pk)


def play_at_once(dialogue: Dialogue) -> State:
    """The memory of a new user whose episodes are all stored before the first is processed, the last first."""
    listener = _listener(dialogue)
    listener.hear(reversed(range(len(dialogue.episodes))))
    return end_state(listener.user.pk)


def play_in_any_order(dialogue: Dialogue) -> Iterator[tuple[tuple[int, ...], State]]:
    """Every order in which the episodes can arrive, with its end; thirty orders of very many."""
    if len(dialogue.episodes) > MOST_EPISODES_IN_ALL_ORDERS:
        yield from ((order, play(dialogue, order)) for order in dialogue.shuffled())
    else:
        yield from _branches(_listener(dialogue), came=())


@dataclass(frozen=True)
class _Listener:
    """A user of the dialogue's kind and the model that listens to them."""

    dialogue: Dialogue
    user: User
    model: llm.Model | None

    def hear(self, places: Iterable[int]) -> None:
        """Stores these episodes, then processes them as a worker would."""
        for place in places:
            ingest.store(self.user, incoming.prepare(_raw(self.dialogue.episodes[place])))
        jobs.request([self.user.pk])
        while pipeline.process(self.user.pk, pipeline.Engine(model=self.model)):
            pass


def _listener(dialogue: Dialogue) -> _Listener:
    person = dialogue.content["person"]
    user = make_user(display_name=person["name"], language=person["language"], time_zone=person["time_zone"])
    is_keyless = dialogue.content.get("extractor") == "patterns"
    return _Listener(dialogue, user, None if is_keyless else ScriptedModel(Recording(dialogue)))


def _branches(listener: _Listener, *, came: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], State]]:
    """Orders that begin alike share that beginning: it is played once and rolled back to."""
    left = [place for place in range(len(listener.dialogue.episodes)) if place not in came]
    if not left:
        yield came, end_state(listener.user.pk)
    for place in left:
        savepoint = transaction.savepoint_create()
        listener.hear([place])
        yield from _branches(listener, came=(*came, place))
        transaction.savepoint_rollback(savepoint)


def _raw(episode: Mapping[str, Any]) -> dict[str, Any]:
    """As it would come over HTTP: closed, its moments as text."""
    turns = [turn | {"at": turn["at"].isoformat()} for turn in episode["turns"]]
    return {
        "external_id": episode["external_id"],
        "session": episode.get("session", ""),
        "closed": True,
        "occurred_at": episode["occurred_at"].isoformat(),
        "turns": turns,
    }


_TURN = re.compile(r"^\[(?P<n>\d+)\] (?P<role>\w+) (?P<at>\S+): (?P<content>.*(?:\n    .*)*)$", re.MULTILINE)


class Recording:
    """What the model of a dialogue says: what stands beside the turns it is shown, whatever else it is shown."""

    def __init__(self, dialogue: Dialogue) -> None:
        self._episodes = dialogue.episodes
        self._judgements = dialogue.content.get("judgements", [])

    def __call__(self, call: llm.Call) -> dict[str, Any]:
        return self._judgement(call.user) if call.name == "judgement" else self._extraction(call.user)

    def _extraction(self, shown: str) -> dict[str, Any]:
        numbers = {
            (datetime.fromisoformat(turn["at"]), turn["role"], turn["content"].replace("\n    ", "\n")): int(turn["n"])
            for turn in _TURN.finditer(shown)
        }
        return {"candidates": [found for episode in self._episodes for found in _shown_candidates(episode, numbers)]}

    def _judgement(self, shown: str) -> dict[str, Any]:
        for one in self._judgements:
            if one["known"] in shown and one["new"] in shown:
                return {"relation": one["relation"], "why": one["why"]}
        raise AssertionError(f"nobody recorded a judgement of: {shown}")


def _shown_candidates(episode: Mapping[str, Any], numbers: Mapping[tuple[Any, ...], int]) -> Iterator[dict[str, Any]]:
    """The recorded candidates whose turns are all shown, turns by the numbers they have there."""
    keys = [(turn["at"], turn["role"], turn["content"]) for turn in episode["turns"]]
    for candidate in episode.get("candidates", []):
        evidence = [(keys[quote["turn"] - 1], quote["quote"]) for quote in candidate["evidence"]]
        if all(key in numbers for key, _ in evidence):
            yield candidate | {"evidence": [{"turn": numbers[key], "quote": quote} for key, quote in evidence]}


# What is left -------------------------------------------------------------------------------


def end_state(user_id: int) -> State:
    """All that is believed, asked, refused and held, without ids and times of arrival, in an order of its own."""
    with scope.user(user_id):
        return {
            "facts": _sorted(map(_fact, Fact.objects.select_related("entity", "superseded_by"))),
            "conflicts": _sorted(map(_conflict, Conflict.objects.all())),
            "candidates": _sorted(map(_candidate, Candidate.objects.select_related("entity"))),
        }


def _sorted(rows: Iterator[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=repr)


def _fact(row: Fact) -> dict[str, Any]:
    claims = list(row.claims.order_by("said_at", "episode__external_id", "place"))
    return {
        "about": _about(row.entity),
        "predicate": row.predicate,
        "object": row.object,
        "polarity": str(row.polarity),
        "status": str(row.status),
        "status_reason": row.status_reason,
        "text": row.text,
        "kind": str(row.kind),
        "basis": str(row.basis),
        "source": row.source,
        "confidence": round(row.confidence, 6),
        "last_supported_at": row.last_supported_at.isoformat(),
        "valid_from": row.valid_from,
        "valid_to": row.valid_to,
        "expires_on": row.expires_on and row.expires_on.isoformat(),
        "by": row.superseded_by and row.superseded_by.object,
        "is_unjudged": row.is_unjudged,
        "evidence": len(claims),
        "relation": _relation(claims[0]) if claims else None,
    }


def _about(entity: Entity | None) -> str | None:
    """None for the user themselves."""
    return None if entity is None or entity.is_owner else str(entity)


def _relation(claim: Candidate) -> str | None:
    resolution = claim.resolutions.first()
    return str(resolution.relation) if resolution else None


def _conflict(row: Conflict) -> dict[str, Any]:
    return {
        "sides": sorted(side.fact.object for side in row.sides.select_related("fact")),
        "settled_by": row.settled_by,
        "winner": row.winner and row.winner.object,
        "why": row.why,
    }


def _candidate(row: Candidate) -> dict[str, Any]:
    return {
        "text": row.text,
        "about": _about(row.entity),
        "object": row.object,
        "verdict": str(row.verdict),
        "reason": row.reason,
        "source": row.source,
        "relation": _relation(row),
    }


# Comparing ----------------------------------------------------------------------------------


def differences(state: State, dialogue: Dialogue) -> list[str]:
    """What is missing from the memory and what is there but should not be; empty when it is as expected."""
    expected = dialogue.expected
    refused = [row for row in state["candidates"] if row["verdict"] == "refused"]
    return [
        *_unmatched(expected["facts"], state["facts"], fits=_is_fact, of="fact"),
        *_unmatched(expected["conflicts"], state["conflicts"], fits=_is_conflict, of="conflict"),
        *_unmatched(expected["refused"], refused, fits=_is_refusal, of="refusal"),
        *_unmatched(expected["held"], _texts(state, "held"), fits=str.__eq__, of="held"),
        *_unmatched(expected["lapsed"], _texts(state, "lapsed"), fits=str.__eq__, of="lapsed"),
    ]


def _texts(state: State, verdict: str) -> list[str]:
    return [row["text"] for row in state["candidates"] if row["verdict"] == verdict]


def _unmatched(expected: Sequence[Any], found: Sequence[Any], *, fits: Any, of: str) -> list[str]:
    left = list(found)
    missing = []
    for one in expected:
        match = next((row for row in left if fits(one, row)), None)
        if match is None:
            missing.append(f"missing {of}: {one}")
        else:
            left.remove(match)
    return missing + [f"unexpected {of}: {row}" for row in left]


def _is_fact(expected: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    wanted = {"about": None} | dict(expected)
    most = wanted.pop("at_most", 1.0)
    return bool(row["confidence"] <= most) and all(row[key] == value for key, value in wanted.items())


def _is_conflict(expected: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    return (sorted(expected["sides"]), expected["settled_by"]) == (row["sides"], row["settled_by"])


def _is_refusal(expected: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    wanted = expected["reason"]
    reasons = [wanted] if isinstance(wanted, str) else wanted
    is_text = expected["text"] in row["text"] if expected["text"] else not row["text"]
    return is_text and (reasons == ["any"] or row["reason"] in reasons)
