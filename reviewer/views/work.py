"""The jobs that read what people said."""

import logging

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from kombu.exceptions import OperationalError

from memory import jobs as working
from memory import scope, tasks
from memory.browsing import work
from memory.models import JobState
from reviewer.embedded import ServerFailed
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, reviewer_required, seen, staff_page
from reviewer.views.answering import respond

log = logging.getLogger(__name__)


@require_safe
@staff_page
def jobs(request: HtmxRequest) -> HttpResponse:
    """What failed, runs, waits and is done."""
    return _page(request)


@require_POST
@reviewer_required
def rerun(request: HtmxRequest, job_id: int) -> HttpResponse:
    """Puts a job and its failed episodes back to work. Asked twice, it waits as it did."""
    with scope.staff():
        user_id = work.owner(job_id)
    working.retry_failed([user_id])
    _nudge(user_id)
    messages.success(request, _("Put back to work. Reload the page to see how far it is."))
    if not request.htmx:
        return redirect("jobs")
    with scope.staff():
        return _page(request)


def _page(request: HtmxRequest) -> HttpResponse:
    state = asking.choice(request, "state", [state.value for state in JobState])
    page, imports = work.page(asking.cursor(request), state=JobState(state) if state else None), work.imports()
    seen(request, [*(job.row.user_id for job in page.rows), *(row.user_id for row in imports)])
    context = {"state": state, "counts": work.counts(), "page": page, "imports": imports}
    return respond(request, "jobs/page.html#jobs", context)


def _nudge(user_id: int) -> None:
    """Without a broker the job waits for the sweep."""
    try:
        tasks.work.delay(user_id)
    except (OperationalError, OSError, ServerFailed):
        log.warning("the broker does not answer: the job waits for the sweep")
