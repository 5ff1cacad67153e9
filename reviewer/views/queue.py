"""The queue: one item at a time, a label by one key, nothing lost and nothing doubled."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory import people, scope
from memory.errors import InvalidLabel, NotFound
from memory.review import handing, labelling, queueing
from memory.review.labelling import Answer, Outcome, Recorded
from memory.types import LabelVerdict, SampleSubject
from reviewer import guidelines, wording
from reviewer.views.access import HtmxRequest, reviewer_required, seen, staff_page
from reviewer.views.answering import respond

LABELS = {
    SampleSubject.FACTS: wording.LABELS,
    SampleSubject.REFUSALS: wording.OF_REFUSALS,
    SampleSubject.RESOLUTIONS: wording.OF_RESOLUTIONS,
}


class LabelForm(forms.Form):
    """What a page sends; what cannot have come from one is refused whole."""

    verdict = forms.ChoiceField(choices=[(verdict.value, verdict.value) for verdict in LabelVerdict])
    key = forms.UUIDField()
    as_of = forms.DateField(required=False)
    note = forms.CharField(required=False, max_length=labelling.LONGEST_REMARK)
    suggestion = forms.CharField(required=False, max_length=labelling.LONGEST_REMARK)

    def answer(self) -> Answer:
        data = self.cleaned_data
        return Answer(**{**data, "verdict": LabelVerdict(data["verdict"])})


@require_safe
@staff_page
def queue(request: HtmxRequest) -> HttpResponse:
    """Which samples wait for this reviewer."""
    return respond(request, "queue/choose.html", {"waiting": queueing.waiting(request.user.pk)})


@require_safe
@staff_page
def item(request: HtmxRequest, sample_id: int) -> HttpResponse:
    """The item in their hands, or the next."""
    return _next(request, sample_id)


@require_POST
@staff_page
def label(request: HtmxRequest, sample_id: int, item_id: int) -> HttpResponse:
    """Saves the answer once and hands out the next item, in one transaction; or says why it was not saved."""
    form = LabelForm(request.POST)
    if not form.is_valid():
        return _act(request, sample_id, told=_refusal(form), is_saved=False)
    try:
        recorded = labelling.record(item_id, form.answer(), by=request.user, within=sample_id)
    except InvalidLabel as error:
        return _act(request, sample_id, told=str(error), is_saved=False)
    if recorded.outcome is not Outcome.SAVED or recorded.label is None:
        return _act(request, sample_id, told=_told(recorded), is_saved=False)
    return _act(request, sample_id, told=_told(recorded), last=recorded.label.pk)


@require_POST
@staff_page
def skip(request: HtmxRequest, sample_id: int, item_id: int) -> HttpResponse:
    """To the end of their own queue, and free for others."""
    handing.skip(item_id, request.user.pk, within=sample_id)
    return _act(request, sample_id, told=_("Skipped: it comes back at the end."))


@require_POST
@staff_page
def undo(request: HtmxRequest, sample_id: int, label_id: int) -> HttpResponse:
    """Takes a label back and shows its item again."""
    try:
        labelling.undo(label_id, by=request.user, within=sample_id)
    except InvalidLabel as error:
        return _act(request, sample_id, told=str(error), is_saved=False)
    return _act(request, sample_id, told=_("Taken back. It is before you again."))


@require_POST
@reviewer_required
def hold(request: HtmxRequest, sample_id: int, item_id: int) -> HttpResponse:
    """The heartbeat of an open page: 204 while the item is theirs, 410 when it went to somebody else."""
    with scope.staff():
        is_held = handing.hold(item_id, request.user.pk, within=sample_id)
    return HttpResponse(status=204 if is_held else 410)


@require_POST
@reviewer_required
def stop(request: HtmxRequest, sample_id: int) -> HttpResponse:
    """Gives back what they have in hand."""
    with scope.staff():
        queueing.theirs(sample_id, request.user.pk)
        handing.release_all(sample_id, request.user.pk)
    return redirect("queue")


def _act(
    request: HtmxRequest, sample_id: int, *, told: str, is_saved: bool = True, last: int | None = None
) -> HttpResponse:
    """What is so now: as the next item for htmx, else by way of the page itself. What was not saved is given back."""
    if request.htmx or not is_saved:
        return _next(request, sample_id, told=told, is_saved=is_saved, last=last)
    messages.success(request, told)
    return redirect("queue-item", sample_id)


def _next(
    request: HtmxRequest, sample_id: int, *, told: str = "", is_saved: bool = True, last: int | None = None
) -> HttpResponse:
    """The next item: handed out, read, noted as seen."""
    station = queueing.station(sample_id, request.user.pk, last=last)
    subject = SampleSubject(station.sample.subject)
    context: dict[str, Any] = {
        "station": station,
        "asked": station.asked,
        "key": uuid4(),
        "labels": LABELS[subject],
        "question": wording.QUESTIONS[subject],
        "told": told,
        "is_saved": is_saved,
        "given": {} if is_saved else request.POST,
    }
    if not request.htmx:
        context["guidelines"] = guidelines.render(station.sample.guidelines)
    if station.asked is None:
        return respond(request, "queue/page.html#item", context)
    seen(request, [station.asked.person.pk])
    with timezone.override(people.zone(station.asked.person.time_zone)):
        return respond(request, "queue/page.html#item", context)


def _told(recorded: Recorded) -> str:
    tell: dict[Outcome, Callable[[], str]] = {
        Outcome.SAVED: lambda: _("Saved: %(verdict)s.") % {"verdict": _word(recorded)},
        Outcome.ALREADY: lambda: (
            _("You had labelled that one before, as %(verdict)s. Nothing was changed.") % {"verdict": _word(recorded)}
        ),
        Outcome.TAKEN: lambda: _("Not saved: your time with that one ran out, and somebody else has it now."),
        Outcome.ERASED: lambda: _("Not saved: its person had that one erased meanwhile."),
        Outcome.CLOSED: lambda: _("Not saved: the sample was closed meanwhile."),
        Outcome.UNDONE: lambda: _("That answer had been taken back, and stays so. Answer again if you mean it."),
    }
    return tell[recorded.outcome]()


def _word(recorded: Recorded) -> str:
    assert recorded.label is not None  # noqa: S101 - where a label is told of there is one
    subject = SampleSubject(recorded.label.item.sample.subject)
    return str(LABELS[subject][recorded.label.verdict])


def _refusal(form: LabelForm) -> str:
    """The page's own forms can be wrong in a date or in length only."""
    if "as_of" in form.errors:
        return _("Not saved: the date is none. Write it as 2026-06-30.")
    if form.errors.keys() & {"note", "suggestion"}:
        return _("Not saved: the note is too long. Shorten it and save again.")
    raise NotFound("There is no such answer.")
