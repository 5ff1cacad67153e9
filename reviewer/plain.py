"""The codes of the domain as members read them: no jargon."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory.browsing.facts import Sureness
from memory.browsing.readers import How
from memory.mine.knowing import Group
from memory.models.candidates import ERASED_KEY
from memory.models.users import Access
from memory.types import Reason

type Words = Promise | str

GROUPS: dict[str, Words] = {
    Group.ME: _("About me"),
    Group.PEOPLE: _("People"),
    Group.PREFERENCES: _("Preferences"),
    Group.KNOWLEDGE: _("What I know"),
    Group.GOALS: _("Goals"),
    Group.NOW: _("For now"),
    Group.LIMITS: _("Limits"),
}

SURENESS: dict[str, Words] = {
    Sureness.FIRM: _("sure"),
    Sureness.TENTATIVE: _("fairly sure"),
    Sureness.FAINT: _("not sure"),
}

MOVED: dict[tuple[str, str], Words] = {
    ("explanation_depth", "code"): _("This made explanations come with code."),
    ("explanation_depth", "formula"): _("This made explanations come with formulas."),
    ("explanation_depth", "intuition"): _("This made explanations come in plain words."),
    ("difficulty", "beginner"): _("This made answers start from the basics."),
    ("difficulty", "advanced"): _("This made answers skip the basics."),
    ("tone", "concise"): _("This kept answers short."),
    ("tone", "formal"): _("This made answers formal."),
    ("tone", "casual"): _("This made answers casual."),
}

REFUSALS: dict[str, Words] = {
    Reason.SECRET: _("It looks like a password, a key or a card number. Those are never kept."),
    Reason.DECLINED: _("You asked never to remember this. Remove that rule first."),
    Reason.FORGOTTEN: _("You had this forgotten. Let it be learnt again first, under “Forget & pause”."),
    ERASED_KEY: _("You had this forgotten. Let it be learnt again first, under “Forget & pause”."),
    Reason.TOO_SHORT: _("That is too short to mean anything later. Write a whole sentence."),
    Reason.TOO_LONG: _("That is too long. Keep it to one sentence."),
    Reason.QUESTION: _("That is a question. Write it as a statement."),
    Reason.HYPOTHETICAL: _("That is only supposed. Write what is so."),
    Reason.HEDGED: _("That sounds unsure. Write it without “maybe”."),
    Reason.VAGUE: _("That says nothing that could be checked. Be more exact."),
    "object": _("Please also write the new word or words alone, as in the sentence."),
    "text": _("Please write the whole sentence as it should be."),
    "day": _("That is no day. Choose one, or leave it empty for today."),
    "future": _("That day is still to come. Choose today or an earlier day."),
}
REFUSED: Words = _("That cannot be kept like this. Write it as a plain sentence about yourself.")

TRANSFERS: dict[str, Words] = {
    "missing": _("Choose a file first."),
    "empty": _("This file is empty."),
    "too_large": _(
        "This file is too large: at most 256 MB are taken. Unpack it and bring its “conversations.json” alone."
    ),
    "busy": _("Another file is being learnt from. Wait until that is done."),
    "incomplete": _("The file did not come whole. Bring it again."),
    "unreadable": _("This file cannot be read. Bring the ZIP as you downloaded it, or its “conversations.json”."),
    "unknown": _("This is not an export of ChatGPT or Claude. Bring the ZIP as you downloaded it."),
    "too_many": _("This file holds too many conversations: at most 10,000 are taken."),
    "nothing": _("There is no conversation to learn from."),
    "paused": _("Memory is paused, so nothing is learnt. Resume it first, under “Forget & pause”."),
    "fault": _("Something went wrong on our side. Please try again."),
}

LOOKS: dict[str, Words] = {
    How.PAGE: _("looked at your memory"),
    How.RECALL: _("looked something up to answer you"),
    How.DECISION: _("decided how to answer you"),
}

# What of a memory staff see on a page: by how the names of its routes begin.
PLACES: dict[tuple[str, ...], Words] = {
    ("person-refused", "refus", "promote", "demote"): _("what was not kept"),
    ("person-conflict", "conflict", "settle"): _("what does not fit together"),
    ("person-export", "leaving", "forget"): _("exports and forgetting"),
    ("person", "people", "fact", "entit", "palette"): _("what is known"),
    ("episode",): _("conversations"),
    ("resolution", "audit"): _("how new things were taken"),
    ("queue", "sample", "report-gate", "report-reviewers", "policy-preview"): _("single things to check"),
    ("report-decisions", "health", "jobs", "rerun"): _("how it is doing"),
}
PLACE: Words = _("how it is doing")
"""Of a page that there is no more."""

STAFF: dict[str, Words] = {
    Access.REVIEWER: _("checks memories"),
    Access.ADMIN: _("runs this site"),
    Access.MEMBER: _("used to check memories"),
}
