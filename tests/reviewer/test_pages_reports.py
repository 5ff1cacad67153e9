"""The reports' pages: the first sentence, tables, pictures, files, and waiting for what is not built."""

import csv
import io
import re
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client

from memory import forgetting, scope
from memory.models import Report, Sample, StaffRead, User
from memory.review import building, reports
from tests import factories, labelled, reported
from tests.factories import WHEN
from tests.labelled import CORRECT, INCORRECT
from tests.reviewer import reading
from tests.reviewer.reading import As

HTMX = {"HX-Request": "true"}
PAGES = ["/reports/", "/reports/contradictions/", "/reports/reviewers/"]


def headline(client: Client, path: str = "/reports/") -> str:
    (found,) = reading.found(client.get(path), r'<p class="headline">(.*?)</p>')
    return found


def rows(response: Any, caption: str) -> list[str]:
    """The rows of the table of this name, each as its words."""
    (body,) = reading.found(response, rf'<caption class="unseen">{caption}</caption>.*?<tbody>(.*?)</tbody>')
    found = body.split("</tr>")[:-1]
    return [" ".join(re.sub(r"<[^>]*>", " ", row).split()) for row in found]


@pytest.fixture
def sample(db: None) -> Any:
    sample = labelled.closed_sample(*[CORRECT] * 28, *[INCORRECT] * 2, name="Weekly")
    building.build(reports.PRECISION, str(sample.pk))
    building.build(reports.COURSE)
    return sample


def test_first_line_is_one_plain_sentence(as_: As, sample: Any):
    assert headline(as_("reviewer")) == (
        "28 of 30 sampled facts were right. That is not yet enough to say that memory is above 90 %: label a fresh 240."
    )


def test_both_precisions_stand_with_their_intervals_and_what_decided(as_: As, sample: Any):
    assert rows(as_("reviewer").get("/reports/"), "True now, and true once") == [
        "True now 28 of 30 93.3 % 78.7–98.2 % 80.5 % 98.8 %",
        "True once 28 of 30 93.3 % 78.7–98.2 % 80.5 % 98.8 %",
    ]


def test_slices_stand_in_words_and_small_ones_without_a_rate(as_: As, db: None):
    sample = labelled.make_sample(size=13, strata={"": [1_000_000, 13]})
    labelled.add_items(sample, *[CORRECT] * 9, INCORRECT, kind="identity", source="user")
    labelled.add_items(sample, *[CORRECT] * 3, kind="goal", source="imported:x")
    building.build(reports.PRECISION, str(sample.pk))

    response = as_("reviewer").get("/reports/")

    assert rows(response, "By kind") == ["Identity 9 of 10 90 % 59.6–98.2 %", "Goal 3 of 3 too few for a rate"]
    assert rows(response, "By source") == ["The user 9 of 10 90 % 59.6–98.2 %", "Imported 3 of 3 too few for a rate"]


def test_of_many_slices_the_largest_stand_on_the_page_and_all_in_the_file(as_: As, db: None):
    sample = labelled.make_sample(size=28, strata={"": [1_000_000, 28]})
    for version in range(14):
        labelled.add_items(sample, *[CORRECT] * (2 if version > 10 else 1), policy_version=version)
    building.build(reports.PRECISION, str(sample.pk))

    response = as_("reviewer").get("/reports/")

    shown = [row.split()[0] for row in rows(response, "By policy version")]
    assert shown == ["11", "12", "13", "0", "1", "10", "2", "3", "4", "5", "6", "7"]
    assert reading.found(response, r"(12 of 14); all are") == ["12 of 14"]
    assert sum(row["table"] == "policy_version" for row in table(as_("reviewer"), "precision")) == 2 * 14


def test_without_a_sample_the_page_says_how_to_begin(as_: As):
    assert headline(as_("reviewer")) == (
        "No random sample of all that is believed has been labelled to its end yet. Draw one of 30 to begin."
    )


def test_sample_asked_for_is_shown(as_: As, sample: Any):
    other = labelled.closed_sample(*[CORRECT] * 30, closed_at=WHEN - timedelta(days=9))
    building.build(reports.PRECISION, str(other.pk))

    assert headline(as_("reviewer"), f"/reports/?sample={other.pk}").startswith("All 30 sampled facts were right.")


