"""A member's own settings."""

from typing import Any

from django.conf import settings as configured
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memory import scope, stemming, tasks
from memory.mine import settings as own
from reviewer.views import nudging
from reviewer.views.access import HtmxRequest, signed_in
from reviewer.views.mine import room
from reviewer.views.mine.language import speak


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def settings(request: HtmxRequest) -> HttpResponse:
    """Shows them, and saves them; what cannot be saved is said beside it."""
    user = request.user
    if request.method != "POST":
        return _form(request, {"name": user.display_name, "language": user.language, "zone": user.time_zone}, {})
    given = {name: request.POST.get(name, "") for name in ("name", "language", "zone")}
    allowed = {code for code, _name in configured.LANGUAGES} | {user.language}
    wrong = {} if given["language"] in allowed else {"language": _("Choose a language from the list.")}
    try:
        if not wrong:
            return _saved(request, given)
    except ValueError:
        wrong = {"zone": _("Choose a time zone from the list.")}
    return _form(request, given, wrong)


def _saved(request: HtmxRequest, given: dict[str, str]) -> HttpResponse:
    with scope.user(request.user.pk):
        is_behind = stemming.is_behind(own.change(request.user.pk, **given))
    with translation.override(given["language"]):
        messages.success(request, _("Saved."))
    if is_behind:
        nudging.nudge(tasks.restem, request.user.pk)
    response = redirect("mine-settings")
    speak(response, given["language"])
    return response


def _form(request: HtmxRequest, given: dict[str, Any], wrong: dict[str, Any]) -> HttpResponse:
    languages = dict(configured.LANGUAGES)
    if given["language"]:
        languages.setdefault(given["language"], given["language"])
    context: dict[str, Any] = {
        "given": given,
        "wrong": wrong,
        "languages": list(languages.items()),
        "zones": own.zones() if wrong else list(dict.fromkeys([given["zone"], *own.zones()])),
    }
    with room.inside(request), scope.user(request.user.pk):
        context["is_behind"] = stemming.is_behind(request.user)
        return room.show(request, "settings.html", context)
