"""The facts of a key while they are being folded, and the contradictions between them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Self

from memory import confidence
from memory.resolver import timeline
from memory.resolver.timeline import Lane
from memory.types import LIVE, Claim, Judged, Polarity, Relation, Status


@dataclass(slots=True, eq=False)
class Row:
    """One fact in the making."""

    founder: Claim
    lane: Lane
    claims: list[Claim] = field(default_factory=list)
    status: Status = Status.ACTIVE
    reason: str = ""
    valid_to: str | None = None
    """Set by what ended it."""
    successor: Self | None = None
    replaced: list[Self] = field(default_factory=list)
    conflict: "Conflict | None" = None
    """Open only."""
    has_lost: bool = False
    confirmed: dict[str, datetime] = field(default_factory=dict)
    """When the member, or reviewers, last said that it is right."""
    upheld_by: str = ""
    """Who settled a conflict for it, or retracted it."""
    is_shared: bool = False
    """Ruled or judged true beside another value of its one-valued key."""
    doubts: list[Self] = field(default_factory=list)
    """What nobody has compared it with yet."""
    newest: datetime = field(init=False)
    best: int = field(init=False)
    episodes: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.newest = self.founder.said_at
        self.best = confidence.rank(self.founder.source)
        self.add(self.founder)

    def add(self, claim: Claim) -> None:
        """Takes `claim` as evidence."""
        self.claims.append(claim)
        self.newest = max(self.newest, claim.said_at)
        self.best = max(self.best, confidence.rank(claim.source))
        self.episodes.add(claim.episode)

    @property
    def polarity(self) -> Polarity:
        return self.founder.polarity

    @property
    def is_live(self) -> bool:
        return self.status in LIVE

    @property
    def is_backed(self) -> bool:
        """Whether a person stands behind it, so that no inference stands against it."""
        return bool(self.confirmed or self.upheld_by)

    @property
    def known_until(self) -> datetime:
        """The newest word that it holds. A reviewer's is about the record, not about the world."""
        return max(self.newest, self.confirmed.get("member", self.newest))

    @property
    def rank(self) -> int:
        """How far it is trusted."""
        return confidence.RANKS["user"] if "member" in self.confirmed else self.best

    @property
    def begin(self) -> date:
        return timeline.begin(self.founder)

    @property
    def span(self) -> tuple[date, date]:
        """The days an overlay lies over."""
        ends = [timeline.end(claim) for claim in sorted(self.claims, key=lambda claim: claim.said_at)]
        return self.begin, next((ending for ending in reversed(ends) if ending), date.max)


@dataclass(slots=True, eq=False)
class Conflict:
    """Rows that cannot all be true. Open while `settled_by` is empty."""

    sides: list[Row]
    settled_by: str = ""
    winner: Row | None = None
    closed: list[Row] = field(default_factory=list)
    """Sides of which a person said until when they were true."""

    @property
    def alive(self) -> list[Row]:
        return [side for side in self.sides if side.is_live]


@dataclass(slots=True)
class Arrival:
    """A claim being placed, with those that waited until it brought enough support."""

    claim: Claim
    lane: Lane
    waited: Sequence[Claim] = ()
    beside: list[Row] = field(default_factory=list)
    """What its own words, or a judge, set it beside."""
    unasked: list[Row] = field(default_factory=list)
    """What a judge should compare it with, and has not."""
    told: dict[int, Judged] = field(default_factory=dict)
    """What a person said it is to rows that are known, by identity."""

    def is_apart(self, row: Row) -> bool:
        """Whether a person said that it does not say the same as `row`."""
        return self.told.get(id(row), Judged.DUPLICATE) != Judged.DUPLICATE

    @property
    def support(self) -> int:
        """Distinct episodes behind it."""
        return len({self.claim.episode, *(claim.episode for claim in self.waited)})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rule made of an arrival."""

    relation: Relation
    why: str
    row: Row | None = None
    against: Row | None = None
