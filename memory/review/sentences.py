"""What a precision report says first: one plain sentence, in the reader's language."""

import math
from collections.abc import Mapping
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.review.standing import Standing

VISIBLE = 0.0005
"""From what difference on a weighted share is another one than that of the labels, to one digit of a percent."""
SURPRISING = 0.05
"""How seldom chance alone makes a difference that counts as a change."""
type Said = Mapping[str, Any]


def first(report: Said) -> str:
    """The sentence on what is true now."""
    said = report["current"]
    if not report["counts"]["drawn"]:
        return _("The sample is empty: there was nothing to draw from.")
    if report["verdict"] == Standing.TARGETED:
        return f"{_count(report)} {_('They were drawn by risk and not by chance, which says nothing of memory as a whole.')}"
    if report["verdict"] == Standing.INTERIM:
        return _interim(report)
    if said["rate"] is None:
        return _("None of the %(n)s sampled facts could be judged, so nothing can be said of %(whole)s.") % {
            "n": _n(said["drawn"]),
            "whole": _whole(report),
        }
    return f"{_count(report)} {_verdict(report)}"


def _whole(report: Said) -> str:
    """What the sample speaks of."""
    return _("the part that was drawn from") if report["sample"].get("is_narrowed") else _("memory")


def without_sample() -> str:
    return _("No random sample of all that is believed has been labelled to its end yet. Draw one of 30 to begin.")


def _interim(report: Said) -> str:
    said, counts = report["current"], report["counts"]
    told = {"done": _n(counts["drawn"] - counts["pending"]), "n": _n(counts["drawn"]), "right": _n(said["right"])}
    return (
        _(
            "Interim: %(done)s of %(n)s sampled facts are labelled so far, %(right)s of them right."
            " The verdict comes when all are."
        )
        % told
    )


def _count(report: Said) -> str:
    said = report["current"]
    told = {"right": _n(said["right"]), "judged": _n(said["judged"]), "rate": percent(said["rate"] or 0)}
    if said["judged"] and said["right"] == said["judged"]:
        return (
            ngettext("The one sampled fact was right.", "All %(judged)s sampled facts were right.", said["judged"])
            % told
        )
    if _is_weighted(said):
        return _("%(right)s of %(judged)s sampled facts were right, which stand for %(rate)s of %(whole)s.") % (
            told | {"whole": _whole(report)}
        )
    return (
        ngettext(
            "%(right)s of %(judged)s sampled facts was right.",
            "%(right)s of %(judged)s sampled facts were right.",
            said["right"],
        )
        % told
    )


def _is_weighted(said: Said) -> bool:
    return bool(said["judged"]) and abs(said["rate"] - said["right"] / said["judged"]) >= VISIBLE


def _verdict(report: Said) -> str:
    said, whole = report["current"], _whole(report)
    bar = {"bar": percent(report["bar"]), "sure": percent(1 - said["alpha"], floor=True)}
    bar |= {"whole": whole, "Whole": whole[:1].upper() + whole[1:]}
    if said["is_census"]:
        return _census(report["verdict"]) % (bar | {"rate": percent(said["rate"])})
    if report["verdict"] == Standing.ABOVE:
        bound = {"bound": percent(said["deciding"]["low"], floor=True)}
        return _("%(Whole)s is above %(bar)s: at least %(bound)s of it is right, with %(sure)s confidence.") % (
            bar | bound
        )
    if report["verdict"] == Standing.BELOW:
        bound = {"bound": percent(said["deciding"]["high"], floor=False)}
        return _("%(Whole)s is below %(bar)s: at most %(bound)s of it is right, with %(sure)s confidence.") % (
            bar | bound
        )
    return _undecided(report, bar)


def _census(verdict: str) -> str:
    if verdict == Standing.ABOVE:
        return _("They are all there are, so that is the precision of %(whole)s: %(rate)s, above %(bar)s.")
    return _("They are all there are, so that is the precision of %(whole)s: %(rate)s, below %(bar)s.")


def _undecided(report: Said, bar: dict[str, str]) -> str:
    said = report["current"]
    told = bar | {"n": _n(said["needed"] or 0)}
    if said.get("is_open"):
        return _("So many could not be judged that no number of such labels would decide about %(bar)s.") % told
    if said["needed"] is None:
        return _("That is so close to %(bar)s that no number of labels would decide.") % told
    if said["rate"] >= report["bar"]:
        return _("That is not yet enough to say that %(whole)s is above %(bar)s: label a fresh %(n)s.") % told
    return _("That is not yet enough to say whether %(whole)s is above or below %(bar)s: label a fresh %(n)s.") % told


def unknown(report: Said) -> str:
    """What those that nobody could judge leave open; "" when there are none."""
    said = report["current"]
    if not said["unknown"]:
        return ""
    told = {
        "n": _n(said["unknown"]),
        "low": percent(said["span"]["low"]),
        "high": percent(said["span"]["high"]),
    }
    return (
        ngettext(
            "%(n)s could not be judged. With it wrong or right, the share is from %(low)s to %(high)s.",
            "%(n)s could not be judged. With all of them wrong or right, the share is from %(low)s to %(high)s.",
            said["unknown"],
        )
        % told
    )


def drift(course: Said) -> str:
    """Whether precision moved between the last two samples; "" while there is but one."""
    if course["change"] is None:
        return ""
    before, after = course["samples"][-2:]
    told = {"before": percent(before["rate"]), "after": percent(after["rate"]), "n": _n(after["judged"])}
    if course["change"] < SURPRISING:
        return (
            _("From the last sample but one to the last it went from %(before)s to %(after)s: more than chance.") % told
        )
    return (
        _(
            "From the last sample but one to the last it went from %(before)s to %(after)s: no change detectable at %(n)s labels."
        )
        % told
    )


def audit(report: Said) -> str:
    """The first line on contradictions."""
    if not report["audit"] or not report["audit"]["all"]["judged"]:
        return _("No automatic decisions have been audited yet. Draw a sample of them to know how many are right.")
    said = report["audit"]["all"]
    told = {"right": _n(said["right"]), "judged": _n(said["judged"]), "rate": percent(said["rate"])}
    if said["standing"] == Standing.ABOVE:
        bound = {"bound": percent(said["deciding"]["low"], floor=True)}
        return _("%(right)s of %(judged)s audited decisions were right: at least %(bound)s of all are.") % (
            told | bound
        )
    if said["standing"] == Standing.INTERIM:
        return _("Interim: %(right)s of %(judged)s audited decisions so far were right.") % told
    shown = {"low": percent(said["shown"]["low"]), "high": percent(said["shown"]["high"])}
    return _(
        "%(right)s of %(judged)s audited decisions were right, which puts all of them between %(low)s and %(high)s."
    ) % (told | shown)


def percent(share: float, *, floor: bool | None = None) -> str:
    """One digit after the point unless it is nought. A bound is never rounded to the better side."""
    tenths = share * 1000
    rounded = round if floor is None else math.floor if floor else math.ceil
    shown = rounded(round(tenths, 6))
    whole, rest = divmod(min(1000, shown), 10)
    return f"{whole}.{rest} %" if rest else f"{whole} %"


def _n(number: int) -> str:
    return number_format(number, force_grouping=True)
