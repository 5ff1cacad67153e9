"""Reports as files: pictures, tables; and asking for one to be built anew."""

import base64
import csv
import io
from collections.abc import Iterator

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory import scope
from memory.portability.exporting import inert
from memory.review import reports, tabulating
from memory.review.reports import Result
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, reviewer_required, staff_page
from reviewer.views.reports import frame

SCHEMES = {"": "svg", "dark": "dark"}
PAGES = {
    reports.PRECISION: "reports",
    reports.COURSE: "reports",
    reports.CONTRADICTIONS: "report-contradictions",
    reports.REVIEWERS: "report-reviewers",
    reports.GATE: "report-gate",
    reports.DECISIONS: "report-decisions",
    reports.COST: "report-cost",
    reports.HEALTH: "health",
}
"""Where each kind of report is shown."""


@require_safe
@staff_page
def svg(request: HtmxRequest, report_id: int, picture: str) -> HttpResponse:
    """A picture, in the colours of a light page or of a dark one."""
    scheme = asking.choice(request, "scheme", SCHEMES)
    drawn = reports.picture(report_id, picture, SCHEMES[scheme or ""])
    return HttpResponse(drawn, content_type="image/svg+xml; charset=utf-8")


@require_safe
@staff_page
def png(_request: HtmxRequest, report_id: int, picture: str) -> HttpResponse:
    """A picture to be put into a document."""
    drawn = base64.b64decode(reports.picture(report_id, picture, "png"))
    return HttpResponse(drawn, headers=_attached(f"{picture}.png", "image/png"))


@require_safe
@staff_page
def table(_request: HtmxRequest, report_id: int) -> HttpResponse:
    """All of a report's tables, one under the other, for a spreadsheet."""
    report = reports.named(report_id)
    headers = _attached(f"{report.kind}-{report.about or 'all'}.csv", "text/csv; charset=utf-8")
    return HttpResponse("".join(_lines(report)), headers=headers)


def _lines(report: Result) -> Iterator[str]:
    """UTF-8 with its mark, so that spreadsheets know; no cell is a formula."""
    written = io.StringIO()
    writer = csv.writer(written, quoting=csv.QUOTE_ALL)
    writer.writerow(tabulating.COLUMNS)
    for row in tabulating.rows(report.kind, report.numbers or {}):
        writer.writerow(inert(row.get(name)) for name in tabulating.COLUMNS)
    yield "\ufeff"
    yield written.getvalue()


def _attached(name: str, content_type: str) -> dict[str, str]:
    return {"Content-Type": content_type, "Content-Disposition": f'attachment; filename="{name}"'}


@require_POST
@reviewer_required
def rebuild(request: HtmxRequest, report_id: int) -> HttpResponse:
    """Has a report built anew; what was built before is shown until then. Asked twice, it is built once."""
    with scope.staff():
        kind, about = reports.whose(report_id)
        if kind not in PAGES:
            raise Http404
        frame.stored(kind, about, again=True)
    messages.success(request, _("The report is being built anew."))
    page = redirect(PAGES[kind])
    if about:
        page["Location"] += f"?sample={about}"
    return page
