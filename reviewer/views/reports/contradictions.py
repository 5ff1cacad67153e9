"""How contradictions are resolved, and what becomes of those that people are asked."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.review import reports, sentences
from reviewer import wording
from reviewer.views.access import HtmxRequest, staff_page
from reviewer.views.reports import frame


@require_safe
@staff_page
def contradictions(request: HtmxRequest) -> HttpResponse:
    """Audited decisions by relation; conflicts by who settled them, how soon, and for which side."""
    report = frame.stored(reports.CONTRADICTIONS)
    numbers = report.numbers or {"audit": None, "spotted": []}
    audited = numbers["audit"]["relations"] if numbers["audit"] else []
    context = {
        "sentence": sentences.audit(numbers),
        "relations": [(wording.RELATIONS.get(each["name"], each["name"]), each) for each in audited],
        "spotted": [(wording.RELATIONS.get(each["name"], each["name"]), each) for each in numbers["spotted"]],
    }
    return frame.show(request, "reports/contradictions.html", report, context)
