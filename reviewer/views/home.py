"""Where the site begins for whom."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
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


@require_safe
@cache_control(public=True, max_age=24 * 3600)
def icon(_request: HttpRequest) -> HttpResponse:
    """Where browsers that read no page look for its sign."""
    return redirect(static("favicon.svg"))
