"""Putting one thing right: it is so, it is not, it is no longer, it is otherwise; and taking that back."""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from memory import clock, scope
from memory.errors import MemoryPaused, NotLive, Refused
from memory.mine import knowing, righting
from memory.models import Correction
from reviewer import plain
from reviewer.views.access import HtmxRequest
from reviewer.views.mine import room


@room.act
def right(request: HtmxRequest, fact_id: int) -> HttpResponse:
    """It is so."""
    return _done(request, fact_id, partial(righting.affirm, request.user.pk, fact_id), _("You said this is right."))


@room.act
def wrong(request: HtmxRequest, fact_id: int) -> HttpResponse:
    """It was never so."""
    return _done(request, fact_id, partial(righting.refuse, request.user.pk, fact_id), _("You said this is not true."))


@room.act
def over(request: HtmxRequest, fact_id: int) -> HttpResponse:
    """It is no longer so, since a day or today."""
    given = request.POST.get("since", "")
    act = partial(_ended, request.user.pk, fact_id, given)
    return _done(request, fact_id, act, _("You said this is no longer true."))


@room.act
def reword(request: HtmxRequest, fact_id: int) -> HttpResponse:
    """It is as they say."""
    said, value = (request.POST.get(name, "")[:2000] for name in ("said", "value"))
    act = partial(righting.reword, request.user.pk, fact_id, said=said, value=value)
    return _done(request, fact_id, act, _("You put this right."))


@room.act
def undo(request: HtmxRequest, correction_id: int) -> HttpResponse:
    """As if it had not been said."""
    fact_id = righting.undo(request.user.pk, correction_id)
    if fact_id is not None:
        return _changed(request, fact_id, _("Undone."))
    messages.success(request, _("Undone."))
    return HttpResponseClientRedirect(reverse("mine")) if request.htmx else redirect("mine")


@room.page
def entry(request: HtmxRequest, fact_id: int) -> HttpResponse:
    """One thing by itself."""
    return room.show(request, "one.html", _one(request, fact_id))


def _done(request: HtmxRequest, fact_id: int, act: Callable[[], Correction], told: str) -> HttpResponse:
    """Does it; what could not be done is said beside what they wrote, and nothing of that is lost."""
    try:
        correction = act()
    except (Refused, NotLive, MemoryPaused) as error:
        with scope.user(request.user.pk):
            context = _one(request, fact_id) | {"refused": _why(error), "given": request.POST, "open": True}
            context |= {"wants_value": getattr(error, "reason", "") == "object"}
            return room.show(request, "one.html#entry", context)
    new = correction.claim.fact_id if correction.claim else None
    return _changed(request, fact_id, told, new=new)


def _changed(request: HtmxRequest, fact_id: int, told: str, *, new: int | None = None) -> HttpResponse:
    if not request.htmx:
        messages.success(request, told)
    back = reverse("mine-entry", args=[fact_id])
    return room.after(
        request, "one.html#changed", lambda: _one(request, fact_id, new=new) | {"announced": told}, back=back
    )


def _one(request: HtmxRequest, fact_id: int, *, new: int | None = None) -> dict[str, Any]:
    now = clock.now()
    found = knowing.some(request.user.pk, [fact_id], now=now)
    fresh = knowing.some(request.user.pk, [new], now=now)[0] if new and new != fact_id else None
    return {"entry": found[0], "fresh": fresh, "today": timezone.localdate(clock.now())}


def _why(error: Exception) -> Any:
    if isinstance(error, MemoryPaused):
        return _("Memory is paused, so nothing new can be learnt. Resume it first, under “Forget & pause”.")
    if isinstance(error, NotLive):
        return _("This is not used any more, so it cannot be changed.")
    return plain.REFUSALS.get(getattr(error, "reason", ""), plain.REFUSED)


def _ended(user_id: int, fact_id: int, given: str) -> Correction:
    try:
        since = date.fromisoformat(given) if given else None
    except ValueError:
        raise Refused("That is no day.", reason="day") from None
    return righting.end(user_id, fact_id, as_of=since)
