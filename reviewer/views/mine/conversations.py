"""What was said, and what was learnt from it."""

from django.http import HttpResponse

from memory.browsing import episodes
from reviewer.views import asking
from reviewer.views.access import HtmxRequest
from reviewer.views.mine import room


@room.page
def listing(request: HtmxRequest) -> HttpResponse:
    """All conversations, the newest first."""
    page = episodes.page(request.user.pk, asking.cursor(request))
    return room.show(request, "conversations.html", {"page": page})


@room.page
def conversation(request: HtmxRequest, episode_id: int) -> HttpResponse:
    """One conversation, turn by turn."""
    first = asking.number(request, "from") or 1
    transcript = episodes.transcript(request.user.pk, episode_id, first=first)
    return room.show(request, "conversation.html", {"transcript": transcript})
