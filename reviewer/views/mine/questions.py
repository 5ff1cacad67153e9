"""What is asked of a member, and their answers."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from memory import clock, forgetting, scope
from memory.errors import NotFound, Unanswerable
from memory.mine import asking, knowing
from memory.review import settling
from memory.review.settling import Answer, Choice, Settled
from reviewer.views.access import HtmxRequest
from reviewer.views.mine import room

_CHOICES = {"one": Choice.ONE, "both": Choice.BOTH, "neither": Choice.NEITHER}


@room.page
def questions(request: HtmxRequest) -> HttpResponse:
    """All that waits for an answer."""
    context = {
        "open": asking.contradictions(request.user.pk, now=clock.now()),
        "unclear": asking.unclear(request.user.pk),
        "again": asking.again(request.user.pk),
    }
    return room.show(request, "questions.html", context)


@room.act
def answer(request: HtmxRequest, conflict_id: int) -> HttpResponse:
    """Settles a contradiction. Whoever was quicker, the truth is shown."""
    given = request.POST.get("choice", "")
    if given not in _CHOICES:
        return _unsure(request, conflict_id)
    fact = request.POST.get("fact", "")
    meant = Answer(_CHOICES[given], fact=int(fact) if fact.isascii() and fact.isdecimal() else None)
    with scope.user(request.user.pk):
        try:
            settled = settling.settle(conflict_id, meant, by=request.user)
        except Unanswerable:
            settled = settling.told(conflict_id)
        context = _outcome(request, settled)
    return _show(request, context)


@room.act
def undo(request: HtmxRequest, conflict_id: int) -> HttpResponse:
    """Takes the answer back."""
    with scope.user(request.user.pk):
        settling.undo(conflict_id, by=request.user)
        question = asking.contradiction(request.user.pk, conflict_id, now=clock.now())
    return _show(request, {"question": question, "told": _("Your answer is taken back.")})


@room.act
def who(request: HtmxRequest, candidate_id: int) -> HttpResponse:
    """Says whom something is about, or that it is none of them."""
    given = request.POST.get("entity", "")
    try:
        with scope.user(request.user.pk):
            if given.isascii() and given.isdecimal():
                asking.identify(request.user.pk, candidate_id, entity_id=int(given[:18]))
            else:
                asking.give_up(request.user.pk, candidate_id)
    except NotFound:
        return _late(request, candidate_id)
    messages.success(request, _("Thank you."))
    return redirect("mine-questions")


@room.act
def again(request: HtmxRequest, candidate_id: int) -> HttpResponse:
    """Says whether to keep what was forgotten once."""
    verb = forgetting.allow if request.POST.get("keep") == "1" else forgetting.dismiss
    try:
        with scope.user(request.user.pk):
            verb(request.user.pk, candidate_id)
    except NotFound:
        return _late(request, candidate_id)
    messages.success(request, _("Thank you."))
    return redirect("mine-questions")


def _unsure(request: HtmxRequest, conflict_id: int) -> HttpResponse:
    with scope.user(request.user.pk):
        question = asking.contradiction(request.user.pk, conflict_id, now=clock.now())
    if question is None:
        raise Http404
    return _show(request, {"question": question, "told": _("It stays open. You can answer later.")})


def _outcome(request: HtmxRequest, settled: Settled) -> dict[str, Any]:
    winner = settled.winner
    found = knowing.some(request.user.pk, [winner], now=clock.now()) if winner else []
    question = asking.contradiction(request.user.pk, settled.conflict, now=clock.now()) if settled.is_open else None
    return {"settled": settled, "winner": found[0] if found else None, "question": question, "told": _told(settled)}


def _told(settled: Settled) -> str:
    if settled.is_open:
        return _("That is not one of the answers any more. Please look again.")
    if settled.is_new:
        return _("Thank you. That is settled.")
    by = {
        "member": _("You answered this already."),
        "reviewer": _("Someone who checks memories answered this a moment ago."),
    }
    return by.get(settled.by, _("What you said since has answered this already."))


def _show(request: HtmxRequest, context: dict[str, Any]) -> HttpResponse:
    """In the place of the question; without htmx on the page of questions."""
    if not request.htmx:
        messages.success(request, context["told"])
        return redirect("mine-questions")
    with scope.user(request.user.pk):
        return room.show(request, "questions.html#outcome", context)


def _late(request: HtmxRequest, candidate_id: int) -> HttpResponse:
    """Answered already: said so to its person; to a stranger it was never there."""
    with scope.user(request.user.pk):
        if not asking.is_known(request.user.pk, candidate_id):
            raise Http404
    messages.info(request, _("That was answered already."))
    return redirect("mine-questions")
