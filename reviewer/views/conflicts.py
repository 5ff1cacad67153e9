"""Open questions and how others were settled: of one person, and of everyone."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.browsing import conflicts
from memory.browsing import people as browsing
from memory.models import User
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, persons_page, seen, staff_page
from reviewer.views.answering import respond


@require_safe
@persons_page
def of_person(request: HtmxRequest, person: User) -> HttpResponse:
    """One person's, open ones first."""
    context = {
        "person": person,
        "tally": browsing.tally(person.pk),
        "unclear": conflicts.unclear(person.pk),
        "page": conflicts.page(asking.cursor(request), user_id=person.pk),
    }
    return respond(request, "conflicts/page.html", context)


@require_safe
@staff_page
def of_everyone(request: HtmxRequest) -> HttpResponse:
    """Everyone's, open ones first."""
    page = conflicts.page(asking.cursor(request))
    seen(request, (question.row.user_id for question in page.rows))
    return respond(request, "conflicts/page.html", {"page": page})
