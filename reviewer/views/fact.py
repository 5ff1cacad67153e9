"""One fact: what is claimed, why it is believed, what became of it; and for staff, putting it right."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memory import correcting, forgetting, scope
from memory.browsing import facts, histories, lineage, workings
from memory.browsing import people as browsing
from memory.errors import MemoryPaused, NotLive, Refused
from memory.models import Fact, User
from memory.review import pinning, retiring
from memory.types import Status
from reviewer.views import named
from reviewer.views.access import HtmxRequest, persons_page, reviewer_required
from reviewer.views.answering import respond


@require_safe
@persons_page
def fact(request: HtmxRequest, person: User, fact_id: int) -> HttpResponse:
    """One fact with its lineage."""
    return respond(request, "fact/page.html#fact", _context(request, person, fact_id))


@require_POST
@reviewer_required
def retire(request: HtmxRequest, external_id: str, fact_id: int) -> HttpResponse:
    """Takes a fact back as never true, with the reason."""
    person = _whose(request, external_id, fact_id)
    try:
        retiring.retire([fact_id], actor=request.user, note=request.POST.get("note", ""))
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Retired. It is not recalled any more."))
    return _answer(request, person, fact_id)


@require_POST
@reviewer_required
def restore(request: HtmxRequest, external_id: str, fact_id: int) -> HttpResponse:
    """Takes back what staff ruled about a fact; what its person said of it stands."""
    person = _whose(request, external_id, fact_id)
    try:
        with scope.user(person.pk):
            forgetting.restore(person.pk, [fact_id], actor=request.user)
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Restored: what the conversations say of it counts again."))
    return _answer(request, person, fact_id)


@require_POST
@reviewer_required
def pin(request: HtmxRequest, external_id: str, fact_id: int) -> HttpResponse:
    """Pins a fact, or lets it go."""
    person = _whose(request, external_id, fact_id)
    is_pinned = request.POST.get("pinned") == "1"
    with scope.user(person.pk):
        pinning.pin(person.pk, fact_id, actor=request.user, is_pinned=is_pinned)
    messages.success(request, _("Pinned: it does not fade away.") if is_pinned else _("Not pinned any more."))
    return _answer(request, person, fact_id)


@require_http_methods(["GET", "HEAD", "POST"])
@reviewer_required
def edit(request: HtmxRequest, external_id: str, fact_id: int) -> HttpResponse:
    """Another wording or value, as a new version that replaces this one."""
    person = named.person(request, external_id)
    with scope.staff():
        shown = facts.one(person.pk, fact_id)
    given = request.POST or {"said": shown.row.text, "value": shown.row.object}
    context: dict[str, Any] = {
        "person": person,
        "shown": shown,
        "said": given.get("said", ""),
        "value": given.get("value", ""),
    }
    if request.method == "POST":
        try:
            new = _corrected(request, person, fact_id)
        except (Refused, NotLive, MemoryPaused) as problem:
            context["error"] = str(problem)
        else:
            messages.success(request, _("This is the new version. The old one is retired."))
            return redirect("fact", person.external_id, new.pk)
    with scope.staff():
        return respond(request, "fact/edit.html", context | {"tally": browsing.tally(person.pk)})


@require_http_methods(["GET", "HEAD", "POST"])
@reviewer_required
def erase(request: HtmxRequest, external_id: str, fact_id: int) -> HttpResponse:
    """What erasing a fact would take; with a POST, taking it for good."""
    person = named.person(request, external_id)
    with scope.user(person.pk):
        if request.method == "POST":
            was_wrong = request.POST.get("why") == "wrong"
            forgetting.erase(person.pk, [fact_id], actor=str(request.user.pk), was_wrong=was_wrong)
            messages.success(request, _("Erased for good."))
            return redirect("person", person.external_id)
        shown = facts.one(person.pk, fact_id)
        going = forgetting.preview(person.pk, [fact_id])
        context = {
            "person": person,
            "shown": shown,
            "going": going,
            "taken": facts.named(person.pk, going.all_facts),
            "older": facts.named(person.pk, going.older),
            "tally": browsing.tally(person.pk),
        }
        return respond(request, "fact/erase.html", context)


def _whose(request: HtmxRequest, external_id: str, fact_id: int) -> User:
    """The person, when it is a fact of theirs. Raises NotFound."""
    person = named.person(request, external_id)
    with scope.staff():
        facts.exists(person.pk, fact_id)
    return person


def _corrected(request: HtmxRequest, person: User, fact_id: int) -> Fact:
    said, value = request.POST.get("said", ""), request.POST.get("value", "")
    with scope.user(person.pk):
        return correcting.correct(person.pk, fact_id, said=said, value=value, by=request.user)


def _context(request: HtmxRequest, person: User, fact_id: int) -> dict[str, Any]:
    shown = facts.one(person.pk, fact_id)
    context = {
        "person": person,
        "tally": browsing.tally(person.pk),
        "shown": shown,
        "workings": workings.of(shown.row),
        "lineage": lineage.of(shown.row),
        "given": histories.given(shown.row),
        "moved": histories.moved(shown.row),
        "events": histories.events(shown.row),
    }
    if not request.user.is_staff:
        return context
    is_others = shown.row.status == Status.RETRACTED and request.user.pk != person.pk
    is_kept_away = is_others and forgetting.is_its_persons(shown.row)
    return context | {"labels": histories.labels(shown.row), "is_kept_away": is_kept_away}


def _answer(request: HtmxRequest, person: User, fact_id: int) -> HttpResponse:
    if not request.htmx:
        return redirect("fact", person.external_id, fact_id)
    with scope.staff():
        return respond(request, "fact/page.html#fact", _context(request, person, fact_id))