@pytest.mark.parametrize("path", ["?sample=99999999", "?sample=x", "?sample=-1", "reviewers/?after=5"])
def test_address_of_nothing_is_missing(path: str, as_: As):
    assert as_("reviewer").get(f"/reports/{path}").status_code == 404


@pytest.mark.parametrize("subject", ["resolutions", "refusals"])
def test_sample_of_something_else_is_missing(subject: str, as_: As):
    sample = labelled.closed_sample(CORRECT, subject=subject)

    assert as_("reviewer").get(f"/reports/?sample={sample.pk}").status_code == 404


@pytest.mark.parametrize("path", PAGES)
def test_page_of_what_is_not_built_waits_and_puts_it_down_once(path: str, as_: As):
    labelled.closed_sample(CORRECT)
    client = as_("reviewer")

    first, second = client.get(path), client.get(path)

    assert [reading.found(each, r'<div class="building[^>]*>\s*<p>(.*?)</p>') for each in (first, second)] == [
        ["The report is being built. That takes seconds, and up to a minute where much is remembered."]
    ] * 2
    with scope.staff():
        assert Report.objects.filter(built_at=None).count() == (2 if path == "/reports/" else 1)


def test_page_of_what_is_not_built_tells_a_worker_once(as_: As, django_capture_on_commit_callbacks: Any):
    client = as_("reviewer")

    told = []
    for _ in range(2):
        with django_capture_on_commit_callbacks() as callbacks:
            client.get("/reports/contradictions/")
        told.append([callback.args for callback in callbacks if isinstance(callback, partial)])

    assert told == [[("contradictions", "")], []]


@pytest.mark.parametrize("path", PAGES)
def test_page_that_asks_again_gets_nothing_until_it_is_built(path: str, as_: As):
    sample = labelled.closed_sample(CORRECT)
    client = as_("reviewer")
    (address,) = reading.found(client.get(path), r'hx-get="([^"]*waiting=[^"]*)"')

    before = client.get(address, headers=HTMX).status_code
    for kind, about in [
        (reports.PRECISION, str(sample.pk)),
        *((kind, "") for kind in (reports.COURSE, reports.CONTRADICTIONS, reports.REVIEWERS)),
    ]:
        building.build(kind, about)
    after = client.get(address, headers=HTMX)

    assert before == 204
    assert (after.status_code, after.content.decode().lstrip()[:16]) == (200, '<div id="report"')
    assert reading.found(after, r'<div class="building') == []


def test_sample_closed_again_after_it_was_built_is_built_anew(as_: As, sample: Any):
    with scope.staff():
        Sample.objects.update(look=2)

    response = as_("reviewer").get("/reports/")

    assert reading.found(response, r'<div class="building[^>]*>\s*<p>(.*?)</p>') == [
        "The report is being built anew. What is shown is the one before."
    ]


def test_report_that_stands_is_not_said_to_be_built_while_its_course_is(as_: As, sample: Any):
    with scope.staff():
        Report.objects.filter(kind="precision").update(error="KeyError in report, line 7")
        Report.objects.filter(kind="course").delete()

    response = as_("reviewer").get("/reports/")

    assert reading.found(response, r'<div class="building[^>]*>\s*<p>(.*?)</p>') == [
        "What belongs beside the report is being built."
    ]
    assert reading.found(response, r"<code>(.*?)</code>") == ["KeyError in report, line 7"]


def test_report_that_broke_says_so_and_offers_to_build_it_again(as_: As, sample: Any):
    with scope.staff():
        Report.objects.filter(kind="precision").update(error="KeyError in report, line 7")

    response = as_("reviewer").get("/reports/")

    assert reading.found(response, r"<code>(.*?)</code>") == ["KeyError in report, line 7"]
    assert headline(as_("reviewer")).startswith("28 of 30")


