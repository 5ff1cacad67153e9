"""The known ways in which memory goes wrong, judged by counted values. Decides; reads nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

ENOUGH_TURNS = 50
"""So many turns in which a gate refuses nothing make it decoration; fewer say nothing of it."""
MOST_FACTS_A_TURN, LOOSE_FACTS_A_TURN = 0.20, 0.40
MOST_CALLS_A_TURN, CALLS_A_TURN = 0.20, 0.50
REAL_FACTS, REAL_WEEKS = 200, 4
"""From how many facts over how many weeks on memory must have met a contradiction."""
FACTS_A_CONFLICT = 1000
"""Where more facts than these meet only one, contradictions pass unseen."""
MOST_LAUNDERED = 0.01
SOME_ALIKE, MOST_ALIKE, ENOUGH_ENTITIES = 0.05, 0.15, 20
SOME_UNDATED, MOST_UNDATED = 0.05, 0.20
MOST_UNEXPLAINED = 0.01
SOME_UNUSED, MOST_UNUSED, ENOUGH_USES = 0.50, 0.80, 50
LATE_MINUTES, STUCK_MINUTES = 15, 360
MOST_FAILED = 10
SHORT_TOKENS, CHARACTERS_A_TOKEN = 50_000, 4
SOME_SHORT, MOST_SHORT = 0.50, 1.0


class Level(StrEnum):
    """How it stands; early: there is too little yet to say."""

    GOOD = "good"
    WATCH = "watch"
    BAD = "bad"
    EARLY = "early"


@dataclass(frozen=True, slots=True)
class Counted:
    """What the checks judge by. Turns, refusals, new facts and calls are those of the last `days`, 0 for all time."""

    days: int = 0
    turns: int = 0
    refused: int = 0
    born: int = 0
    calls: int = 0
    talkers: int = 0
    """People with ENOUGH_TURNS turns read."""
    unrefused: int = 0
    """Those of them to whom nothing was refused."""
    facts: int = 0
    live: int = 0
    weeks: float = 0.0
    conflicts: int = 0
    surer: int = 0
    """Live, inferred or derived, and surer than inference may be."""
    hollow: int = 0
    """Live, and nothing that their person or a tool said is behind them."""
    entities: int = 0
    alike: int = 0
    """Entities whose name is much like another's of the same person."""
    undated: int = 0
    superseded: int = 0
    unexplained: int = 0
    """Superseded, and nothing says by what or since when."""
    uses: int = 0
    """Recalls and decisions."""
    unused: int = 0
    due: int = 0
    oldest_minutes: float = 0.0
    failed_jobs: int = 0
    failed_episodes: int = 0
    people: int = 0
    """Those of whom anything was said."""
    short: int = 0
    """Those whose whole history would fit in a prompt."""


def judge(counted: Counted) -> Mapping[str, Level]:
    """Every check by its name."""
    return {
        "gate": gate(counted),
        "few": few(counted),
        "calls": calls(counted),
        "conflicts": conflicts(counted),
        "laundering": laundering(counted),
        "names": names(counted),
        "undated": undated(counted),
        "lineage": lineage(counted),
        "decoration": decoration(counted),
        "backlog": backlog(counted),
        "short": short(counted),
    }


def gate(counted: Counted) -> Level:
    """A gate that refuses nothing in fifty turns is decoration."""
    if counted.turns < ENOUGH_TURNS:
        return Level.EARLY
    if not counted.refused:
        return Level.BAD
    is_rare = counted.refused * ENOUGH_TURNS < counted.turns
    return Level.WATCH if is_rare or counted.unrefused else Level.GOOD


def few(counted: Counted) -> Level:
    """More than one fact from five turns means that the gate is too loose."""
    if counted.turns < ENOUGH_TURNS:
        return Level.EARLY
    return _rising(counted.born, counted.turns, some=MOST_FACTS_A_TURN, most=LOOSE_FACTS_A_TURN)


def calls(counted: Counted) -> Level:
    """A model that is asked at every turn sees nothing of what the turns say together, and costs the most."""
    if counted.turns < ENOUGH_TURNS:
        return Level.EARLY
    return _rising(counted.calls, counted.turns, some=MOST_CALLS_A_TURN, most=CALLS_A_TURN)


def conflicts(counted: Counted) -> Level:
    """People change their minds: a memory that never noticed does not look."""
    if counted.facts < REAL_FACTS or counted.weeks < REAL_WEEKS:
        return Level.EARLY
    if not counted.conflicts:
        return Level.BAD
    return Level.WATCH if counted.conflicts * FACTS_A_CONFLICT < counted.facts else Level.GOOD


def laundering(counted: Counted) -> Level:
    """What memory concluded by itself must not come to look like what its person said."""
    return _rising(counted.surer + counted.hollow, counted.live, some=0, most=MOST_LAUNDERED)


def names(counted: Counted) -> Level:
    """One person under several names is known by halves."""
    if counted.entities < ENOUGH_ENTITIES:
        return Level.EARLY
    return _rising(counted.alike, counted.entities, some=SOME_ALIKE, most=MOST_ALIKE)


def undated(counted: Counted) -> Level:
    """What is so now, said without a date, goes on being so for ever."""
    return _rising(counted.undated, counted.live, some=SOME_UNDATED, most=MOST_UNDATED)


def lineage(counted: Counted) -> Level:
    """What was replaced must say by what."""
    return _rising(counted.unexplained, counted.superseded, some=0, most=MOST_UNEXPLAINED)


def decoration(counted: Counted) -> Level:
    """A fact that never reached a recall or a decision did nothing."""
    if counted.uses < ENOUGH_USES or not counted.live:
        return Level.EARLY
    return _rising(counted.unused, counted.live, some=SOME_UNUSED, most=MOST_UNUSED)


def backlog(counted: Counted) -> Level:
    """What waits is not known yet, and what failed never will be."""
    failed = counted.failed_jobs + counted.failed_episodes
    if counted.oldest_minutes > STUCK_MINUTES or failed >= MOST_FAILED:
        return Level.BAD
    return Level.WATCH if counted.oldest_minutes > LATE_MINUTES or failed else Level.GOOD


def short(counted: Counted) -> Level:
    """Where a whole history fits into the prompt, memory can only lose some of it."""
    if not counted.people:
        return Level.EARLY
    if counted.short >= MOST_SHORT * counted.people:
        return Level.BAD
    return Level.WATCH if counted.short > SOME_SHORT * counted.people else Level.GOOD


def _rising(part: int, whole: int, *, some: float, most: float) -> Level:
    """Good up to `some` of the whole, bad above `most` of it."""
    if part > most * whole:
        return Level.BAD
    return Level.WATCH if part > some * whole else Level.GOOD
