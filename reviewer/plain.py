"""The codes of the domain as members read them: no jargon."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory.browsing.facts import Sureness
from memory.mine.knowing import Group
from memory.models.candidates import ERASED_KEY
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
    "object": _("Please also say in a word or two what changed."),
    "text": _("Please write the whole sentence as it should be."),
    "day": _("That is no day. Choose one, or leave it empty for today."),
    "future": _("That day is still to come. Choose today or an earlier day."),
}
REFUSED: Words = _("That cannot be kept like this. Write it as a plain sentence about yourself.")
