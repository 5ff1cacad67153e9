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
from memory.review import grounds, reports
from memory.review.reports import Result
from reviewer.embedded import ServerFailed
from reviewer.views.access import HtmxRequest
from reviewer.views.answering import respond

WAITING = "waiting"
"""In the address of a page that asks again whether its report is built."""
log = logging.getLogger(__name__)


def stored(kind: str, about: str = "", *, since: datetime | None = None, again: bool = False) -> Result:
    """The result as it is, with a worker told where it has just been asked for. Inside the staff scope."""
    result = reports.ask(kind, about, since=since, ground=grounds.of(kind, about), again=again)
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


def show(request: HtmxRequest, page: str, report: Result, context: Mapping[str, Any], *beside: Result) -> HttpResponse:
    """The page around a result, and what stands beside it. To one that waits nothing is sent until there is news."""
    building = [each for each in (report, *beside) if each.is_building]
    state = ".".join(str(each.gone.people if each.gone else 0) for each in building)
    if request.htmx and building and request.GET.get(WAITING) == state:
        return HttpResponse(status=204)
    wait = {"waiting": _again(request, state), "building": building}
    return respond(request, f"{page}#report", {"report": report, **wait, **context})


def _again(request: HtmxRequest, state: str) -> str:
    """The page's own address, to ask once more with; it says what the page knows of what it waits for."""
    query = request.GET.copy()
    query[WAITING] = state
    return f"{request.path}?{query.urlencode()}"
