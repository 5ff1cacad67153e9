"""What the gate refused: of one person, and of everyone; one of it, and taking it in."""

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory.browsing import people as browsing
from memory.browsing import refusals
from memory.browsing.refusals import Filters, Found
from memory.errors import Unanswerable
from memory.models import User
from memory.review import auditing_refusals, promoting
from memory.review.auditing_refusals import Audited
from memory.types import Reason
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, persons_page, seen, staff_page
from reviewer.views.acting import Place, act
from reviewer.views.answering import respond
from reviewer.views.whose import staffs_act, staffs_page


@require_safe
@persons_page
def of_person(request: HtmxRequest, person: User) -> HttpResponse:
    """One person's, newest first."""
    context = {"person": person, "tally": browsing.tally(person.pk), **_listed(request, person)}
    return respond(request, "refused/page.html#refused", context)


@require_safe
@staff_page
def of_everyone(request: HtmxRequest) -> HttpResponse:
    """Everyone's, the last to arrive first; of one of them with `?person=`."""
    name = asking.words(request, "person")
    whose = browsing.person(name) if name else None
    context: dict[str, Any] = {"whose": whose, **_listed(request, whose)}
    seen(request, [*(refusal.row.user_id for refusal in context["page"].rows), *([whose.pk] if whose else [])])
    return respond(request, "refused/page.html#refused", context)


def _listed(request: HtmxRequest, whose: User | None) -> dict[str, Any]:
    user_id = whose.pk if whose else None
    counts = refusals.counts(user_id)
    filters = _filters(request, user_id)
    return {
        "filters": filters,
        "reason": filters.reason,
        "counts": counts,
        "total": sum(count.number for count in counts.values()),
        "is_more": any(count.is_more for count in counts.values()),
        "found": refusals.found(user_id),
        "makers": refusals.makers(user_id),
        "page": refusals.page(asking.cursor(request), filters),
    }


def _filters(request: HtmxRequest, user_id: int | None) -> Filters:
    reason = asking.choice(request, "reason", [reason.value for reason in Reason])
    found = asking.choice(request, "found", [found.value for found in Found]) if request.user.is_staff else None
    named = {name: asking.words(request, name) for name in ("extractor", "model", "prompt")}
    return Filters(
        user_id,
        reason=Reason(reason) if reason else None,
        found=Found(found) if found else None,
        words=asking.words(request, "q"),
        **named,
    )


def _show(request: HtmxRequest, person: User, candidate_id: int, **more: Any) -> HttpResponse:
    told = refusals.one(person.pk, candidate_id)
    row = told.refusal.row
    is_everyone = "everyone" in request.GET
    others, facts = refusals.alike(row, is_everyone=is_everyone)
    seen(request, (found.row.user_id for found in [*others, *facts]))
    context = {
        "person": person,
        "tally": browsing.tally(person.pk),
        "told": told,
        "is_unasserted": row.reason in promoting.UNASSERTED,
        "obstacle": "" if told.refusal.is_promoted else promoting.obstacle(row, told.quoted),
        "others": others,
        "facts": facts,
        "is_everyone": is_everyone,
        **more,
    }
    return respond(request, "refusal/page.html#refusal", context)


def _show_audit(request: HtmxRequest, person: User, candidate_id: int, **more: Any) -> HttpResponse:
    """What was said of it, where it stands; without htmx the whole page."""
    if not request.htmx:
        return _show(request, person, candidate_id, **more)
    refusal = refusals.one(person.pk, candidate_id).refusal
    return respond(request, "refused/page.html#audit", {"person": person, "refusal": refusal, "is_alone": True, **more})


_shown = staffs_page(_show)
_PLACE = Place("refusal", _shown, kept=("note",))
_AUDITED = Place("refusal", staffs_page(_show_audit))
refusal = require_safe(_shown)


@require_POST
@staffs_act
def promote(request: HtmxRequest, person: User, candidate_id: int) -> HttpResponse:
    """Takes it in. Taken in already, it stays so."""
    note, is_plain = request.POST.get("note", ""), request.POST.get("plain") == "1"
    do = partial(promoting.promote, person.pk, candidate_id, by=request.user, note=note, is_plain=is_plain)
    return act(request, person, candidate_id, do, place=_PLACE)


@require_POST
@staffs_act
def demote(request: HtmxRequest, person: User, candidate_id: int) -> HttpResponse:
    """Leaves it refused again."""
    do = partial(promoting.demote, person.pk, candidate_id, by=request.user)
    return act(request, person, candidate_id, do, place=_PLACE)


@require_POST
@staffs_act
def audit(request: HtmxRequest, person: User, candidate_id: int) -> HttpResponse:
    """Rightly refused, or not."""

    def do() -> Audited:
        answer = request.POST.get("answer")
        if answer not in set(Found):
            raise Unanswerable(_("Choose one of the answers."))
        is_right = answer == Found.RIGHT
        return auditing_refusals.audit(person.pk, candidate_id, is_right=is_right, by=request.user)

    return act(request, person, candidate_id, do, place=_AUDITED)


@require_POST
@staffs_act
def withdraw(request: HtmxRequest, person: User, candidate_id: int) -> HttpResponse:
    """Takes back what was said of it."""
    do = partial(auditing_refusals.undo, person.pk, candidate_id, by=request.user)
    return act(request, person, candidate_id, do, place=_AUDITED)