@pytest.mark.parametrize(
    ("kind", "page"),
    [
        (reports.COURSE, "/reports/"),
        (reports.CONTRADICTIONS, "/reports/contradictions/"),
        (reports.REVIEWERS, "/reports/reviewers/"),
    ],
)
def test_building_again_leads_back_to_the_page_and_twice_is_as_once(kind: str, page: str, as_: As):
    number = reported.report_with_a_picture(kind)
    client = as_("reviewer")

    answers = [client.post(f"/reports/{number}/rebuild/") for _ in range(2)]

    assert [(each.status_code, each["Location"]) for each in answers] == [(302, page)] * 2
    with scope.staff():
        assert list(reports.due()) == [(kind, "")]


def test_building_a_samples_report_again_leads_back_to_the_sample(as_: As, sample: Any):
    with scope.staff():
        number = Report.objects.get(kind="precision").pk

    answer = as_("reviewer").post(f"/reports/{number}/rebuild/")

    assert answer["Location"] == f"/reports/?sample={sample.pk}"


def test_building_again_by_link_is_refused(as_: As):
    number = reported.report_with_a_picture()

    assert as_("reviewer").get(f"/reports/{number}/rebuild/").status_code == 405


@pytest.mark.parametrize("path", ["99999999/rebuild/", "99999999/table.csv", "99999999/precision.svg"])
def test_report_that_is_not_there_is_missing(path: str, as_: As):
    client = as_("reviewer")

    answer = client.post(f"/reports/{path}") if "rebuild" in path else client.get(f"/reports/{path}")

    assert answer.status_code == 404


def test_pictures_come_from_the_site_itself_in_two_schemes(as_: As):
    number = reported.report_with_a_picture()
    client = as_("reviewer")

    light, dark, png = (client.get(f"/reports/{number}/precision.{form}") for form in ("svg", "svg?scheme=dark", "png"))

    assert (light["Content-Type"], light.content.decode()) == ("image/svg+xml; charset=utf-8", reported.SVG)
    assert ">y<" in dark.content.decode()
    assert (png["Content-Type"], png.content) == ("image/png", b"\x89PNG\r\n\x1a\n")
    assert png["Content-Disposition"] == 'attachment; filename="precision.png"'


@pytest.mark.parametrize("path", ["imagined.svg", "imagined.png", "precision.svg?scheme=loud"])
def test_picture_that_is_not_there_is_missing(path: str, as_: As):
    number = reported.report_with_a_picture()

    assert as_("reviewer").get(f"/reports/{number}/{path}").status_code == 404


def table(client: Client, kind: str) -> list[dict[str, str]]:
    with scope.staff():
        number = Report.objects.get(kind=kind).pk
    content = client.get(f"/reports/{number}/table.csv").content
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def test_table_holds_what_the_page_shows(as_: As, sample: Any):
    found = table(as_("reviewer"), "precision")

    first = {name: found[0][name] for name in ("table", "measure", "right", "judged")}
    assert first == {"table": "sample", "measure": "current", "right": "28", "judged": "30"}
    assert {row["table"] for row in found} >= {"verdict", "answers", "kind", "age", "calibration"}


def test_table_holds_no_formula(as_: As, db: None):
    sample = labelled.make_sample(size=1, strata={"": [1000, 1]})
    labelled.add_items(sample, CORRECT, extractor="=HYPERLINK(1)", language="@x")
    building.build(reports.PRECISION, str(sample.pk))

    found = table(as_("reviewer"), "precision")

    names = {row["table"]: row["name"] for row in found}
    assert (names["extractor"], names["language"]) == ("'=HYPERLINK(1)", "'@x")


@pytest.mark.parametrize("kind", [reports.COURSE, reports.CONTRADICTIONS, reports.REVIEWERS])
def test_every_report_has_its_table(kind: str, as_: As, sample: Any):
    building.build(kind)

    assert all(row["table"] for row in table(as_("reviewer"), kind))


