"""That staff's looks at people's content are noted, and the log of them."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.shortcuts import render
from django.test import RequestFactory
from django.urls import resolve
from django_htmx.middleware import HtmxDetails

from memory import jobs, scope
from memory.models import Fact, StaffRead, User
from reviewer.views.access import HtmxRequest, reviewer_required, seen, staff_page
from tests import factories
from tests.reviewer import reading
from tests.reviewer.reading import As
from tests.reviewer.watching import watched


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


def test_page_notes_in_one_statement_however_many_it_shows(as_: As):
    client = as_("reviewer")
    factories.make_refusal(factories.make_user())
    few = reading.queries(client, "/refused/")
    for _ in range(29):
        factories.make_refusal(factories.make_user())

    assert reading.queries(client, "/refused/") == few
    assert len(noted()) == 1 + 30


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
