"""What an answer to a contradiction means: the rulings it takes, or why it does not fit. No I/O."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from itertools import chain

from memory import dates
from memory.errors import Unanswerable
from memory.types import Verb


class Choice(StrEnum):
    """What can be said of sides that cannot all be true."""

    ONE = "one"
    """One of them is right."""
    BOTH = "both"
    """All of them are."""
    TIMES = "times"
    """All of them were, at different times."""
    NEITHER = "neither"
    """None of them ever was."""
    ASK = "ask"
    """Only their person can tell."""


@dataclass(frozen=True, slots=True)
class Side:
    """A live side: its fact, the claims behind it, since when it holds if that was stated, and whether its person confirmed it."""

    fact: int
    claims: tuple[int, ...]
    valid_from: str | None = None
    is_confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """`fact` is the side that is right; `times` gives the last day on which each of the others was."""

    choice: Choice
    fact: int | None = None
    times: Mapping[int, date] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Intended:
    """A ruling to be made."""

    verb: Verb
    claims: tuple[int, ...]
    as_of: date | None = None


def rulings(answer: Answer, sides: Sequence[Side], *, is_own: bool, today: date) -> list[Intended]:
    """The rulings that make `answer` so, in their order; none for a question to the person.

    `is_own`: their person answers. Raises Unanswerable with what to do instead.
    """
    if answer.choice is Choice.ASK:
        return _asked(is_own=is_own)
    found = _RULINGS[answer.choice](answer, sides, today)
    if not is_own:
        _leave_to_person(answer, sides)
    return found


def _asked(*, is_own: bool) -> list[Intended]:
    if is_own:
        raise Unanswerable("You are the person to ask: choose what is true.")
    return []


def _one(answer: Answer, sides: Sequence[Side], _today: date) -> list[Intended]:
    right = next((side for side in sides if side.fact == answer.fact), None)
    if right is None:
        raise Unanswerable("Say which side is right: what was chosen is no side of this contradiction any more.")
    return [Intended(Verb.SETTLE, right.claims)]


def _both(_answer: Answer, sides: Sequence[Side], _today: date) -> list[Intended]:
    return [Intended(Verb.BOTH, _all(sides))]


def _neither(_answer: Answer, sides: Sequence[Side], _today: date) -> list[Intended]:
    return [Intended(Verb.RETRACT, _all(sides))]


def _times(answer: Answer, sides: Sequence[Side], today: date) -> list[Intended]:
    """The earliest to end is closed first; what is left, if anything is, holds now."""
    by_fact = {side.fact: side for side in sides}
    if not answer.times.keys() <= by_fact.keys():
        raise Unanswerable("A date was given for what is no side of this contradiction any more.")
    if len(answer.times) < len(sides) - 1:
        raise Unanswerable("Give the last day on which each side was true, but for the one that is true now.")
    for fact, last in answer.times.items():
        _check(by_fact[fact], last, today)
    ended = sorted(answer.times.items(), key=lambda pair: (pair[1], pair[0]))
    return [Intended(Verb.CLOSE, by_fact[fact].claims, last) for fact, last in ended]


def _check(side: Side, last: date, today: date) -> None:
    if last > today:
        raise Unanswerable(f"{last.isoformat()} is still to come. A last day lies in the past.")
    if side.valid_from and dates.first_day(side.valid_from) > last:
        raise Unanswerable(
            f"{last.isoformat()} lies before {side.valid_from}, since when this side is said to be true."
        )


def _leave_to_person(answer: Answer, sides: Sequence[Side]) -> None:
    """What its person confirmed nobody else finds wrong."""
    kept = {answer.fact} if answer.choice is Choice.ONE else {side.fact for side in sides} - answer.times.keys()
    if answer.choice is Choice.NEITHER:
        kept = set()
    if any(side.is_confirmed and side.fact not in kept for side in sides):
        raise Unanswerable("Their person has confirmed a side that this would end. Ask the person instead.")


def _all(sides: Sequence[Side]) -> tuple[int, ...]:
    return tuple(sorted(set(chain.from_iterable(side.claims for side in sides))))


_RULINGS = {Choice.ONE: _one, Choice.BOTH: _both, Choice.NEITHER: _neither, Choice.TIMES: _times}
