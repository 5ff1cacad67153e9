"""What the thresholds of the policy are called, and what each of them means in a sentence."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.policy import SHARES
from memory.review.previewing import Effect
from reviewer import wording
from reviewer.wording import Words

type Meant = tuple[Words, Words]

TERMS: dict[str, Meant] = {
    "min_confidence": (
        gettext_lazy("Least confidence"),
        gettext_lazy("A fact that is less sure than this lapses: it is no longer recalled, and stays on the record."),
    ),
    "ceiling": (
        gettext_lazy("Most facts a person"),
        gettext_lazy("Beyond so many active facts the weakest lapse; empty for no limit."),
    ),
    "hold_days": (
        gettext_lazy("Days to wait for support"),
        gettext_lazy("What is held for want of support is given up after so many days."),
    ),
    "min_support": (
        gettext_lazy("Conversations needed"),
        gettext_lazy("What was inferred or only observed is believed once so many conversations say it."),
    ),
    "update_window_days": (
        gettext_lazy("Days before an update"),
        gettext_lazy("A newer value replaces an older one after so many days; sooner, the two are a conflict."),
    ),
    "auto_settle": (
        gettext_lazy("Settle conflicts by itself"),
        gettext_lazy("Whether a fresher side with enough support wins a conflict without anybody being asked."),
    ),
    "inferred_cap": (
        gettext_lazy("Most for the inferred"),
        gettext_lazy("What was never stated by its person or shown by a tool is never surer than this."),
    ),
    "max_confidence": (
        gettext_lazy("Most confidence"),
        gettext_lazy("No fact is surer than this, however often said."),
    ),
    "reinforce_step": (
        gettext_lazy("Step for saying it again"),
        gettext_lazy("What another conversation that says the same adds to the confidence."),
    ),
    "same_session_step": (
        gettext_lazy("Step within one session"),
        gettext_lazy("What saying it again in the same session adds."),
    ),
    "contradict_step": (
        gettext_lazy("Step for a contradiction"),
        gettext_lazy("What each side of an open conflict loses, and the winner gets back."),
    ),
    "recall_floor": (gettext_lazy("Least to be recalled"), gettext_lazy("Facts less sure than this are not recalled.")),
    "hedge_below": (
        gettext_lazy("Hedged below"),
        gettext_lazy("Facts less sure than this are given to agents with a word of doubt."),
    ),
    "decision_floor": (
        gettext_lazy("Least to decide by"),
        gettext_lazy("Only facts surer than this change how an agent answers."),
    ),
    "precision_bar": (
        gettext_lazy("The bar"),
        gettext_lazy("The share of right facts that memory must reach; below it, it does more harm than good."),
    ),
    "idle_minutes": (
        gettext_lazy("Minutes of silence"),
        gettext_lazy("A conversation is read after so many minutes without a new turn."),
    ),
    "batch_turns": (
        gettext_lazy("Turns at once"),
        gettext_lazy("So many unread turns of a person are read without waiting for silence."),
    ),
    "rrf": (
        gettext_lazy("Rank constant"),
        gettext_lazy("How little being first counts when ways of finding are fused."),
    ),
    "vector_weight": (
        gettext_lazy("Weight of meaning"),
        gettext_lazy("How much likeness in meaning counts in recall."),
    ),
    "words_weight": (gettext_lazy("Weight of words"), gettext_lazy("How much shared words count in recall.")),
    "letters_weight": (
        gettext_lazy("Weight of letters"),
        gettext_lazy("How much likeness in spelling counts in recall."),
    ),
    "facts_weight": (
        gettext_lazy("Weight of facts"),
        gettext_lazy("What a fact lends to the turns it rests on, where turns are asked for."),
    ),
    "alike": (
        gettext_lazy("Likeness of spelling"),
        gettext_lazy("How like a misspelt word must be to count as found."),
    ),
}

BORN: dict[str, Words] = {
    "user": gettext_lazy("said by the user"),
    "tool": gettext_lazy("shown by a tool"),
    "imported": gettext_lazy("imported"),
    "inferred": gettext_lazy("inferred"),
}

GROUPS: dict[Words, tuple[str, ...]] = {
    gettext_lazy("What lapses"): ("min_confidence", "ceiling", "half_life_days"),
    gettext_lazy("What is believed"): ("min_support", "hold_days", "update_window_days", "auto_settle"),
    gettext_lazy("How sure it is"): (
        *("birth", "inferred_cap", "max_confidence", "reinforce_step", "same_session_step", "contradict_step"),
    ),
    gettext_lazy("What agents get"): ("recall_floor", "hedge_below", "decision_floor"),
    gettext_lazy("How it is found"): (
        *("rrf", "vector_weight", "words_weight", "letters_weight", "facts_weight", "alike"),
    ),
    gettext_lazy("When it is read, and the bar"): ("idle_minutes", "batch_turns", "precision_bar"),
}
"""The thresholds in the order in which the page has them; a table is all of its parts."""

CARDINALITIES: dict[str, Words] = {
    "one": gettext_lazy("one value at a time"),
    "many": gettext_lazy("many values"),
    "reading": gettext_lazy("dated readings, all kept"),
    "unknown": gettext_lazy("not known: a judge or a person decides"),
}

EFFECTS: dict[str, Meant] = {
    Effect.LAPSES: (gettext_lazy("Lapse"), gettext_lazy("facts no longer recalled, kept on the record")),
    Effect.RETURNS: (gettext_lazy("Come back"), gettext_lazy("lapsed facts recalled again")),
    Effect.CONFLICTS: (gettext_lazy("Conflict"), gettext_lazy("facts that newly cannot all be true")),
    Effect.AGREES: (gettext_lazy("Stop conflicting"), gettext_lazy("facts that nothing stands against any more")),
    Effect.REPLACED: (gettext_lazy("Are replaced"), gettext_lazy("facts that a newer one takes the place of")),
    Effect.REVIVED: (gettext_lazy("Are believed again"), gettext_lazy("facts that had been replaced or taken back")),
    Effect.RETRACTED: (gettext_lazy("Are taken back"), gettext_lazy("facts that count as never true")),
    Effect.MERGED: (gettext_lazy("Go"), gettext_lazy("facts whose evidence goes to another fact or waits again")),
    Effect.BELIEVED: (gettext_lazy("Become facts"), gettext_lazy("claims that were held")),
    Effect.WITHHELD: (gettext_lazy("Are given up"), gettext_lazy("claims whose support came too late")),
    Effect.WAITS: (gettext_lazy("Are held"), gettext_lazy("claims that wait for support")),
    Effect.APART: (gettext_lazy("Become facts of their own"), gettext_lazy("claims that supported another fact")),
    "refused": (
        gettext_lazy("Refused by the gate"),
        gettext_lazy("stored candidates it would not let through any more"),
    ),
    "accepted": (gettext_lazy("Let through by the gate"), gettext_lazy("stored candidates it would refuse no more")),
}


def meant(name: str) -> Meant:
    """What a value of the policy is called, by its dotted name, and what it means."""
    if name in TERMS:
        return TERMS[name]
    table, _dot, part = name.partition(".")
    if table == "half_life_days":
        kind = wording.KINDS.get(part, part)
        sentence = _("Days after which half the confidence of such a fact is left; empty if it never fades.")
        return _("Half-life: %(kind)s") % {"kind": kind}, sentence
    if table == "birth":
        sentence = _("How sure a fact is that was heard of once, from there.")
        return _("Born: %(source)s") % {"source": BORN.get(part, part)}, sentence
    return _other(table, part)


def _other(table: str, part: str) -> Meant:
    if table == "cardinality":
        return _("Values of “%(name)s”") % {"name": part.replace("_", " ")}, ""
    if table == "markers":
        reason, _dot, language = part.partition(".")
        named = wording.REASONS.get(reason, (reason,))[0]
        return _("Words for “%(reason)s” (%(language)s)") % {"reason": named, "language": language}, ""
    if part == "kept":
        return _("Examples to remember"), ""
    return (_("Examples never to remember"), "") if table == "examples" else (table, "")


def valued(value: Any) -> str:
    """A value as a page says it."""
    if value is None:
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return ", ".join(f"“{each}”" for each in value)
    return str(CARDINALITIES.get(str(value), value))


def is_share(table: str) -> bool:
    """Whether such a threshold is from 0 to 1."""
    return table in SHARES
