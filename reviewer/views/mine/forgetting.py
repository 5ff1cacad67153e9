"""Forgetting: what shall go, exactly what goes with it, and a receipt."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from memory import clock, forgetting, scope
from memory.errors import NotFound
from memory.mine import leaving, resting
from reviewer.views.access import HtmxRequest
from reviewer.views.mine import room

DIGITS = 18
MOST = 500
"""Things that are forgotten at once, one by one; more go with everything."""


@room.page
def overview(request: HtmxRequest) -> HttpResponse:
    """All the ways of forgetting, what waits for a yes, and what was forgotten."""
    context = {
        "asked": leaving.asked(request.user.pk, now=clock.now()),
        "rules": resting.rules(request.user.pk),
        "banned": resting.banned(request.user.pk),
        "receipts": leaving.receipts(request.user.pk),
    }
    return room.show(request, "forget.html", context)


@room.page
def topic(request: HtmxRequest) -> HttpResponse:
    """What a topic names, to choose from."""
    words = request.GET.get("topic", "").replace("\x00", "").strip()[:200]
    found = leaving.about(request.user, words, now=clock.now())
    return room.show(request, "topic.html", {"topic": words, "here": found})


@room.page
def conversation(request: HtmxRequest, episode_id: int) -> HttpResponse:
    """What was learnt from a conversation, to choose from."""
    found = leaving.learnt(request.user.pk, episode_id, now=clock.now())
    context = {"episode": found.episode, "here": found.here, "elsewhere": found.elsewhere}
    return room.show(request, "topic.html", context)


@room.page
def one(request: HtmxRequest, fact_id: int) -> HttpResponse:
    """Exactly what would go with one thing."""
    return _preview(request, [fact_id])


@room.page
def preview(request: HtmxRequest) -> HttpResponse:
    """Exactly what would go with the things that were chosen."""
    chosen = _numbers(request.GET.getlist("fact"))
    if not chosen:
        messages.info(request, _("Nothing was chosen, so nothing is forgotten."))
        return redirect("mine-forget")
    return _preview(request, chosen)


@room.act
def erase(request: HtmxRequest) -> HttpResponse:
    """Forgets what the preview showed; if that has changed meanwhile, it is shown anew first."""
    chosen = _numbers(request.POST.getlist("fact"))
    with scope.user(request.user.pk):
        going = leaving.going(request.user.pk, chosen, now=clock.now())
        if not going.is_empty and going.seal != request.POST.get("seal"):
            context = {"going": going, "chosen": chosen, "has_changed": True}
            return room.show(request, "preview.html", context)
        try:
            was_wrong = request.POST.get("because") == "wrong"
            receipt = leaving.erase(request.user.pk, chosen, was_wrong=was_wrong)
        except NotFound:
            messages.info(request, _("It was forgotten already."))
            return redirect("mine-forget")
    return redirect("mine-receipt", receipt.pk)


@room.act
def keep(request: HtmxRequest, request_id: int) -> HttpResponse:
    """What was asked for in a chat was not meant."""
    with scope.user(request.user.pk):
        leaving.keep(request.user.pk, request_id)
    messages.success(request, _("It is kept, and used again."))
    return redirect("mine-forget")


@room.page
def receipt(request: HtmxRequest, receipt_id: int) -> HttpResponse:
    """That something was forgotten, when and how much; not what."""
    found = leaving.receipt(request.user.pk, receipt_id)
    return room.show(request, "receipt.html", {"receipt": found, "lines": leaving.told(found.counts)})


@room.act
def lift(request: HtmxRequest) -> HttpResponse:
    """What was forgotten may be learnt again when it is said again."""
    with scope.user(request.user.pk):
        forgetting.lift(request.user.pk)
    messages.success(request, _("From now on it may be learnt again, when you say it again."))
    return redirect("mine-forget")


def _preview(request: HtmxRequest, chosen: list[int]) -> HttpResponse:
    going = leaving.going(request.user.pk, chosen, now=clock.now())
    if going.is_empty:
        raise Http404
    return room.show(request, "preview.html", {"going": going, "chosen": chosen})


def _numbers(given: list[str]) -> list[int]:
    """What is no number names nothing."""
    found = [int(each) for each in given[:MOST] if each.isascii() and each.isdecimal() and len(each) <= DIGITS]
    return list(dict.fromkeys(found))
