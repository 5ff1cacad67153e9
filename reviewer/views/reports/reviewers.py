"""How far reviewers agree, how fast they are, and what they have still to settle among themselves."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from memory.browsing import reporting
from memory.review import reports
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, seen, staff_page
from reviewer.views.reports import frame

PAGE = 20


@require_safe
@staff_page
def reviewers(request: HtmxRequest) -> HttpResponse:
    """Everybody's figures, and one page of what people judge differently."""
    report = frame.stored(reports.REVIEWERS)
    numbers: Mapping[str, Any] = report.numbers or {"disagreements": [], "reviewers": []}
    ids, after = _page(numbers["disagreements"], asking.number(request, "after"))
    disagreements = reporting.disagreements(ids)
    seen(request, (each.item.user_id for each in disagreements if each.item.user_id))
    names = reporting.names([each["reviewer"] for each in numbers["reviewers"]])
    context = {
        "people": [(names.get(each["reviewer"], ""), each) for each in numbers["reviewers"]],
        "disagreements": disagreements,
        "after": after,
    }
    return frame.show(request, "reports/reviewers.html", report, context)


def _page(ids: Sequence[int], after: int | None) -> tuple[Sequence[int], int | None]:
    """Ids of one page, and the one that the next begins after."""
    if after is not None and after not in ids:
        raise Http404
    start = 0 if after is None else ids.index(after) + 1
    page = ids[start : start + PAGE]
    return page, page[-1] if len(ids) > start + PAGE else None
