"""The checks of memory's health in words: what each looks for, what it counted, what to do, and where to look."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from memory.review import sentences
from memory.review.checking import Level
from reviewer.wording import Words

LEVELS: dict[str, Words] = {
    Level.BAD: gettext_lazy("Act"),
    Level.WATCH: gettext_lazy("Look into it"),
    Level.GOOD: gettext_lazy("Fine"),
    Level.EARLY: gettext_lazy("Too early to tell"),
}
"""In the order in which a page shows them."""


class Told(NamedTuple):
    """`counted` is filled with the numbers of a report; `route` with `query` lead to the rows."""

    title: Words
    meaning: Words
    counted: Words
    advice: Words
    route: str
    query: str = ""


CHECKS: dict[str, Told] = {
    "gate": Told(
        gettext_lazy("The gate refuses"),
        gettext_lazy("A gate that refuses nothing in fifty turns is decoration."),
        gettext_lazy(
            "%(refused)s refused of %(turns)s turns. Of %(talkers)s people with 50 turns or more, %(unrefused)s had nothing refused."
        ),
        gettext_lazy("Compare what was let in with what was refused, and tighten the policy."),
        "report-gate",
    ),
    "few": Told(
        gettext_lazy("Few facts come of many turns"),
        gettext_lazy("More than one new fact from five turns means that the gate is too loose."),
        gettext_lazy("%(born)s new facts from %(turns)s turns: %(born_share)s, where 20 %% is the line."),
        gettext_lazy("Look at the newest facts of these people: which of them will matter in a month?"),
        "facts",
    ),
    "calls": Told(
        gettext_lazy("The model reads conversations, not turns"),
        gettext_lazy("A model that is asked at every turn cannot see what turns say together, and costs the most."),
        gettext_lazy("%(calls)s calls for %(turns)s turns: %(calls_a_turn)s a turn."),
        gettext_lazy("Let episodes be closed, or wait longer before they are read: batch_turns and idle_minutes."),
        "report-cost",
    ),
    "conflicts": Told(
        gettext_lazy("Contradictions are noticed"),
        gettext_lazy("People change their minds: a memory that never noticed does not look."),
        gettext_lazy("%(conflicts)s contradictions among %(facts)s facts over %(weeks_said)s weeks."),
        gettext_lazy("See whether predicates that allow one value at a time are known as such to the policy."),
        "report-contradictions",
    ),
    "laundering": Told(
        gettext_lazy("Conclusions stay conclusions"),
        gettext_lazy(
            "What memory concluded by itself, or was handed back, must not come to look like what its person said."
        ),
        gettext_lazy(
            "%(surer)s conclusions surer than conclusions may be, and %(hollow)s facts with no words of their person or a tool behind them, of %(live)s."
        ),
        gettext_lazy("Look at what they rest on, and retire what rests on nothing."),
        "facts",
        "basis=inferred",
    ),
    "names": Told(
        gettext_lazy("Everybody has one name"),
        gettext_lazy("One person or thing under several names is known by halves."),
        gettext_lazy("%(alike)s of %(entities)s names are much like another of the same memory."),
        gettext_lazy("Say on these people’s pages of names which are the same and which are not."),
        "people",
    ),
    "undated": Told(
        gettext_lazy("What is so for now has an end"),
        gettext_lazy(
            "What was said of the present without a date goes on being so: temporary things without an end, and what nobody has said again for a year."
        ),
        gettext_lazy("%(undated)s of %(live)s live facts: %(undated_share)s."),
        gettext_lazy("Draw a sample of old facts, and label what is stale."),
        "facts",
        "kind=temporary",
    ),
    "lineage": Told(
        gettext_lazy("What was replaced says by what"),
        gettext_lazy("A superseded fact leads to its successor, or says when and by whom it was closed."),
        gettext_lazy("%(unexplained)s of %(superseded)s superseded facts do not say."),
        gettext_lazy("Their successors were erased, or a fault left them behind: look at their history."),
        "facts",
        "status=superseded",
    ),
    "decoration": Told(
        gettext_lazy("Facts are of use"),
        gettext_lazy("A fact that never reached a recall or a decision is decoration."),
        gettext_lazy(
            "%(unused)s of %(live)s live facts never did: %(unused_share)s, after %(uses)s recalls and decisions."
        ),
        gettext_lazy("See what kinds of facts are never used, and refuse them."),
        "report-decisions",
    ),
    "backlog": Told(
        gettext_lazy("Nothing waits, nothing failed"),
        gettext_lazy("What waits is not known yet, and what failed never will be unless somebody looks."),
        gettext_lazy(
            "%(due)s episodes due, the oldest for %(waited)s; %(failed_jobs)s jobs and %(failed_episodes)s episodes failed."
        ),
        gettext_lazy("See what the failed jobs say, and run them again; start more workers where many wait."),
        "jobs",
    ),
    "short": Told(
        gettext_lazy("Histories are too long for a prompt"),
        gettext_lazy(
            "Where somebody’s whole history is under 50,000 tokens, putting it into the prompt would do, and memory can only lose some of it. Tokens are estimated: four characters each."
        ),
        gettext_lazy("%(short)s of %(people)s people: %(short_share)s."),
        gettext_lazy("For these people, compare answers from the whole history with answers from memory."),
        "people",
    ),
}
MINUTES_A_DAY, MINUTES_AN_HOUR = 1440, 60


def counted(name: str, numbers: Mapping[str, Any]) -> str:
    """What a check counted, as a sentence."""
    return str(CHECKS[name].counted) % _said(numbers)


def first(levels: Mapping[str, str]) -> str:
    """The page's first line."""
    found = {level: sum(each == level for each in levels.values()) for level in LEVELS}
    if found[Level.BAD]:
        told = ngettext("%(n)s check asks for action", "%(n)s checks ask for action", found[Level.BAD])
    elif found[Level.WATCH]:
        told = ngettext("%(n)s check wants a look", "%(n)s checks want a look", found[Level.WATCH])
    elif found[Level.GOOD]:
        told = ngettext(
            "%(n)s check is fine, and none is not", "%(n)s checks are fine, and none is not", found[Level.GOOD]
        )
    else:
        return _("It is too early to tell.")
    first = told % {"n": found[Level.BAD] or found[Level.WATCH] or found[Level.GOOD]}
    if not found[Level.EARLY]:
        return _("%(first)s.") % {"first": first}
    return _("%(first)s; of %(n)s it is too early to tell.") % {"first": first, "n": found[Level.EARLY]}


