"""Whether memory changes anything: decisions that facts moved, the facts that did, and those that never did anything."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.browsing import reporting
from memory.review import reports
from reviewer.views.access import HtmxRequest, seen, staff_page
from reviewer.views.reports import frame


@require_safe
@staff_page
def decisions(request: HtmxRequest) -> HttpResponse:
    """Texts are looked up here; an erased fact keeps its count."""
    report = frame.stored(reports.DECISIONS)
    numbers = report.numbers or {"movers": [], "unused_newest": []}
    wanted = [each["fact"] for each in numbers["movers"]] + numbers["unused_newest"]
    facts = reporting.facts(wanted)
    seen(request, (fact.user_id for fact in facts.values()))
    context = {
        "movers": [(facts.get(each["fact"]), each["times"]) for each in numbers["movers"]],
        "unused": [facts[pk] for pk in numbers["unused_newest"] if pk in facts],
    }
    return frame.show(request, "reports/decisions.html", report, context)
