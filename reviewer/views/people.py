"""Everybody whose memory it is."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.browsing import people as browsing
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, seen, staff_page
from reviewer.views.answering import respond


@require_safe
@staff_page
def people(request: HtmxRequest) -> HttpResponse:
    """The list of people, searched by name."""
    query = request.GET.get("q", "").replace("\x00", "").strip()[:200]
    page = browsing.people(query, asking.cursor(request))
    seen(request, (listed.user.pk for listed in page.rows))
    return respond(request, "people/page.html#people", {"page": page, "query": query})