def test_contradictions_are_told_by_relation_and_by_who_settled_them(as_: As, db: None):
    sample = labelled.make_sample(subject="resolutions", size=20, strata={"": [5000, 20]})
    labelled.add_items(sample, *[CORRECT] * 9, INCORRECT, outcome="update")
    user = factories.make_user()
    facts = [factories.make_fact(user, each, first_said_at=WHEN + timedelta(days=n)) for n, each in enumerate("ab")]
    settled = {"settled_by": "member", "settled_at": WHEN + timedelta(days=3), "opened_at": WHEN, "winner": facts[1]}
    factories.make_conflict(user, *facts, **settled)
    building.build(reports.CONTRADICTIONS)

    response = as_("reviewer").get("/reports/contradictions/")

    assert headline(as_("reviewer"), "/reports/contradictions/") == (
        "9 of 10 audited decisions were right, which puts all of them between 59.6 % and 98.2 %."
    )
    assert rows(response, "Decisions that people found right") == ["replaces a known fact 9 of 10 90 % 59.6–98.2 %"]
    assert rows(response, "Settled by, and how long it took") == ["the person themselves 1 3.0 days 3.0 days"]
    assert rows(response, "Which side won")[0] == "The side said last 1"


@pytest.fixture
def disputed(member: User, staff: dict[str, User]) -> Any:
    """A fact that two reviewers judge differently."""
    fact = factories.make_fact(member, "Lives in Oslo.")
    sample = labelled.make_sample()
    (item,) = labelled.add_items(
        sample, (CORRECT, INCORRECT), user=member, fact_id=fact.pk, by=[staff["reviewer"], staff["admin"]]
    )
    building.build(reports.REVIEWERS)
    return item


def test_disagreements_are_told_with_who_said_what(as_: As, disputed: Any):
    response = as_("reviewer").get("/reports/reviewers/")

    assert reading.found(response, r'<h3 [^>]*class="claim"[^>]*>(.*?)</h3>') == ["Lives in Oslo."]
    assert reading.found(response, r'<span class="badge">(\w+)</span> <span dir="auto">(?:\w+)</span>') == [
        "Correct",
        "Incorrect",
    ]
    assert reading.links(response, "See what was said") == [f"/people/maya/facts/{disputed.fact_id}/"]


def test_who_looks_at_disagreements_is_written_down(as_: As, disputed: Any, member: User):
    as_("reviewer").get("/reports/reviewers/")

    with scope.staff():
        assert list(StaffRead.objects.values_list("user", "page")) == [(member.pk, "report-reviewers")]


def test_disagreement_about_what_was_erased_has_no_words(as_: As, disputed: Any, member: User):
    with scope.user(member.pk):
        forgetting.erase(member.pk, [disputed.fact_id], actor="command line")

    response = as_("reviewer").get("/reports/reviewers/")

    assert reading.found(response, r'<h3 [^>]*class="claim"[^>]*>(.*?)</h3>') == ["[erased]"]
    assert "Oslo" not in response.content.decode()


def test_reviewers_are_told_by_name_and_figures(as_: As, disputed: Any):
    assert rows(as_("reviewer").get("/reports/reviewers/"), "Reviewers and their figures") == [
        "Rita 1 6 s 0 0 0 of 1 – 2026-03-10",
        "Ada 1 6 s 0 0 0 of 1 – 2026-03-10",
    ]


def test_disagreements_come_in_pages(as_: As, staff: dict[str, User]):
    sample = labelled.make_sample()
    labelled.add_items(sample, *[(CORRECT, INCORRECT)] * 25, by=[staff["reviewer"], staff["admin"]])
    building.build(reports.REVIEWERS)
    client = as_("reviewer")

    first = client.get("/reports/reviewers/")
    (more,) = reading.links(first, "Show more")
    second = client.get(more.partition("#")[0])

    claims = r'<article class="differing" aria-labelledby="item-(\d+)"'
    found = [reading.found(each, claims) for each in (first, second)]
    assert [len(each) for each in found] == [20, 5]
    assert not {*found[0]} & {*found[1]}


@pytest.mark.parametrize("path", PAGES)
def test_page_takes_as_many_queries_for_thirty_as_for_one(path: str, as_: As, staff: dict[str, User]):
    client = as_("reviewer")
    both = [staff["reviewer"], staff["admin"]]
    counts = []
    for n in (1, 19):
        for _ in range(n):
            sample = labelled.closed_sample(CORRECT, CORRECT)
            labelled.add_items(sample, (CORRECT, INCORRECT), by=both)
        for kind in (reports.COURSE, reports.CONTRADICTIONS, reports.REVIEWERS):
            building.build(kind)
        building.build(reports.PRECISION, str(sample.pk))
        counts.append(reading.queries(client, path))

    assert counts[0] == counts[1]
