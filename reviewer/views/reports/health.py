"""The known ways in which memory goes wrong, each as it stands. Whether the process can serve is at /healthz."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from memory.browsing import reporting
from memory.models import Fact, User
from memory.review import reports
from reviewer import checks
from reviewer.checks import Told
from reviewer.views.access import HtmxRequest, seen, staff_page
from reviewer.views.reports import frame


class Check(NamedTuple):
    """One check with some of the rows behind it."""

    name: str
    level: str
    told: Told
    counted: str
    link: str
    facts: Sequence[Fact]
    people: Sequence[User]


@require_safe
@staff_page
def health(request: HtmxRequest) -> HttpResponse:
    """What asks for action first."""
    report = frame.stored(reports.HEALTH)
    found = _checks(report.numbers) if report.numbers else []
    seen(request, (fact.user_id for check in found for fact in check.facts))
    seen(request, (person.pk for check in found for person in check.people))
    context = {
        "levels": [
            (code, word, [each for each in found if each.level == code]) for code, word in checks.LEVELS.items()
        ],
        "sentence": checks.first(report.numbers["levels"]) if report.numbers else "",
    }
    return frame.show(request, "reports/health.html", report, context)


def _checks(numbers: Mapping[str, Any]) -> list[Check]:
    facts = reporting.facts([pk for pairs in numbers["facts"].values() for _user, pk in pairs])
    people = reporting.people([pk for ids in numbers["people"].values() for pk in ids or ()])
    return [
        Check(
            name,
            numbers["levels"][name],
            told,
            checks.counted(name, numbers["counted"]),
            _link(told),
            [facts[pk] for _user, pk in numbers["facts"].get(name, ()) if pk in facts],
            [people[pk] for pk in numbers["people"].get(name) or () if pk in people],
        )
        for name, told in checks.CHECKS.items()
    ]


def _link(told: Told) -> str:
    return reverse(told.route) + (f"?{told.query}" if told.query else "")
