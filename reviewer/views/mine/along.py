"""Taking memory along, and bringing conversations from elsewhere."""

import logging
from typing import Any, cast

from django.contrib import messages
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from memory import scope, tasks
from memory.errors import MemoryPaused, Refused
from memory.mine import bringing, exporting, transfers
from memory.types import TransferState
from reviewer import plain
from reviewer.celery import BROKER_AWAY
from reviewer.uploads import Limited
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, signed_in
from reviewer.views.mine import room

SHOWN = 300
"""Conversations of a file that can be chosen one by one; more are taken all or none."""
log = logging.getLogger(__name__)


@room.page
def overview(request: HtmxRequest) -> HttpResponse:
    """Exports and brought files, how far they are, and what can be done next.

    To a page that asks whether one is fetched by now, nothing until it is.
    """
    rows = list(transfers.current(request.user.pk).values())
    asked = asking.number(request, "fetched")
    fetched = next((row for row in rows if row.pk == asked), None)
    if request.htmx and fetched and not fetched.fetched_at:
        return HttpResponse(status=204)
    context = {
        "fetched": fetched,
        "exports": [row for row in rows if row.kind == "export"],
        "imports": [row for row in rows if row.kind == "import"],
        "is_busy": any(row.state in transfers.OPEN for row in rows),
        "largest": filesizeformat(bringing.LARGEST),
    }
    return room.show(request, "along.html#transfers", context)


@room.act
def export(request: HtmxRequest) -> HttpResponse:
    """Begins an export; while one is being made, that one goes on."""
    row = exporting.ask(request.user.pk)
    _publish(request.user.pk, row.pk)
    return redirect("mine-along")


@room.act
def fetch(request: HtmxRequest, transfer_id: int) -> HttpResponse:
    """The finished ZIP, once."""
    try:
        parts = transfers.fetch(request.user.pk, transfer_id)
    except Refused:
        messages.info(request, _("This export was fetched already, or is not ready yet. You can make a new one."))
        return redirect("mine-along")
    response: Any = StreamingHttpResponse(parts, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="memory-{timezone.localdate():%Y-%m-%d}.zip"'
    return cast("HttpResponse", response)


@room.act
def drop(request: HtmxRequest, transfer_id: int) -> HttpResponse:
    """Removes an export or a brought file."""
    with scope.user(request.user.pk):
        transfers.one(request.user.pk, transfer_id)
        transfers.drop(request.user.pk, transfer_id)
    messages.success(request, _("It is removed."))
    return redirect("mine-along")


@csrf_exempt
@signed_in
def bring(request: HtmxRequest) -> HttpResponse:
    """Takes a file in; it is limited while it comes, so the form's token is looked at only then."""
    request.upload_handlers = [Limited(request)]
    return _bring(request)


@csrf_protect
@room.act
def _bring(request: HtmxRequest) -> HttpResponse:
    file, handler = request.FILES.get("file"), cast("Limited", request.upload_handlers[0])
    if handler.is_too_large or file is None:
        return _refused(request, "too_large" if handler.is_too_large else "missing")
    try:
        row = bringing.receive(request.user.pk, file.chunks(1 << 16), name=file.name or "")
    except Refused as error:
        return _refused(request, error.reason)
    _publish(request.user.pk, row.pk)
    return redirect("mine-along")


def _refused(request: HtmxRequest, code: str) -> HttpResponse:
    messages.error(request, str(plain.TRANSFERS[code]))
    return redirect("mine-along")


@room.page
def brought(request: HtmxRequest, transfer_id: int) -> HttpResponse:
    """What a brought file holds, before anything is learnt from it."""
    row = transfers.one(request.user.pk, transfer_id)
    if row.state != TransferState.PREVIEWED:
        return redirect("mine-along")
    found = bringing.listing(request.user.pk, transfer_id)
    days = sorted(filter(None, [day for one in found for day in (one.first, one.last)]))
    context = {
        "transfer": row,
        "listed": list(enumerate(found))[:SHOWN],
        "more": max(0, len(found) - SHOWN),
        "first": days[0] if days else "",
        "last": days[-1] if days else "",
    }
    return room.show(request, "brought.html", context)


@room.act
def learn(request: HtmxRequest, transfer_id: int) -> HttpResponse:
    """The yes to what was brought: all of it, or what was ticked."""
    given = request.POST.getlist("place")
    chosen = (
        None if request.POST.get("all") else [int(each[:9]) for each in given if each.isascii() and each.isdecimal()]
    )
    try:
        bringing.choose(request.user.pk, transfer_id, chosen)
    except (Refused, MemoryPaused) as error:
        code = error.reason if isinstance(error, Refused) else "paused"
        messages.error(request, str(plain.TRANSFERS[code]))
        return redirect("mine-brought", transfer_id)
    _publish(request.user.pk, transfer_id)
    return redirect("mine-along")


def _publish(user_id: int, transfer_id: int) -> None:
    """Without a broker it waits for the sweep."""
    try:
        tasks.transfer.delay(user_id, transfer_id)
    except BROKER_AWAY:
        log.warning("the broker is away: the transfer waits for the sweep")
