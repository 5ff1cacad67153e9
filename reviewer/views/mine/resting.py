"""What is never to be remembered, and pausing."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from memory import clock, forgetting, scope
from memory.errors import NotFound, Refused
from memory.mine import resting
from reviewer.views.access import HtmxRequest
from reviewer.views.mine import room


@room.page
def rule(request: HtmxRequest) -> HttpResponse:
    """What a rule would have stopped, before it is made."""
    topic = request.GET.get("topic", "").replace("\x00", "").strip()[:200]
    stopped = resting.stopped(request.user.pk, topic, now=clock.now()) if topic else []
    return room.show(request, "rule.html", {"topic": topic, "stopped": stopped})


@room.act
def decline(request: HtmxRequest) -> HttpResponse:
    """Makes the rule; the same one again changes nothing."""
    try:
        with scope.user(request.user.pk):
            forgetting.decline(request.user.pk, request.POST.get("topic", ""))
    except Refused:
        messages.error(request, _("Say in a few words what shall never be remembered."))
        return redirect("mine-rule")
    messages.success(
        request, _("From now on this is never remembered. What is known already stays until you forget it.")
    )
    return redirect(reverse("mine-forget") + "#rules")


@room.act
def undecline(request: HtmxRequest, rule_id: int) -> HttpResponse:
    """Takes the rule away. One that is gone already is gone."""
    try:
        with scope.user(request.user.pk):
            forgetting.undecline(request.user.pk, rule_id)
        messages.success(request, _("The rule is gone."))
    except NotFound:
        messages.info(request, _("There is no such rule any more."))
    return redirect(reverse("mine-forget") + "#rules")


@room.act
def pause(request: HtmxRequest) -> HttpResponse:
    """Pauses, or goes on."""
    is_paused = request.POST.get("paused") == "1"
    with scope.user(request.user.pk):
        resting.pause(request.user.pk, is_paused=is_paused)
    told = _("Memory is paused.") if is_paused else _("Memory goes on.")
    messages.success(request, told)
    return redirect(reverse("mine-forget") + "#pause")
