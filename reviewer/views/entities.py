"""Whom and what a person's facts are about: names put on and taken off, likeness judged."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory import scope
from memory.browsing import entities as browsing
from memory.browsing import people
from memory.browsing.paging import Cursor
from memory.errors import NotFound, Refused
from memory.models import User
from memory.review import likeness, naming
from reviewer.views import asking, named
from reviewer.views.access import HtmxRequest, reviewer_required
from reviewer.views.answering import respond


@require_safe
@reviewer_required
def entities(request: HtmxRequest, external_id: str) -> HttpResponse:
    """A person's people and things, with what may be the same."""
    person = named.person(request, external_id)
    with scope.staff():
        return _page(request, person, asking.cursor(request))


@require_POST
@reviewer_required
def alias(request: HtmxRequest, external_id: str, entity_id: int) -> HttpResponse:
    """Gives an entity another name."""
    person = named.person(request, external_id)
    try:
        with scope.user(person.pk):
            row = naming.alias(person.pk, entity_id, request.POST.get("alias", ""), actor=request.user)
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("“%(name)s” means the same now.") % {"name": row.alias})
    return _answer(request, person)


@require_POST
@reviewer_required
def unalias(request: HtmxRequest, external_id: str, alias_id: int) -> HttpResponse:
    """Takes a name off again."""
    person = named.person(request, external_id)
    try:
        with scope.user(person.pk):
            row = naming.unalias(person.pk, alias_id, actor=request.user)
    except NotFound:
        messages.info(request, _("That name has been taken off already."))
    else:
        messages.success(request, _("“%(name)s” is somebody or something by itself again.") % {"name": row.alias})
    return _answer(request, person)


@require_POST
@reviewer_required
def same(request: HtmxRequest, external_id: str, entity_id: int) -> HttpResponse:
    """Says that two are one."""
    person = named.person(request, external_id)
    try:
        with scope.user(person.pk):
            row = naming.join(person.pk, entity_id, _other(request), actor=request.user)
    except (NotFound, Refused) as problem:
        messages.error(request, str(problem))
    else:
        told = _("“%(name)s” is another name now. Take it off below to part them again.")
        messages.success(request, told % {"name": row.alias})
    return _answer(request, person)


@require_POST
@reviewer_required
def different(request: HtmxRequest, external_id: str, entity_id: int) -> HttpResponse:
    """Says that two are not one."""
    person = named.person(request, external_id)
    try:
        with scope.user(person.pk):
            naming.dismiss(person.pk, entity_id, _other(request), actor=request.user)
    except NotFound as problem:
        messages.error(request, str(problem))
    else:
        messages.success(request, _("They are two. You will not be asked again."))
    return _answer(request, person)


@require_POST
@reviewer_required
def reconsider(request: HtmxRequest, external_id: str, dismissal_id: int) -> HttpResponse:
    """Takes back that two are not one."""
    person = named.person(request, external_id)
    with scope.user(person.pk):
        naming.reconsider(person.pk, dismissal_id, actor=request.user)
    messages.success(request, _("The question stands again."))
    return _answer(request, person)


def _other(request: HtmxRequest) -> int:
    other = asking.whole(request.POST.get("other", ""))
    if other is None:
        raise NotFound("There is no such person or thing.")
    return other


def _answer(request: HtmxRequest, person: User) -> HttpResponse:
    if not request.htmx:
        return redirect("entities", person.external_id)
    with scope.staff():
        return _page(request, person, Cursor())


def _page(request: HtmxRequest, person: User, cursor: Cursor) -> HttpResponse:
    words = asking.words(request, "q")
    context = {
        "person": person,
        "tally": people.tally(person.pk),
        "words": words,
        "page": browsing.page(person.pk, cursor, words=words),
        "suggestions": likeness.suggestions(person.pk),
        "dismissed": browsing.dismissed(person.pk),
    }
    return respond(request, "entities/page.html#entities", context)
