"""Going straight to a page, a person or a fact."""

from collections.abc import Iterator
from typing import NamedTuple

from django.http import HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from memory.browsing import jumping
from memory.browsing.jumping import Found
from memory.models import Access, User
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, seen, signed_in, staff_page
from reviewer.views.answering import respond

STAFF, ADMINS, MEMBERS = {Access.REVIEWER, Access.ADMIN}, {Access.ADMIN}, {Access.MEMBER}


class Place(NamedTuple):
    """A page whose address needs no id: its route, what it is called, and for whom it is."""

    route: str
    name: Promise
    whose: set[Access]


PLACES = (
    Place("queue", _("Queue"), STAFF),
    Place("samples", _("Samples"), STAFF),
    Place("conflicts", _("Conflicts"), STAFF),
    Place("refused", _("Refused"), STAFF),
    Place("resolutions", _("Resolutions"), STAFF),
    Place("people", _("People"), STAFF),
    Place("facts", _("Facts"), STAFF),
    Place("reports", _("Reports"), STAFF),
    Place("health", _("Health"), STAFF),
    Place("jobs", _("Jobs"), STAFF),
    Place("policy", _("Policy"), ADMINS),
    Place("logins", _("Logins"), ADMINS),
    Place("reads", _("Who looked"), ADMINS),
    Place("mine", _("What is known"), MEMBERS),
    Place("mine-past", _("What was known before"), MEMBERS),
    Place("mine-conversations", _("Conversations"), MEMBERS),
    Place("mine-forget", _("Forget"), MEMBERS),
    Place("mine-settings", _("Settings"), MEMBERS),
    Place("account", _("Your sign-in"), STAFF | MEMBERS),
)


@require_safe
@signed_in
def palette(request: HtmxRequest) -> HttpResponse:
    """What a few words lead to; with none, the pages. Members go to their own pages alone."""
    return _of_staff(request) if request.user.is_staff else _answer(request, Found())


@staff_page
def _of_staff(request: HtmxRequest) -> HttpResponse:
    found = jumping.find(asking.words(request, "q"))
    seen(request, found.owners)
    return _answer(request, found)


def _answer(request: HtmxRequest, found: Found) -> HttpResponse:
    words = asking.words(request, "q")
    context = {"words": words, "places": list(_places(request.user, words)), "found": found}
    return respond(request, "palette/page.html#found", context)


def _places(user: User, words: str) -> Iterator[tuple[str, str]]:
    for place in PLACES:
        name = str(place.name)
        if user.access in place.whose and words.casefold() in name.casefold():
            yield reverse(place.route), name
