"""Who looked at a member's memory, and when."""

from datetime import date

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from memory import scope
from memory.browsing import readers
from reviewer.views.access import HtmxRequest, signed_in
from reviewer.views.mine import room


@require_safe
@signed_in
def who(request: HtmxRequest) -> HttpResponse:
    """Day by day, the latest first."""
    given = request.GET.get("before", "")
    try:
        before = date.fromisoformat(given) if given else None
    except ValueError as error:
        raise Http404 from error
    with room.inside(request):
        days = readers.readers(request.user.pk, before)
        with scope.user(request.user.pk):
            return room.show(request, "readers.html", {"days": days})
