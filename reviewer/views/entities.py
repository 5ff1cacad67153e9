"""Whom and what a person's facts are about: names put on and taken off, likeness judged."""

from collections.abc import Callable

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

    def act(person: User) -> str:
        row = naming.alias(person.pk, entity_id, request.POST.get("alias", ""), actor=request.user)
        return _("“%(name)s” means the same now.") % {"name": row.alias}

    return _told(request, external_id, act)


@require_POST
@reviewer_required
def unalias(request: HtmxRequest, external_id: str, alias_id: int) -> HttpResponse:
    """Takes a name off again."""

    def act(person: User) -> str:
        row = naming.unalias(person.pk, alias_id, actor=request.user)
        return _("“%(name)s” is somebody or something by itself again.") % {"name": row.alias}

    return _told(request, external_id, act, gone=_("That name has been taken off already."))


@require_POST
@reviewer_required
def same(request: HtmxRequest, external_id: str, entity_id: int) -> HttpResponse:
    """Says that two are one."""

    def act(person: User) -> str:
        row = naming.join(person.pk, entity_id, _other(request), actor=request.user)
        return _("“%(name)s” is another name now. Take it off below to part them again.") % {"name": row.alias}

    return _told(request, external_id, act)


@require_POST
@reviewer_required
def different(request: HtmxRequest, external_id: str, entity_id: int) -> HttpResponse:
    """Says that two are not one."""

    def act(person: User) -> str:
        naming.dismiss(person.pk, entity_id, _other(request), actor=request.user)
        return _("They are two. You will not be asked again.")

    return _told(request, external_id, act)


@require_POST
@reviewer_required
def reconsider(request: HtmxRequest, external_id: str, dismissal_id: int) -> HttpResponse:
    """Takes back that two are not one."""

    def act(person: User) -> str:
        naming.reconsider(person.pk, dismissal_id, actor=request.user)
        return _("The question stands again.")

    return _told(request, external_id, act)


def _told(request: HtmxRequest, external_id: str, act: Callable[[User], str], *, gone: str = "") -> HttpResponse:
    """Acts in the person's scope and tells what came of it, or why nothing did; `gone`: that somebody was quicker."""
    person = named.person(request, external_id)
    try:
        with scope.user(person.pk):
            done = act(person)
    except (NotFound, Refused) as problem:
        if gone and isinstance(problem, NotFound):
            messages.info(request, gone)
        else:
            messages.error(request, str(problem))
    else:
        messages.success(request, done)
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
