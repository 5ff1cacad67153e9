"""What was said, and what came of it."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.browsing import episodes
from memory.browsing import people as browsing
from memory.models import User
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, persons_page
from reviewer.views.answering import respond


@require_safe
@persons_page
def listing(request: HtmxRequest, person: User) -> HttpResponse:
    """A person's episodes, the newest first."""
    context = {
        "person": person,
        "tally": browsing.tally(person.pk),
        "page": episodes.page(person.pk, asking.cursor(request)),
    }
    return respond(request, "episodes/page.html", context)


@require_safe
@persons_page
def episode(request: HtmxRequest, person: User, episode_id: int) -> HttpResponse:
    """One episode, turn by turn."""
    first = asking.number(request, "from") or 1
    context = {
        "person": person,
        "tally": browsing.tally(person.pk),
        "transcript": episodes.transcript(person.pk, episode_id, first=first),
    }
    return respond(request, "episode/page.html", context)
