"""When: the order of events, and how the time a claim is about lies to the time it was said."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time
from enum import StrEnum
from typing import Any

from memory.dates import first_day, last_day
from memory.policy_types import Vocabulary
from memory.types import Cardinality, Claim, Polarity, Ruling, Speech


class Lane(StrEnum):
    """Standing until something ends it; an overlay with its end ahead; past when it was said."""

    STANDING = "standing"
    OVERLAY = "overlay"
    PAST = "past"


type Position = tuple[Any, ...]


def position(claim: Claim) -> Position:
    """Where the claim stands among all that was said on the key; ids have no part in it.

    By the day it was said, then its moment. A stated beginning sorts only within that day:
    it says since when, and never makes the newest word old.
    """
    content = (claim.object_key, claim.polarity, claim.speech, claim.basis, claim.source, claim.text)
    rest = (claim.kind, claim.valid_from or "", claim.valid_to or "", str(claim.expires_on), claim.session)
    return (_day_of(claim), _moment(claim), claim.said_at, 0, claim.order, content, rest)


def events(claims: Iterable[Claim], rulings: Iterable[Ruling]) -> list[Claim | Ruling]:
    """Claims and rulings in the order in which they happened. A ruling never precedes what it is about."""
    placed: list[tuple[Position, Claim | Ruling]] = [(position(claim), claim) for claim in claims]
    of = {event.id: place for place, event in placed if isinstance(event, Claim)}
    for ruling in rulings:
        latest = max((of[claim] for claim in ruling.claims if claim in of), default=None)
        placed.append((_ruled(ruling, latest), ruling))
    return [event for _, event in sorted(placed, key=lambda pair: pair[0])]


def _ruled(ruling: Ruling, latest: Position | None) -> Position:
    """Rulings made at one moment stand in the order of their making, which is that of their ids."""
    at = ruling.at.astimezone(UTC)
    place = (at.date(), at, at, 1, ruling.id)
    if latest is None or latest < place:
        return place
    return (*latest[:3], 1, ruling.id)


def _moment(claim: Claim) -> datetime:
    """When it began, of what began before it was said; of a change, correction or denial when it was said."""
    is_turn = claim.speech in (Speech.CHANGES, Speech.CORRECTS) or claim.polarity == Polarity.DENIES
    if claim.valid_from is None or is_turn:
        return claim.said_at
    return min(datetime.combine(first_day(claim.valid_from), time(), UTC), claim.said_at)


def said_day(claim: Claim) -> date:
    """The day on which the claim was said, where its user lives."""
    return claim.said_day or _day_of(claim)


def _day_of(claim: Claim) -> date:
    """The day in UTC, which is the same for everybody: what orders events is independent of where somebody lives."""
    return claim.said_at.astimezone(UTC).date()


def lane(claim: Claim, *, cardinality: Cardinality, vocabulary: Vocabulary) -> Lane:
    """Where a claim belongs by its end. Readings stand for ever; so does what once happened."""
    if cardinality == Cardinality.READING:
        return Lane.STANDING
    ends = end(claim)
    if ends is None:
        return Lane.STANDING
    today = said_day(claim)
    if ends > today or (claim.expires_on is not None and ends == today):
        return Lane.OVERLAY
    return Lane.STANDING if claim.predicate in vocabulary.histories else Lane.PAST


def begin(claim: Claim) -> date:
    """The day since when it holds: as stated, else the day it was said."""
    return first_day(claim.valid_from) if claim.valid_from else said_day(claim)


def end(claim: Claim) -> date | None:
    """The last day on which it holds, if the claim names one."""
    if claim.expires_on is not None:
        return claim.expires_on
    return last_day(claim.valid_to) if claim.valid_to else None


def stated_end(claim: Claim) -> str | None:
    """The end in the words of the claim, at its precision."""
    return claim.valid_to or (claim.expires_on.isoformat() if claim.expires_on else None)


def closing(claim: Claim, *, began: date) -> str:
    """When a fact that began on `began` ended, by the claim that ends it.

    Its stated beginning, unless that is before the old one began; else the day it was said.
    """
    if claim.valid_from and last_day(claim.valid_from) >= began:
        return claim.valid_from
    return said_day(claim).isoformat()


def span(claim: Claim) -> tuple[date, date]:
    """The days that a claim with an end is about."""
    first = begin(claim)
    return first, max(first, end(claim) or first)


def overlap(one: Sequence[date], other: Sequence[date]) -> bool:
    """Whether two spans of days, each (first, last), share a day."""
    return one[0] <= other[1] and other[0] <= one[1]
