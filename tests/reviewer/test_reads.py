"""That staff's looks at people's content are noted, and the log of them."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any

import pytest
from django.db.models import F
from django.http import HttpResponse
from django.shortcuts import render
from django.test import RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver, resolve
from django_htmx.middleware import HtmxDetails

from memory import forgetting, jobs, scope, visiting
from memory.models import Fact, StaffRead, User
from reviewer import plain, wording
from reviewer.views.access import HtmxRequest, reviewer_required, seen, staff_page
from tests import factories
from tests.reviewer import reading
from tests.reviewer.reading import As
from tests.reviewer.watching import watched

# Pages of whoever asks, and those that show staff nothing of anybody's memory or lead on to one that does.
OWN = ("login", "logout", "account", "mfa_", "mine", "openid", "portal", "invite")
NOTING_NOTHING = {
    *("healthz", "metrics", "home", "icon", "reads", "reads-csv", "revoke", "facts-save", "facts-drop", "offers"),
    *("queue-stop", "queue-hold", "sample-close", "sample-extend", "sample-assign", "sample-gold", "samples"),
    *("reports", "report-contradictions", "report-cost", "report-rebuild", "report-csv", "report-svg", "report-png"),
    *("policy", "policy-carry", "policy-propose", "policy-again", "policy-apply", "policy-version", "policy-back"),
}


def noted() -> list[tuple[str, str, str]]:
    """Who saw whom on which page."""
    with scope.staff():
        rows = StaffRead.objects.order_by("pk").values_list("reader__external_id", "user__external_id", "page")
        return [(str(reader), str(person), page) for reader, person, page in rows]


def asked_by(user: User, path: str = "/people/") -> Any:
    request = RequestFactory().get(path)
    request.user = user
    request.htmx = HtmxDetails(request)
    request.resolver_match = resolve(path)
    return request


def test_persons_page_notes_whom_staff_saw(as_: As):
    as_("reviewer").get("/people/maya/refused/")

    assert noted() == [("rita", "maya", "person-refused")]


def test_page_across_people_notes_each_person_once(as_: As, member: User, other_member: User):
    for person in (member, member, other_member):
        factories.make_refusal(person)

    as_("admin").get("/refused/")

    assert noted() == [("ada", "maya", "refused"), ("ada", "jonas", "refused")]


@pytest.mark.parametrize(
    ("path", "page"), [("/people/?q=maya", "people"), ("/conflicts/", "conflicts"), ("/jobs/", "jobs")]
)
def test_each_page_across_people_notes_whom_it_shows(path: str, page: str, as_: As, member: User):
    factories.make_conflict(member, factories.make_fact(member))
    jobs.request([member.pk])

    as_("reviewer").get(path)

    assert noted() == [("rita", "maya", page)]


def test_fragment_notes_like_a_page(as_: As):
    as_("reviewer").get("/people/?q=maya", headers={"HX-Request": "true"})

    assert noted() == [("rita", "maya", "people")]


def test_page_loaded_again_soon_notes_nothing_more(as_: As):
    client = as_("reviewer")

    for path in ("/people/maya/", "/people/maya/", "/people/maya/refused/"):
        client.get(path)

    assert noted() == [("rita", "maya", "person"), ("rita", "maya", "person-refused")]


def test_page_loaded_again_later_is_noted_again(as_: As):
    client = as_("reviewer")
    client.get("/people/maya/")
    with scope.staff():
        StaffRead.objects.update(at=F("at") - visiting.WHILE)

    client.get("/people/maya/")

    assert noted() == [("rita", "maya", "person")] * 2


def test_page_notes_in_one_statement_however_many_it_shows(as_: As):
    client = as_("reviewer")
    factories.make_refusal(factories.make_user())
    few = reading.queries(client, "/refused/")
    for _ in range(29):
        factories.make_refusal(factories.make_user())

    assert reading.queries(client, "/refused/") == few
    assert len(noted()) == 30


def test_members_own_look_is_not_noted(as_: As):
    as_("member").get("/people/maya/")

    assert noted() == []


def test_staff_looking_at_themselves_is_not_noted(as_: As):
    as_("reviewer").get("/people/rita/")

    assert noted() == []


@pytest.mark.parametrize("path", ["/people/maya/facts/999999/", "/people/nobody/", "/people/maya/?status=imagined"])
def test_missing_page_notes_nothing(path: str, as_: As):
    as_("reviewer").get(path)

    assert noted() == []


def test_view_that_acts_may_say_whom_it_showed(staff: dict[str, User], member: User):
    @reviewer_required
    def view(request: HtmxRequest) -> HttpResponse:
        seen(request, [member.pk])
        return HttpResponse()

    view(asked_by(staff["reviewer"]))

    assert noted() == [("rita", "maya", "people")]


def test_being_sent_on_notes_nothing(staff: dict[str, User], member: User):
    @staff_page
    def view(request: HtmxRequest) -> HttpResponse:
        seen(request, [member.pk])
        return HttpResponse(status=302)

    view(asked_by(staff["reviewer"]))

    assert noted() == []


def test_person_who_left_meanwhile_is_not_noted_and_breaks_nothing(staff: dict[str, User], member: User):
    @staff_page
    def view(request: HtmxRequest) -> HttpResponse:
        seen(request, [member.pk, 2**40])
        return HttpResponse()

    assert view(asked_by(staff["reviewer"])).status_code == 200
    assert noted() == [("rita", "maya", "people")]


def test_page_that_forgets_to_say_whom_it_shows_fails_its_tests(staff: dict[str, User], member: User, unwatched: None):
    factories.make_fact(member)

    @staff_page
    def view(request: HtmxRequest) -> HttpResponse:
        return render(request, "404.html", {"rows": [("a fact", {"row": Fact.objects.get()})]})

    with pytest.raises(AssertionError, match="shown to staff"), watched():
        view(asked_by(staff["reviewer"]))


def test_page_that_says_whom_it_shows_passes(staff: dict[str, User], member: User):
    factories.make_fact(member)

    @staff_page
    def view(request: HtmxRequest) -> HttpResponse:
        facts = Fact.objects.all()
        seen(request, (fact.user_id for fact in facts))
        return render(request, "404.html", {"rows": facts})

    with watched():
        view(asked_by(staff["reviewer"]))


def lines(response: HttpResponse) -> list[list[str]]:
    """The cells of the log's rows, without their times."""
    body = unescape(response.content.decode()).split("<tbody>")[-1].split("</tbody>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", body, flags=re.DOTALL)
    return [
        [" ".join(re.sub(r"<[^>]*>", " ", cell).split()) for cell in re.findall(r"<td.*?</td>", row)[1:]]
        for row in rows
    ]


