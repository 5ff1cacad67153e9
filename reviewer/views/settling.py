"""One contradiction, and the answers to it."""

from collections.abc import Callable
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory import scope
from memory.browsing import conflicts
from memory.browsing import people as browsing
from memory.errors import Unanswerable
from memory.models import Conflict, User
from memory.review import settling
from memory.review.settling import Answer, Choice, Settled
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, persons_page
from reviewer.views.answering import respond
from reviewer.views.whose import persons_act

_UNTIL = "until-"


def _show(request: HtmxRequest, person: User, conflict_id: int, **more: Any) -> HttpResponse:
    question, sides = conflicts.one(person.pk, conflict_id)
    context = {
        "person": person,
        "tally": browsing.tally(person.pk),
        "question": question,
        "sides": sides,
        "settled": settling.told(conflict_id),
        "next_url": _next(question.row, user_id=None if request.user.is_staff else person.pk),
        **more,
    }
    return respond(request, "conflict/page.html#conflict", context)


def _next(row: Conflict, *, user_id: int | None) -> str | None:
    """Where the next open one is; of whom, its address says alone."""
    found = conflicts.next_open(row, user_id=user_id)
    return reverse("conflict", args=[found.user.external_id, found.pk]) if found else None


_shown = persons_page(_show)
conflict = require_safe(_shown)


@require_POST
@persons_act
def settle(request: HtmxRequest, person: User, conflict_id: int) -> HttpResponse:
    """Answers it. Where somebody was quicker, that is shown and nothing is changed."""
    return _acted(request, person, conflict_id, lambda: _settle(request, conflict_id))


@require_POST
@persons_act
def undo(request: HtmxRequest, person: User, conflict_id: int) -> HttpResponse:
    """Takes the answer back."""
    return _acted(request, person, conflict_id, lambda: settling.undo(conflict_id, by=request.user))


@require_POST
@persons_act
def withdraw(request: HtmxRequest, person: User, conflict_id: int) -> HttpResponse:
    """Takes back that its person is asked."""
    return _acted(request, person, conflict_id, lambda: settling.withdraw(conflict_id, by=request.user))


def _settle(request: HtmxRequest, conflict_id: int) -> Settled:
    settled = settling.settle(conflict_id, _answer(request), by=request.user, note=request.POST.get("note", ""))
    if not settled.is_new:
        messages.warning(request, _("Somebody was quicker: this was answered already, as it stands here."))
    return settled


def _acted(request: HtmxRequest, person: User, conflict_id: int, act: Callable[[], Settled]) -> HttpResponse:
    """Acts in the person's scope, and shows how it stands now; an answer that does not fit comes back with its note."""
    more: dict[str, Any] = {}
    try:
        with scope.user(person.pk):
            act()
    except Unanswerable as error:
        more = {"problem": str(error), "note": request.POST.get("note", "")}
    if more or request.htmx:
        return _shown(request, person.external_id, conflict_id, **more)
    return redirect("conflict", person.external_id, conflict_id)


def _answer(request: HtmxRequest) -> Answer:
    name, _colon, side = request.POST.get("choice", "").partition(":")
    try:
        choice = Choice(name)
    except ValueError as error:
        raise Unanswerable(_("Choose one of the answers.")) from error
    return Answer(choice, asking.whole(side), _times(request) if choice is Choice.TIMES else {})


def _times(request: HtmxRequest) -> dict[int, date]:
    """The last day of each side, where one was given."""
    given = {name: str(day) for name, day in request.POST.items() if name.startswith(_UNTIL) and day}
    facts = {name: asking.whole(name.removeprefix(_UNTIL)) for name in given}
    return {fact: _day(given[name]) for name, fact in facts.items() if fact is not None}


def _day(given: str) -> date:
    try:
        return date.fromisoformat(given)
    except ValueError as error:
        raise Unanswerable(_("“%(given)s” is no day. Write it as 2026-03-10.") % {"given": given[:40]}) from error
