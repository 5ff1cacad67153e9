"""What all pages of reports share: the stored result, its state, and asking a worker to build it."""

import logging
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from kombu.exceptions import OperationalError

from memory import tasks
from memory.review import reports
from memory.review.reports import Result
from reviewer.embedded import ServerFailed
from reviewer.views.access import HtmxRequest
from reviewer.views.answering import respond

WAITING = "waiting"
"""In the address of a page that asks again whether its report is built."""
log = logging.getLogger(__name__)


def stored(kind: str, about: str = "", *, since: datetime | None = None, again: bool = False) -> Result:
    """The result as it is, with a worker told where it has just been asked for. Inside the staff scope."""
    result = reports.ask(kind, about, since=since, again=again)
    if result.is_new:
        tell(kind, about)
    return result


def tell(kind: str, about: str) -> None:
    """Has a worker build what was asked for, once that is stored."""
    transaction.on_commit(partial(_nudge, kind, about))


def _nudge(kind: str, about: str) -> None:
    """Without a broker the report waits for the timer."""
    try:
        tasks.build_report.delay(kind, about)
    except (OperationalError, OSError, ServerFailed):
        log.warning("the broker does not answer: report %s waits for the timer", kind)


def show(request: HtmxRequest, page: str, report: Result | None, context: Mapping[str, Any]) -> HttpResponse:
    """The page around a result. To one that waits for it nothing is sent until it is there."""
    if WAITING in request.GET and request.htmx and report is not None and report.is_building:
        return HttpResponse(status=204)
    return respond(request, f"{page}#report", {"report": report, "waiting": _again(request), **context})


def _again(request: HtmxRequest) -> str:
    """The page's own address, to ask once more with."""
    query = request.GET.copy()
    query[WAITING] = "1"
    return f"{request.path}?{query.urlencode()}"
