"""Who of the staff looked at whom: the log, for admins."""

from collections.abc import Iterator
from typing import cast

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from memory import scope
from memory.browsing import readers
from memory.models import StaffRead
from reviewer import wording
from reviewer.tables import csv_response
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, admin_page, admin_required
from reviewer.views.answering import respond

_CHUNK = 2000


@require_safe
@admin_page
def reads(request: HtmxRequest) -> HttpResponse:
    """The log, the latest first, by reader, person and page."""
    asked = _asked(request)
    page = readers.reads(asking.cursor(request), **asked)
    return respond(request, "reads/page.html#reads", {"asked": asked, "page": page, "pages": wording.PAGES})


@require_safe
@admin_required
def table(request: HtmxRequest) -> HttpResponse:
    """The same as a table to take along, whole."""
    header = ("when", "reader", "person", "page")
    return cast(HttpResponse, csv_response("reads.csv", header, _lines(_asked(request))))


def _asked(request: HttpRequest) -> dict[str, str]:
    given = {name: request.GET.get(name, "").replace("\x00", "").strip()[:200] for name in ("reader", "person")}
    return given | {"page": asking.choice(request, "page", wording.PAGES) or ""}


def _lines(asked: dict[str, str]) -> Iterator[tuple[str, ...]]:
    rows = StaffRead.objects.select_related("reader", "user").order_by("-id")
    with scope.staff():
        for row in readers.narrowed(rows, **asked).iterator(_CHUNK):
            yield row.at.isoformat(), row.reader.external_id if row.reader else "", row.user.external_id, row.page
