"""What the gate let in and refused, what it should have kept, and both lists side by side."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.browsing import reporting
from memory.review import reports
from reviewer import wording
from reviewer.views.access import HtmxRequest, seen, staff_page
from reviewer.views.reports import frame

COLUMNS = 8
"""How many weeks a table of reasons shows."""


@require_safe
@staff_page
def gate(request: HtmxRequest) -> HttpResponse:
    """By the weeks in which the gate judged."""
    report = frame.stored(reports.GATE)
    numbers = report.numbers or {"accepted_last": [], "refused_last": [], "audit": None, "weeks": [], "reasons": []}
    accepted, refused = (reporting.candidates(numbers[name]) for name in ("accepted_last", "refused_last"))
    seen(request, (row.user_id for row in [*accepted, *refused]))
    audited = numbers["audit"]["reasons"] if numbers["audit"] else []
    context = {
        "accepted": accepted,
        "refused": refused,
        "columns": [each["week"][5:] for each in numbers["weeks"][-COLUMNS:]],
        "reasons": [(each, each["weeks"][-COLUMNS:]) for each in numbers["reasons"]],
        "audited": [(wording.REASONS[each["name"]][0], each) for each in audited if each["name"] in wording.REASONS],
    }
    return frame.show(request, "reports/gate.html", report, context)
