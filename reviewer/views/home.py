"""Where the site begins for whom."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from memory import scope
from memory.models import Access
from memory.review import queueing
from reviewer.views.access import HtmxRequest, signed_in


@require_safe
@signed_in
def home(request: HtmxRequest) -> HttpResponse:
    """A reviewer sees what waits for them, staff everybody, a member their own room."""
    if not request.user.is_staff:
        return redirect("mine")
    if request.user.access == Access.REVIEWER:
        with scope.staff():
            if queueing.is_awaited(request.user.pk):
                return redirect("queue")
    return redirect("people")
