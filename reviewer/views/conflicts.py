"""Open questions and how others were settled: of one person, and of everyone."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory import scope, tasks
from memory.browsing import conflicts
from memory.browsing import people as browsing
from memory.browsing.conflicts import Filters, Standing
from memory.models import Access, User
from memory.review import offering
from reviewer.views import asking, nudging
from reviewer.views.access import HtmxRequest, admin_required, persons_page, seen, staff_page
from reviewer.views.answering import respond


@require_safe
@persons_page
def of_person(request: HtmxRequest, person: User) -> HttpResponse:
    """One person's, open ones first."""
    filters = _filters(request, person)
    context = {
        "person": person,
        "tally": browsing.tally(person.pk),
        "unclear": conflicts.unclear(person.pk),
        **_listed(request, filters),
    }
    return respond(request, "conflicts/page.html#conflicts", context)


@require_safe
@staff_page
def of_everyone(request: HtmxRequest) -> HttpResponse:
    """Everyone's, open ones first; of one of them with `?person=`."""
    name = request.GET.get("person", "").replace("\x00", "").strip()
    whose = browsing.person(name) if name else None
    context: dict[str, Any] = {"whose": whose, **_listed(request, _filters(request, whose))}
    seen(request, [*(question.row.user_id for question in context["page"].rows), *([whose.pk] if whose else [])])
    if request.user.access == Access.ADMIN:
        context["offers"] = offering.offers()
    return respond(request, "conflicts/page.html#conflicts", context)


@require_POST
@admin_required
def offers(request: HtmxRequest) -> HttpResponse:
    """Answers whether a predicate may have many values. Answered twice, it is as it was answered first."""
    predicate, answer = request.POST.get("predicate", "").replace("\x00", ""), request.POST.get("answer", "")
    if answer not in {offering.ACCEPTED, offering.DECLINED}:
        raise Http404
    with scope.staff():
        if answer == offering.DECLINED:
            offering.decline(predicate, by=request.user)
        is_new = answer == offering.ACCEPTED and offering.accept(predicate, by=request.user)
    if is_new:
        nudging.nudge(tasks.spread, predicate)
        messages.success(request, _("It may have several values from now on. What is known of it is gone through now."))
    return redirect("conflicts")


def _filters(request: HtmxRequest, person: User | None) -> Filters:
    standing = asking.choice(request, "standing", [standing.value for standing in Standing])
    predicate = request.GET.get("predicate", "").replace("\x00", "")[:200]
    return Filters(Standing(standing) if standing else None, predicate or None, person.pk if person else None)


def _listed(request: HtmxRequest, filters: Filters) -> dict[str, Any]:
    counts = conflicts.counts(filters)
    return {
        "filters": filters,
        "counts": counts,
        "total": sum(counts.values()),
        "predicates": conflicts.predicates(filters.user_id),
        "page": conflicts.page(asking.cursor(request), filters),
    }