def _said(numbers: Mapping[str, Any]) -> dict[str, str]:
    """The numbers as they stand in sentences."""
    whole = {name: _digits(each) for name, each in numbers.items() if isinstance(each, int)}
    return whole | {
        "born_share": _share(numbers["born"], numbers["turns"]),
        "calls_a_turn": f"{numbers['calls'] / max(1, numbers['turns']):.2f}",
        "weeks_said": f"{numbers['weeks']:.0f}",
        "undated_share": _share(numbers["undated"], numbers["live"]),
        "unused_share": _share(numbers["unused"], numbers["live"]),
        "short_share": _share(numbers["short"], numbers["people"]),
        "waited": _waited(numbers["oldest_minutes"]),
    }


def _share(part: int, whole: int) -> str:
    return sentences.percent(part / max(1, whole))


def _digits(number: int) -> str:
    return number_format(number, force_grouping=True)


def _waited(minutes: float) -> str:
    if minutes >= MINUTES_A_DAY:
        return _("%(n)s days") % {"n": f"{minutes / MINUTES_A_DAY:.1f}"}
    if minutes >= MINUTES_AN_HOUR:
        return _("%(n)s h") % {"n": f"{minutes / MINUTES_AN_HOUR:.1f}"}
    return _("%(n)s min") % {"n": f"{minutes:.0f}"}
