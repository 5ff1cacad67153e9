"""How a fact's confidence came about, by the very functions that make it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory import clock, confidence, policies
from memory.confidence import Evidence, Step
from memory.models import Candidate, Episode, Fact, PersonsRuling
from memory.policy_types import Thresholds
from memory.types import Verb

_CLOSE_ENOUGH = 1e-6


@dataclass(frozen=True, slots=True)
class Taken:
    """A step, with the episode it was taken in; of a person's confirmation `by` says whose, and there is none."""

    step: Step
    episode_id: int | None
    episode: str
    by: str


@dataclass(frozen=True, slots=True)
class Workings:
    """The steps in order, what a contradiction took, what it was `stated` at then and is worth `now`.

    `is_older` tells that today's policy would not come to what is stored: it is folded anew when something is said.
    """

    steps: tuple[Taken, ...]
    contradicted: float
    stated: float
    as_of: datetime
    now: float
    at: datetime
    half_life: float | None
    is_older: bool

    @property
    def faded(self) -> float:
        """What time has taken since."""
        return self.stated - self.now


def of(fact: Fact) -> Workings:
    """In three queries, inside a scope."""
    thresholds, now = policies.current().thresholds, clock.now()
    claims = list(Candidate.objects.filter(user=fact.user_id, fact=fact).select_related("episode").order_by("said_at"))
    confirmed = _confirmations(fact, [claim.pk for claim in claims])
    evidence = [_evidence(claim) for claim in claims] + list(confirmed)
    taken = confidence.steps(evidence, kind=fact.kind, thresholds=thresholds) if evidence else []
    episodes = {str(claim.episode_id): claim.episode for claim in claims}
    came_to = taken[-1].after if taken else fact.confidence
    contradicted = _contradicted(came_to, fact.confidence, thresholds)
    return Workings(
        steps=tuple(_taken(step, episodes) for step in taken),
        contradicted=contradicted,
        stated=fact.confidence,
        as_of=fact.last_supported_at,
        now=confidence.effective(fact.confidence, fact.kind, fact.last_supported_at, now=now, thresholds=thresholds),
        at=now,
        half_life=thresholds.half_life_days.get(fact.kind),
        is_older=abs(came_to - contradicted - fact.confidence) > _CLOSE_ENOUGH,
    )


def _evidence(claim: Candidate) -> Evidence:
    session = claim.episode.session or claim.episode.external_id
    return Evidence(str(claim.episode_id), session, claim.source, claim.said_at)


def _confirmations(fact: Fact, claims: Sequence[int]) -> list[Evidence]:
    """The newest of the member and of reviewers: each is one more occasion, the member's their own word."""
    rows = PersonsRuling.objects.filter(user=fact.user_id, claims__overlap=list(claims), verb=Verb.CONFIRM)
    newest = {row.by: row.at for row in rows.order_by("at")} if fact.is_confirmed else {}
    return [Evidence(by, "", {"member": "user"}.get(by, confidence.INFERRED), at) for by, at in newest.items()]


def _contradicted(came_to: float, stored: float, thresholds: Thresholds) -> float:
    """What an open or lost contradiction took off, if that is the difference."""
    step = min(came_to, thresholds.contradict_step)
    return step if abs(came_to - step - stored) < _CLOSE_ENOUGH else 0.0


def _taken(step: Step, episodes: Mapping[str, Episode]) -> Taken:
    episode = episodes.get(step.evidence.episode)
    if episode is None:
        return Taken(step, None, "", step.evidence.episode)
    return Taken(step, episode.pk, episode.external_id, "")
