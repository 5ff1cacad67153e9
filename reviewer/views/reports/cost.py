"""What the model costs, by model and prompt version and from week to week."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.review import reports
from reviewer.views.access import HtmxRequest, staff_page
from reviewer.views.reports import frame


@require_safe
@staff_page
def cost(request: HtmxRequest) -> HttpResponse:
    """Calls, tokens, failures and time to answer."""
    return frame.show(request, "reports/cost.html", frame.stored(reports.COST), {})
