"""What is believed about one person."""

from django.http import HttpResponse
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_safe

from memory.browsing import facts, glances
from memory.browsing import people as browsing
from memory.browsing.facts import Filters
from memory.models import User
from memory.types import Kind, Status
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, persons_page
from reviewer.views.answering import respond

_STATUSES = (facts.LIVE_ONES, *(status.value for status in Status), facts.ALL)


@require_safe
@persons_page
def person(request: HtmxRequest, person: User) -> HttpResponse:
    """Their facts, with quotes, by subject and kind."""
    kind = asking.choice(request, "kind", [kind.value for kind in Kind])
    filters = Filters(
        status=asking.choice(request, "status", _STATUSES) or facts.LIVE_ONES,
        subject=asking.number(request, "subject"),
        kind=Kind(kind) if kind else None,
    )
    context = {
        "person": person,
        "tally": browsing.tally(person.pk),
        "filters": filters,
        "subjects": facts.subjects(person.pk, chosen=filters.subject),
        "kinds": [kind.value for kind in Kind],
        "counts": facts.counts(person.pk, filters),
        "page": facts.page(person.pk, filters, asking.cursor(request)),
        "glance": SimpleLazyObject(lambda: glances.of(person.pk)),  # only the whole page has it
    }
    return respond(request, "person/page.html#facts", context)
