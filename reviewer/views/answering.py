"""Pages as answers: whole, or the fragment that htmx asked for."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from reviewer.views.access import HtmxRequest


def respond(request: HtmxRequest, page: str, context: Mapping[str, Any]) -> HttpResponse:
    """Renders `"people/page.html#people"`: the partial for htmx, the template around it for everyone else.

    A browser that goes back asks through htmx too, but for the whole page.
    """
    is_fragment = request.htmx and not request.htmx.history_restore_request
    return render(request, page if is_fragment else page.partition("#")[0], context)