def look(reader: User, person: User, page: str = "person") -> None:
    with scope.staff():
        StaffRead.objects.create(reader=reader, user=person, page=page)


def test_log_shows_the_latest_look_first(as_: As, staff: dict[str, User], member: User, other_member: User):
    look(staff["reviewer"], member)
    look(staff["admin"], other_member, "refused")

    response = as_("admin").get("/reads/")

    assert lines(response) == [
        ["Ada", "Jonas Brandt", "Refused candidates of everyone"],
        ["Rita", "Maya Okafor", "A person's facts"],
    ]


def test_log_tells_looks_of_a_day_at_a_page_in_one_line(
    as_: As, staff: dict[str, User], member: User, other_member: User
):
    for page in ("person", "fact", "person"):
        look(staff["reviewer"], member, page)
    look(staff["reviewer"], other_member)

    response = as_("admin").get("/reads/")

    assert lines(response) == [
        ["Rita", "Jonas Brandt , Maya Okafor 2 times", "A person's facts"],
        ["Rita", "Maya Okafor", "A fact"],
    ]


@pytest.mark.parametrize("query", ["reader=rita", "person=maya", "page=person"])
def test_log_narrows_by_reader_person_and_page(query: str, as_: As, staff: dict[str, User], member: User):
    look(staff["reviewer"], member)
    look(staff["admin"], factories.make_user(), "refused")

    response = as_("admin").get(f"/reads/?{query}")

    assert lines(response) == [["Rita", "Maya Okafor", "A person's facts"]]


def test_log_by_htmx_answers_with_the_list_alone(as_: As):
    response = as_("admin").get("/reads/", headers={"HX-Request": "true"})

    assert response.content.strip().startswith(b'<div id="reads"')


def test_log_of_thirty_looks_takes_as_many_queries_as_of_one(as_: As, staff: dict[str, User], member: User):
    client = as_("admin")
    look(staff["reviewer"], member)
    few = reading.queries(client, "/reads/")
    for _ in range(29):
        look(staff["reviewer"], factories.make_user())

    assert reading.queries(client, "/reads/") == few


def test_reading_the_log_is_no_look_at_anybody(as_: As, staff: dict[str, User], member: User):
    look(staff["reviewer"], member)

    as_("admin").get("/reads/")

    assert noted() == [("rita", "maya", "person")]


def test_log_as_a_table_is_whole_and_holds_no_formula(as_: As, staff: dict[str, User]):
    person = factories.make_user("=HYPERLINK(1)")
    for _ in range(40):
        look(staff["reviewer"], person)

    response = as_("admin").get("/reads/log.csv")

    rows = list(csv.reader(io.StringIO(b"".join(response).decode("utf-8-sig"))))  # type: ignore[arg-type]
    assert (rows[0], len(rows), rows[1][1:]) == (
        ["when", "reader", "person", "page"],
        41,
        ["rita", "'=HYPERLINK(1)", "person"],
    )


def test_look_of_a_login_that_is_gone_stays_in_the_log(as_: As, staff: dict[str, User], member: User):
    look(staff["reviewer"], member)
    forgetting.depart(staff["reviewer"], actor="test")

    response = as_("admin").get("/reads/")

    assert lines(response) == [["a login that is gone", "Maya Okafor", "A person's facts"]]


def test_route_that_notes_a_look_has_a_word_for_the_log_and_a_place_for_the_person():
    noting = {name for name in names(get_resolver().url_patterns) if not name.startswith(OWN)} - NOTING_NOTHING

    assert noting - set(wording.PAGES) == set()
    assert {name for name in noting if not any(name.startswith(begun) for begun in plain.PLACES)} == set()


def names(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[str]:
    """Of all pages of the site, not of what agents ask."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            yield pattern.name or str(pattern.pattern)
        elif pattern.namespace is None:
            yield from names(pattern.url_patterns)
