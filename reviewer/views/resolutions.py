"""How claims were resolved, for staff to audit."""

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory.browsing import people as browsing
from memory.browsing import resolutions
from memory.browsing.resolutions import Filters, Judge, Standing
from memory.errors import Unanswerable
from memory.models import User
from memory.review import auditing
from memory.review.auditing import Audited
from memory.types import AUTOMATIC, Judged, Relation
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, seen, staff_page
from reviewer.views.acting import Place, act
from reviewer.views.answering import respond
from reviewer.views.whose import staffs_act, staffs_page

WRONG = "wrong"


@require_safe
@staff_page
def listing(request: HtmxRequest) -> HttpResponse:
    """What was decided without anybody being asked, the newest first; or what staff found right, or wrong."""
    name = asking.words(request, "person")
    whose = browsing.person(name) if name else None
    filters = _filters(request, whose.pk if whose else None)
    page = resolutions.page(asking.cursor(request), filters)
    seen(request, [*(decided.row.user_id for decided in page.rows), *([whose.pk] if whose else [])])
    context = {
        "whose": whose,
        "filters": filters,
        "relations": AUTOMATIC,
        "judges": list(Judge),
        "counts": resolutions.counts(filters.user_id),
        "page": page,
    }
    return respond(request, "resolutions/page.html#resolutions", context)


def _filters(request: HtmxRequest, user_id: int | None) -> Filters:
    standing = asking.choice(request, "standing", [standing.value for standing in Standing])
    relation = asking.choice(request, "relation", [relation.value for relation in AUTOMATIC])
    judge = asking.choice(request, "judge", [judge.value for judge in Judge])
    return Filters(
        user_id,
        Standing(standing or Standing.UNSEEN),
        Relation(relation) if relation else None,
        Judge(judge) if judge else None,
    )


def _show(request: HtmxRequest, person: User, claim_id: int, **more: Any) -> HttpResponse:
    context = {
        "person": person,
        "tally": browsing.tally(person.pk),
        "decided": resolutions.one(person.pk, claim_id),
        "counts": resolutions.counts(person.pk if request.POST.get("whose") else None),
        **more,
    }
    return respond(request, "resolution/page.html#decided", context)


_shown = staffs_page(_show)
_PLACE = Place("resolution", _shown)
resolution = require_safe(_shown)


@require_POST
@staffs_act
def audit(request: HtmxRequest, person: User, claim_id: int) -> HttpResponse:
    """Right, wrong, or what it should have been."""

    def do() -> Audited:
        return auditing.audit(person.pk, claim_id, _answer(request), by=request.user)

    return act(request, person, claim_id, do, place=_PLACE)


@require_POST
@staffs_act
def undo(request: HtmxRequest, person: User, claim_id: int) -> HttpResponse:
    """Takes the audit back."""
    return act(request, person, claim_id, partial(auditing.undo, person.pk, claim_id, by=request.user), place=_PLACE)


def _answer(request: HtmxRequest) -> Judged | None:
    """What it should have been; None where it is only said to be wrong."""
    given = request.POST.get("answer", "")
    if given == WRONG:
        return None
    try:
        return Judged(given)
    except ValueError as error:
        raise Unanswerable(_("Choose one of the answers.")) from error
