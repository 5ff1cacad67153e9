"""Samples: the list, drawing one, how far one is, and what staff do with it."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memory import scope
from memory.browsing import samples as browsing
from memory.errors import InvalidSample, NotFound
from memory.models import Sample
from memory.review import gold, handing, progress, sampling
from memory.review.progress import Progress
from memory.types import LabelVerdict
from reviewer import guidelines
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, admin_required, reviewer_required, seen, staff_page
from reviewer.views.answering import respond
from reviewer.views.sample_form import SampleForm, beginning, groups

_STATES = {"open": True, "closed": False}


@dataclass(frozen=True, slots=True)
class Listed:
    """A sample with how far it is."""

    row: Sample
    progress: Progress


@require_safe
@staff_page
def samples(request: HtmxRequest) -> HttpResponse:
    """All samples, the newest first."""
    state = asking.choice(request, "state", _STATES)
    page = browsing.page(asking.cursor(request), is_open=_STATES[state] if state else None)
    parts = progress.of([row.pk for row in page.rows])
    listed = page.of(lambda rows: [Listed(row, parts[row.pk]) for row in rows])
    return respond(request, "samples/page.html#samples", {"page": listed, "state": state})


@require_http_methods(["GET", "HEAD", "POST"])
@reviewer_required
def draw(request: HtmxRequest) -> HttpResponse:
    """The form; with htmx how many there are to draw from; posted, the sample."""
    if request.method == "POST" and "count" not in request.POST:
        return _drawn(request)
    with scope.staff():
        form = _begun(request)
        count = sampling.count(form.plan()) if form.is_bound and form.is_valid() else None
        return _form(request, form, count)


def _begun(request: HtmxRequest) -> SampleForm:
    """Counting is put off for a form that nobody has touched: its page is to open at once."""
    if request.method == "POST":
        return SampleForm(request.POST)
    return SampleForm(_started(request)) if request.htmx else SampleForm(initial=_started(request))


def _started(request: HtmxRequest) -> dict[str, object]:
    """What the address says, over what the form begins with."""
    with_lists = {name: request.GET.getlist(name) for name in ("reviewers",)}
    first = {name: field.initial for name, field in SampleForm.base_fields.items() if field.initial is not None}
    return {**first, **beginning(), **request.GET.dict(), **with_lists}


def _drawn(request: HtmxRequest) -> HttpResponse:
    with scope.staff():
        form = SampleForm(request.POST)
        is_valid = form.is_valid()
    if is_valid:
        try:
            sample = sampling.draw(form.plan(), by=request.user)
        except InvalidSample as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Drawn: %(drawn)s of %(there)s.") % _sizes(sample))
            return redirect("sample", sample.pk)
    with scope.staff():
        return _form(request, form, None)


def _sizes(sample: Sample) -> dict[str, int]:
    return {"drawn": sample.size, "there": sample.population}


def _form(request: HtmxRequest, form: SampleForm, count: int | None) -> HttpResponse:
    return respond(request, "samples/new.html#population", {"form": form, "groups": groups(form), "count": count})


@require_safe
@staff_page
def sample(request: HtmxRequest, sample_id: int) -> HttpResponse:
    """How far it is; closed, its items with what was said of them."""
    row = browsing.one(sample_id)
    page = browsing.items(sample_id, asking.cursor(request)) if row.closed_at else None
    seen(request, [judged.row.user_id for judged in (page.rows if page else ()) if judged.row.user_id])
    context = {
        "sample": row,
        "progress": progress.of([sample_id])[sample_id],
        "guidelines": guidelines.render(row.guidelines),
        "tallies": browsing.tallies(sample_id),
        "reviewers": browsing.reviewers(),
        "is_theirs": handing.may_label(row, request.user.pk),
        "verdicts": list(LabelVerdict),
        "page": page,
        "consequences": browsing.consequences(sample_id) if row.closed_at else None,
    }
    return respond(request, "samples/sample.html", context)


@require_POST
@reviewer_required
def close(request: HtmxRequest, sample_id: int) -> HttpResponse:
    """Ends the labelling."""
    sampling.close(sample_id)
    messages.success(request, _("The sample is closed: what it has is what reports count."))
    return redirect("sample", sample_id)


@require_POST
@reviewer_required
def extend(request: HtmxRequest, sample_id: int) -> HttpResponse:
    """Draws more, as another look."""
    given = request.POST.get("more", "")
    try:
        row = sampling.extend(sample_id, int(given[:9]) if given.isascii() and given.isdecimal() else 0)
    except InvalidSample as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Extended: %(drawn)s of %(there)s.") % _sizes(row))
    return redirect("sample", sample_id)


@require_POST
@reviewer_required
def assign(request: HtmxRequest, sample_id: int) -> HttpResponse:
    """Says who labels it."""
    try:
        sampling.assign(sample_id, [asking.whole(pk) or 0 for pk in request.POST.getlist("reviewers") if pk])
    except InvalidSample as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Assigned."))
    return redirect("sample", sample_id)


@require_POST
@admin_required
def add_gold(request: HtmxRequest, sample_id: int) -> HttpResponse:
    """Mixes in a fact whose answer is known."""
    given, answer = request.POST.get("fact", ""), request.POST.get("answer", "")
    if answer not in LabelVerdict:
        raise NotFound("There is no such answer.")
    try:
        gold.add(sample_id, int(given[:18]) if given.isascii() and given.isdecimal() else 0, LabelVerdict(answer))
    except InvalidSample as error:
        messages.error(request, str(error))
    except NotFound:
        messages.error(request, _("There is no fact of this number."))
    else:
        messages.success(request, _("Mixed in where nobody can tell it from the others."))
    return redirect("sample", sample_id)
