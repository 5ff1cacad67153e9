"""What a proposed policy would do, and applying it."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory import policies, scope
from memory import policy as building
from memory.browsing import examples
from memory.errors import InvalidPolicy
from memory.models import Access
from memory.review import previewing, reports, trying, versioning
from memory.review.reports import Result
from reviewer import terms
from reviewer.views.access import HtmxRequest, admin_required, seen, staff_page
from reviewer.views.reports import frame


@require_safe
@staff_page
def preview(request: HtmxRequest, about: str) -> HttpResponse:
    """How many of what, with some of them to look at; what the labels say; and the form that applies it."""
    over, document = previewing.asked(about)
    now, proposed = policies.current(), building.build(over + 1, document)
    report = frame.stored(reports.PREVIEW, about)
    effects = _effects(report)
    seen(request, {each.user_id for _effect, _tally, some in effects for each in some})
    context = {
        "about": about,
        "changes": versioning.differences(policies.numbered(over), proposed),
        "is_outdated": now.version != over,
        "version": over,
        "effects": effects,
        "curve": reports.find(reports.CURVE, ""),
        "tried": trying.attempt(proposed),
        "may_change": request.user.access == Access.ADMIN,
    }
    return frame.show(request, "policy/preview.html", report, context)


def _effects(report: Result) -> list[tuple[Any, Any, list[examples.Shown]]]:
    """Kind of effect → its count, and a few of its rows."""
    if report.numbers is None:
        return []
    tallies = {**report.numbers["effects"], **_of_gate(report.numbers["gate"])}
    ordered = [(name, tallies[name]) for name in terms.EFFECTS if tallies.get(name, {}).get("count")]
    of_claims = previewing.OF_CLAIMS | {"refused", "accepted"}
    shown = examples.of(
        facts={name: tally["rows"] for name, tally in ordered if name not in of_claims},
        claims={name: tally["rows"] for name, tally in ordered if name in of_claims},
    )
    return [(name, tally, shown[name]) for name, tally in ordered]


def _of_gate(gate: dict[str, Any]) -> dict[str, Any]:
    return {name: gate[name] for name in ("refused", "accepted")}


@require_POST
@admin_required
def again(_request: HtmxRequest, about: str) -> HttpResponse:
    """Has the preview made anew, of the memory as it is now."""
    with scope.staff():
        previewing.asked(about)
        frame.stored(reports.PREVIEW, about, again=True)
    return redirect("policy-preview", about)


@require_POST
@admin_required
def apply(request: HtmxRequest, about: str) -> HttpResponse:
    """Makes it the policy in force, and has it carried out. Applied twice, it is applied once."""
    note = request.POST.get("note", "").replace("\x00", "").strip()
    with scope.staff():
        over, document = previewing.asked(about)
        try:
            made = policies.adopt(document, note=note, actor=request.user, over=over)
        except InvalidPolicy as error:
            if policies.in_force()[1] != document:
                messages.error(request, _("%(why)s. Propose it again.") % {"why": str(error).capitalize()})
            return redirect("policy")
        frame.stored(reports.CARRIED, str(made.version))
    messages.success(request, _("Version %(n)s is in force. What is stored follows now.") % {"n": made.version})
    return redirect("policy")
