"""What the gate refused: of one person, and of everyone."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.browsing import people as browsing
from memory.browsing import refusals
from memory.models import User
from memory.types import Reason
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, persons_page, seen, staff_page
from reviewer.views.answering import respond


def _reason(request: HtmxRequest) -> Reason | None:
    given = asking.choice(request, "reason", [reason.value for reason in Reason])
    return Reason(given) if given else None


@require_safe
@persons_page
def of_person(request: HtmxRequest, person: User) -> HttpResponse:
    """One person's, newest first."""
    reason = _reason(request)
    counts = refusals.counts(person.pk)
    context = {
        "person": person,
        "tally": browsing.tally(person.pk),
        "reason": reason,
        "counts": counts,
        "total": sum(counts.values()),
        "page": refusals.page(asking.cursor(request), user_id=person.pk, reason=reason),
    }
    return respond(request, "refused/page.html#refused", context)


@require_safe
@staff_page
def of_everyone(request: HtmxRequest) -> HttpResponse:
    """Everyone's, the last to arrive first."""
    reason = _reason(request)
    counts = refusals.counts()
    page = refusals.page(asking.cursor(request), reason=reason)
    seen(request, (refusal.row.user_id for refusal in page.rows))
    context = {
        "reason": reason,
        "counts": counts,
        "total": sum(counts.values()),
        "page": page,
    }
    return respond(request, "refused/page.html#refused", context)
