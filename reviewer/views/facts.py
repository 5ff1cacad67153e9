"""Facts across people: looking for them, keeping a search, taking it along, retiring many at once."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memory import policies, scope
from memory.browsing import facts as listed
from memory.browsing import people, searching
from memory.browsing.facts import Shown, Sureness
from memory.browsing.paging import Page
from memory.browsing.searching import Age, Counted, Flag, Sought
from memory.confidence import RANKS
from memory.errors import NotFound, Refused
from memory.review import retiring, shelving
from memory.types import Basis, Kind, Status
from reviewer.tables import csv_response
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, reviewer_required, seen, staff_page
from reviewer.views.answering import respond

PAGE = "facts"
_STATUSES = (listed.LIVE_ONES, *(status.value for status in Status), listed.ALL)
_HEADERS = {"user__external_id": "external_id", "entity__note": "subject_note"}
_CHOICES: dict[str, Sequence[str]] = {
    "kind": [kind.value for kind in Kind],
    "source": list(RANKS),
    "basis": [basis.value for basis in Basis],
    "language": [code for code, _name in settings.LANGUAGES],
    "age": [age.value for age in Age],
    "sureness": [sureness.value for sureness in Sureness],
    "flag": [flag.value for flag in Flag],
}


@require_safe
@staff_page
def facts(request: HtmxRequest) -> HttpResponse:
    """A page of what is looked for; of one person, what an agent would be given."""
    sought = _sought(request)
    is_recall = bool(request.GET.get("recall") and sought.words and sought.person)
    hits = None if is_recall else searching.hits(sought)
    page = _recalled(sought) if is_recall else searching.page(sought, asking.cursor(request), hits)
    alike = [] if page.rows or not sought.words else searching.alike(sought.words)
    seen(request, (shown.row.user_id for shown in [*page.rows, *alike]))
    context = {
        "sought": sought,
        "page": page,
        "alike": alike,
        "is_recall": is_recall,
        "counted": Counted(len(page.rows), is_more=False) if is_recall else searching.counted(sought, hits),
        "statuses": _STATUSES,
        "choices": _CHOICES,
        "predicates": sorted(policies.current().vocabulary.cardinality),
        "views": shelving.views(request.user, PAGE),
        "query": _query(request),
    }
    return respond(request, "facts/page.html#facts", context)


@require_safe
@staff_page
def export(request: HtmxRequest) -> HttpResponse:
    """All that fits, as a spreadsheet takes it for text. Whose facts they are is noted before the first is sent."""
    sought = _sought(request)
    owners = searching.owners(sought)
    seen(request, owners)
    header = [_HEADERS.get(name, name) for name in searching.COLUMNS]
    return cast(HttpResponse, csv_response("facts.csv", header, _lines(sought, owners)))


@require_http_methods(["GET", "HEAD", "POST"])
@reviewer_required
def retire(request: HtmxRequest) -> HttpResponse:
    """What retiring the chosen facts would do; with a reason, doing it. Afterwards the same page takes it back."""
    ids = _chosen(request)
    error = ""
    if request.method == "POST":
        try:
            count = retiring.retire(ids, actor=request.user, note=request.POST.get("note", ""))
        except Refused as refusal:
            error = str(refusal)
        else:
            told = ngettext("%(n)d fact is retired.", "%(n)d facts are retired.", count)
            messages.success(request, told % {"n": count})
            return _after(request, ids)
    return _chosen_page(request, ids, error=error)


@require_POST
@reviewer_required
def restore(request: HtmxRequest) -> HttpResponse:
    """Takes back what this member of staff retired of the chosen facts."""
    ids = _chosen(request)
    count = retiring.restore(ids, actor=request.user)
    told = ngettext("%(n)d fact is back.", "%(n)d facts are back.", count)
    messages.success(request, told % {"n": count})
    return _after(request, ids)


@require_POST
@reviewer_required
def save(request: HtmxRequest) -> HttpResponse:
    """Keeps the search that stands in `query` under a name."""
    query = request.POST.get("query", "").removeprefix("?")
    try:
        with scope.staff():
            view = shelving.save(request.user, request.POST.get("name", ""), page=PAGE, query=query)
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Kept as “%(name)s”.") % {"name": view.name})
    return redirect(f"{reverse('facts')}?{query}")


@require_POST
@reviewer_required
def drop(request: HtmxRequest, view_id: int) -> HttpResponse:
    """Drops a kept search of one's own."""
    with scope.staff():
        shelving.drop(request.user, view_id)
    messages.success(request, _("The search is dropped."))
    return redirect("facts")


def _sought(request: HttpRequest) -> Sought:
    """What the URL asks for. Words and names may be anything, all else is one of the choices."""
    chosen = {name: asking.choice(request, name, among) or "" for name, among in _CHOICES.items()}
    return Sought(
        words=asking.words(request, "q"),
        person=asking.words(request, "person"),
        predicate=asking.words(request, "predicate"),
        status=asking.choice(request, "status", _STATUSES) or listed.LIVE_ONES,
        **chosen,
    )


def _recalled(sought: Sought) -> Page[Shown]:
    """As an agent would be given them; nothing of somebody who does not exist."""
    try:
        return Page(searching.recalled(people.person(sought.person), sought.words))
    except NotFound:
        return Page([])


def _query(request: HttpRequest) -> str:
    """The search without the place in its list, nor what was left open."""
    query = request.GET.copy()
    for name in [name for name in query if name in {"after", "before", "last"} or not query[name]]:
        del query[name]
    return query.urlencode()


def _lines(sought: Sought, owners: Collection[int]) -> Iterator[list[object]]:
    with scope.staff():
        for fact in searching.each(sought, owners):
            yield [fact[name] for name in searching.COLUMNS]


def _chosen(request: HttpRequest) -> list[int]:
    given = request.POST.getlist("fact") or request.GET.getlist("fact")
    return [number for one in given if (number := asking.whole(one)) is not None][: retiring.MOST]


def _chosen_page(request: HtmxRequest, ids: list[int], *, error: str = "") -> HttpResponse:
    with scope.staff():
        going = retiring.going(ids)
        seen(request, (fact.user_id for fact in [*going.facts, *going.retired]))
        context: dict[str, Any] = {"going": going, "error": error, "note": request.POST.get("note", "")}
        return respond(request, "facts/retire.html#chosen", context)


def _after(request: HtmxRequest, ids: list[int]) -> HttpResponse:
    if request.htmx:
        return _chosen_page(request, ids)
    return redirect(f"{reverse('facts-retire')}?{'&'.join(f'fact={pk}' for pk in ids)}")
