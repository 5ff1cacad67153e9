"""The state of a key while it is being folded, and the few moves that change it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations

from memory import confidence
from memory.policy import Policy
from memory.resolver import timeline
from memory.resolver.relate import Slot, is_inferred, is_user, says_it_changed, slot, value
from memory.resolver.rows import Arrival, Conflict, Row
from memory.resolver.timeline import Lane
from memory.types import Cardinality, Claim, Judged, Pair, Polarity, Relation, Status

NEWER = "replaced by a newer value"
PUT_ASIDE = "another value was settled on by "


@dataclass(frozen=True, slots=True)
class Note:
    """A decision on one claim, before facts have numbers."""

    claim: Claim
    relation: Relation
    why: str
    row: Row | None
    against: Row | None


@dataclass(slots=True)
class Board:
    """Everything known on one key so far, past values and retractions included."""

    predicate: str
    cardinality: Cardinality
    policy: Policy
    judged: Mapping[Pair, Judged]
    insisted: Mapping[Pair, Judged]
    rows: list[Row] = field(default_factory=list)
    live: dict[int, Row] = field(default_factory=dict)
    by_slot: dict[Slot, list[Row]] = field(default_factory=lambda: defaultdict(list))
    where: dict[int, Row] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    retracted: set[Slot] = field(default_factory=set)
    waiting: dict[tuple[Slot, Lane], list[Claim]] = field(default_factory=lambda: defaultdict(list))
    unsupported: list[Claim] = field(default_factory=list)
    undecided: list[Pair] = field(default_factory=list)
    latest: Claim | None = None
    """The claim before this one on the key."""

    @property
    def is_one_valued(self) -> bool:
        return self.cardinality == Cardinality.ONE

    def slot(self, claim: Claim, *, polarity: Polarity | None = None) -> Slot:
        return slot(claim, self.cardinality, polarity=polarity)

    def peers(self, arrival: Arrival) -> list[Row]:
        """Live rows that an arrival can stand against: of its lane, overlays only where their days meet."""
        return [row for row in self.live.values() if self.meets(row, arrival)]

    @staticmethod
    def meets(row: Row, arrival: Arrival) -> bool:
        """Whether `row`, live or not, is of the arrival's lane and, if that is passing, of its days."""
        if row.lane != arrival.lane or row.lane != Lane.OVERLAY:
            return row.lane == arrival.lane
        return timeline.overlap(row.span, timeline.span(arrival.claim))

    def rivals(self, arrival: Arrival) -> list[Row]:
        """Live rows that cannot be true together with an arrival that is being laid beside them."""
        claim, opposite = arrival.claim, self.slot(arrival.claim, polarity=_opposite(arrival.claim.polarity))
        if not self.is_one_valued:
            return [row for row in self.by_slot[opposite] if row.is_live and self.meets(row, arrival)]
        return [
            row
            for row in self.peers(arrival)
            if row not in arrival.beside and is_against(row.founder, claim, is_exclusive=True)
        ]

    def found(self, claim: Claim, lane: Lane) -> Row:
        """A new live row for `claim`."""
        row = Row(claim, lane)
        self.rows.append(row)
        self.live[id(row)] = row
        self.by_slot[self.slot(claim)].append(row)
        self.where[claim.id] = row
        return row

    def support(self, row: Row, claim: Claim) -> None:
        """Adds `claim` to the evidence of `row`."""
        row.add(claim)
        self.where[claim.id] = row

    def end(self, row: Row, *, valid_to: str | None, reason: str, by: str, successor: Row | None = None) -> None:
        """`row` held until `valid_to`, and from then on `successor`, if there is one."""
        row.status, row.reason = Status.SUPERSEDED, reason
        row.valid_to, row.successor = valid_to, successor
        if successor is not None:
            successor.replaced.append(row)
        self._leave(row, by=by)

    def retract(self, row: Row, *, by: str, reason: str) -> None:
        """`row` was never true: what it had replaced holds again, what replaced it replaces that."""
        inherited, until = row.successor, row.valid_to
        self._take_back(row, by=by, reason=reason)
        for former in row.replaced:
            if former.successor is row:
                self._hand_on(former, inherited, until)

    def forget(self, row: Row, *, by: str, reason: str) -> None:
        """`row` is believed no longer, and that changes nothing else: what it had replaced has passed."""
        inherited = row.successor
        self._take_back(row, by=by, reason=reason)
        for former in row.replaced:
            if former.successor is row:
                former.successor = inherited
                if inherited is not None:
                    inherited.replaced.append(former)

    def _take_back(self, row: Row, *, by: str, reason: str) -> None:
        row.status, row.reason, row.successor, row.valid_to = Status.RETRACTED, reason, None, None
        self.retracted.add(self.slot(row.founder))
        self._leave(row, by=by)

    def _hand_on(self, former: Row, inherited: Row | None, until: str | None) -> None:
        if inherited is None:
            self.revive(former)
            return
        former.successor, former.valid_to = inherited, until
        inherited.replaced.append(former)

    def revive(self, row: Row) -> None:
        """`row` was true after all: past if it was, else beside, under or against what is live now."""
        row.status, row.reason, row.valid_to, row.successor, row.has_lost = Status.ACTIVE, "", None, None, False
        if row.lane == Lane.PAST:
            self.end(row, valid_to=timeline.stated_end(row.founder), reason="past", by="")
            return
        rivals = [other for other in self.peers(Arrival(row.founder, row.lane)) if self._is_rival(other, row)]
        newer = [r for r in rivals if self.may_update(r.founder, row, support=len(r.episodes))]
        since = next(
            (r for r in self.by_slot[self.slot(row.founder)] if r.is_live and r.lane == row.lane and r is not row), None
        )
        later = since or next(iter(newer), None)
        if later is not None:
            valid_to = timeline.closing(later.founder, began=row.begin)
            self.end(row, valid_to=valid_to, reason="said again since" if since else NEWER, by="", successor=later)
            return
        self.live[id(row)] = row
        if rivals:
            self.oppose(row, rivals)

    def may_update(self, claim: Claim, row: Row, *, support: int) -> bool:
        """Whether `claim` may take the place of `row`: newer, as trusted, and stated by the user or supported."""
        if row.is_backed and is_inferred(claim):
            return False
        thresholds = self.policy.thresholds
        is_newer = (says_it_changed(claim) and claim.said_at >= row.newest) or _waited(
            row.known_until, claim, days=thresholds.update_window_days
        )
        is_sure = is_user(claim) or support >= thresholds.min_support
        return is_newer and is_sure and confidence.rank(claim.source) >= row.rank

    def _is_rival(self, one: Row, other: Row) -> bool:
        is_exclusive = self.is_one_valued and not (one.is_shared and other.is_shared)
        return one is not other and is_against(one.founder, other.founder, is_exclusive=is_exclusive)

    def oppose(self, row: Row, rivals: Iterable[Row]) -> Conflict:
        """All of them stay live, flagged, in one group; an open group takes newcomers in."""
        sides = [*rivals, row]
        groups = list({id(side.conflict): side.conflict for side in sides if side.conflict}.values())
        if not groups:
            self.conflicts.append(Conflict([]))
        conflict = groups[0] if groups else self.conflicts[-1]
        for other in groups[1:]:
            sides = [*other.sides, *sides]
            conflict.closed += other.closed
            self.conflicts.remove(other)
        seated = set(map(id, conflict.sides))
        for side in dict.fromkeys(sides):
            if id(side) not in seated:
                conflict.sides.append(side)
            if side.is_live:
                side.conflict, side.status, side.reason = conflict, Status.CONFLICTED, ""
        return conflict

    def replace_side(self, old: Row, new: Row) -> None:
        """`new` says the same as `old`, better: it takes its place in an open group."""
        if old.conflict is not None:
            old.conflict.sides.append(new)
            new.conflict, new.status = old.conflict, Status.CONFLICTED

    def settle(self, conflict: Conflict, winner: Row, *, by: str, ends: Mapping[int, str]) -> None:
        """`winner` is right; the other sides held until their day in `ends`, by identity."""
        losers = [side for side in conflict.alive if side is not winner]
        conflict.settled_by, conflict.winner = by, winner
        for side in conflict.alive:
            side.conflict, side.status = None, Status.ACTIVE
        for side in losers:
            side.has_lost = True
            self.end(side, valid_to=ends[id(side)], reason=f"{PUT_ASIDE}{by}", by=by, successor=winner)

    def release(self, conflict: Conflict, *, by: str) -> None:
        """No contradiction is left: whatever side is still live stands undisputed."""
        alive = conflict.alive
        conflict.settled_by, conflict.winner = by, alive[0] if len(alive) == 1 else None
        for side in alive:
            side.conflict, side.status = None, Status.ACTIVE

    def _leave(self, row: Row, *, by: str) -> None:
        """Takes a row that ended out of the live ones and out of its group."""
        self.live.pop(id(row), None)
        conflict, row.conflict = row.conflict, None
        if conflict is None:
            return
        row.has_lost = True
        pairs = combinations(conflict.alive, 2)
        if not any(is_against(a.founder, b.founder, is_exclusive=not self._allows_many) for a, b in pairs):
            self.release(conflict, by=by)

    @property
    def _allows_many(self) -> bool:
        return self.cardinality in (Cardinality.MANY, Cardinality.READING)

    def note(self, claim: Claim, relation: Relation, why: str, *, row: Row | None, against: Row | None = None) -> None:
        """Records what became of `claim`."""
        self.notes.append(Note(claim, relation, why, row, against))


def _waited(since: datetime, claim: Claim, *, days: float) -> bool:
    """Whether `days` lie between; compared as numbers, since a policy may ask for more than a timedelta holds."""
    return (claim.said_at - since) / timedelta(days=1) >= days


def is_against(one: Claim, other: Claim, *, is_exclusive: bool) -> bool:
    """Whether two claims contradict: the same said and denied, or two values where one is allowed."""
    if one.polarity != other.polarity:
        return value(one) == value(other)
    return is_exclusive and one.polarity == Polarity.AFFIRMS and value(one) != value(other)


def _opposite(polarity: Polarity) -> Polarity:
    return Polarity.DENIES if polarity == Polarity.AFFIRMS else Polarity.AFFIRMS


def brief(claim: Claim) -> str:
    """The claim's object in quotation marks, short enough for a line."""
    words = claim.object or claim.text
    words = f"{words[:60]}…" if len(words) > 60 else words  # noqa: PLR2004
    return f"not “{words}”" if claim.polarity == Polarity.DENIES else f"“{words}”"
