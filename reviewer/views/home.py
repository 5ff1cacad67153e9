"""Where the site begins for whom."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from reviewer.views.access import HtmxRequest, signed_in


@require_safe
@signed_in
def home(request: HtmxRequest) -> HttpResponse:
    """Staff see everybody, a member their own room."""
    return redirect("people" if request.user.is_staff else "mine")
