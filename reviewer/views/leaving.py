"""A person's memory taken along or forgotten, by staff for them: each shown whole before it is done."""

from collections.abc import Sequence
from typing import Any, cast

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from memory import clock, forgetting, portability, scope
from memory.browsing import facts
from memory.browsing import people as browsing
from memory.errors import NotFound
from memory.models import Access, User
from reviewer.views import asking, named
from reviewer.views.access import HtmxRequest, reviewer_required


@require_safe
@reviewer_required
def leaving(request: HtmxRequest, external_id: str) -> HttpResponse:
    """What can be taken along and what can be forgotten."""
    person = named.person(request, external_id)
    with scope.staff():
        context = {"person": person, "tally": browsing.tally(person.pk), "subjects": facts.subjects(person.pk)}
        return render(request, "leaving/page.html", context)


@require_safe
@reviewer_required
def export(request: HtmxRequest, external_id: str) -> HttpResponse:
    """The whole memory as one ZIP, sent as it is made."""
    person = named.person(request, external_id)
    response = StreamingHttpResponse(portability.export(person.pk), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="memory-{person.pk}-{clock.now():%Y-%m-%d}.zip"'
    return cast(HttpResponse, response)


@require_http_methods(["GET", "HEAD", "POST"])
@reviewer_required
def subject(request: HtmxRequest, external_id: str) -> HttpResponse:
    """Everything about one subject: what would go; with a POST, erasing just what was shown."""
    person = named.person(request, external_id)
    name = asking.words(request, "subject")
    with scope.user(person.pk):
        if request.method == "POST":
            return _erased(request, person)
        going = forgetting.preview(person.pk, forgetting.about(person.pk, name).values_list("pk", flat=True))
        context = {
            "person": person,
            "tally": browsing.tally(person.pk),
            "subject": name,
            "going": going,
            "taken": facts.named(person.pk, going.all_facts),
        }
        return render(request, "leaving/subject.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@reviewer_required
def everything(request: HtmxRequest, external_id: str) -> HttpResponse:
    """All of a person, their login too: for admins, who type whom they mean."""
    if request.user.access != Access.ADMIN:
        raise PermissionDenied
    person = named.person(request, external_id)
    is_typed = request.POST.get("typed", "").strip() == person.external_id
    if request.method == "POST" and is_typed and person.pk != request.user.pk:
        forgetting.depart(person, actor=str(request.user.pk))
        messages.success(request, _("Everything of this person is gone, their login too."))
        return redirect("people")
    with scope.staff():
        context: dict[str, Any] = {
            "person": person,
            "tally": browsing.tally(person.pk),
            "counts": forgetting.preview_departure(person.pk),
            "error": _wrong(request, person),
        }
        return render(request, "leaving/everything.html", context)


def _wrong(request: HttpRequest, person: User) -> str:
    if person.pk == request.user.pk:
        return _("You cannot forget yourself while you are signed in: ask another admin.")
    if request.method == "POST":
        return _("That is not their name as it stands above. Nothing has been forgotten.")
    return ""


def _erased(request: HtmxRequest, person: User) -> HttpResponse:
    chosen = _chosen(request)
    try:
        forgetting.erase(person.pk, chosen, actor=str(request.user.pk))
    except NotFound:
        messages.info(request, _("That has been erased already."))
    else:
        messages.success(request, _("Erased for good."))
    return redirect("leaving", person.external_id)


def _chosen(request: HttpRequest) -> Sequence[int]:
    found = (asking.whole(given) for given in request.POST.getlist("fact"))
    return [number for number in found if number is not None]
