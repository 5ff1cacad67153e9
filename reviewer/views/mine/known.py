"""What is known of a member, in their words; and looking something up in it."""

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory import clock, scope
from memory.browsing import people as browsing
from memory.browsing.paging import Page
from memory.mine import finding, knowing
from memory.mine.knowing import Group
from reviewer.api.asking import configured
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, signed_in
from reviewer.views.mine import room


@require_safe
@signed_in
def known(request: HtmxRequest) -> HttpResponse:
    """All of it by heading, or what bears on a query."""
    query = request.GET.get("q", "").replace("\x00", "").strip()[:200]
    with room.inside(request):
        found = finding.find(request.user, query, embedder=configured().embedder) if query else []
        with scope.user(request.user.pk):
            return _found(request, query, found) if query else _everything(request)


@room.page
def past(request: HtmxRequest) -> HttpResponse:
    """What is not believed any more."""
    page = knowing.past(request.user.pk, asking.cursor(request), now=clock.now())
    return room.show(request, "past.html", {"page": page, "today": timezone.localdate(clock.now())})


def _everything(request: HtmxRequest) -> HttpResponse:
    chosen = asking.choice(request, "group", list(Group))
    group = Group(chosen) if chosen else None
    context = {
        "page": knowing.page(request.user.pk, asking.cursor(request), now=clock.now(), group=group),
        "counts": knowing.counts(request.user.pk),
        "group_chosen": group,
        "waiting": browsing.tally(request.user.pk).pending,
        "today": timezone.localdate(clock.now()),
    }
    return room.show(request, "known.html#known", context)


def _found(request: HtmxRequest, query: str, found: list[int]) -> HttpResponse:
    rows = knowing.some(request.user.pk, found, now=clock.now()) if found else []
    context = {"page": Page(rows), "query": query, "today": timezone.localdate(clock.now())}
    return room.show(request, "known.html#known", context)
