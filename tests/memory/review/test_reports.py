"""Stored results: asked for, built, dated, kept fresh; counts that outlive words."""

import json
import xml.etree.ElementTree as ET
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from memory import forgetting, policies, scope, tasks
from memory.errors import NotFound
from memory.models import Report, Sample
from memory.review import building, grounds, reports, sampling
from reviewer.celery import app
from tests import factories, labelled
from tests.factories import WHEN
from tests.labelled import CORRECT, INCORRECT

pytestmark = pytest.mark.django_db


def ask(kind: str = reports.COURSE, about: str = "", **options: Any) -> reports.Result:
    with scope.staff():
        return reports.ask(kind, about, **options)


def due() -> list[tuple[str, str]]:
    with scope.staff():
        return list(reports.due())


def change(**fields: Any) -> None:
    with scope.staff():
        Report.objects.update(**fields)


def precision_of(*verdicts: str) -> str:
    return str(labelled.closed_sample(*verdicts).pk)


def test_asking_for_what_is_missing_puts_it_down_once():
    first, second = ask(), ask()

    assert (first.numbers, first.is_building, first.is_new, second.is_new) == (None, True, True, False)
    assert due() == [("course", "")]


def test_built_report_is_stored_dated_and_not_due():
    before = timezone.now()
    ask()

    building.build(reports.COURSE)

    found = ask()
    assert (found.is_building, found.numbers["samples"], found.error) == (False, [], "")
    assert before <= found.built_at <= timezone.now()
    assert due() == []


def test_report_is_the_same_from_the_same_frozen_sample():
    about = precision_of(*[CORRECT] * 28, *[INCORRECT] * 2)
    building.build(reports.PRECISION, about)
    first = ask(reports.PRECISION, about)

    building.build(reports.PRECISION, about)

    assert ask(reports.PRECISION, about).numbers == first.numbers


def test_asking_again_keeps_the_old_result_until_the_new_one_is_there():
    building.build(reports.COURSE)

    again = ask(again=True)

    assert (again.is_new, again.is_building, again.numbers["samples"]) == (True, True, [])
    assert due() == [("course", "")]


def test_asking_again_twice_puts_it_down_once():
    building.build(reports.COURSE)

    assert [ask(again=True).is_new for _ in range(2)] == [True, False]


def test_result_older_than_what_it_is_about_is_wanted_anew():
    building.build(reports.COURSE)

    change(built_at=timezone.now() - timedelta(hours=2), requested_at=timezone.now() - timedelta(hours=3))

    young, old = (ask(since=timezone.now() - timedelta(hours=hours)) for hours in (3, 1))

    assert (young.is_building, old.is_building) == (False, True)


STANDING_ON_SAMPLES = {
    reports.COURSE: "facts",
    reports.CURVE: "facts",
    reports.CONTRADICTIONS: "resolutions",
    reports.GATE: "refusals",
    reports.REVIEWERS: "refusals",
}


def of_now(kind: str, about: str = "") -> reports.Result:
    """As a page asks: what the report rests on now is looked up."""
    with scope.staff():
        return reports.ask(kind, about, ground=grounds.of(kind, about))


@pytest.mark.parametrize("now", [datetime(2020, 1, 1, tzinfo=UTC), datetime(2090, 1, 1, tzinfo=UTC)])
@pytest.mark.parametrize("kind", STANDING_ON_SAMPLES)
def test_sample_closed_makes_its_reports_old_wherever_the_clock_stands(kind: str, now: datetime, settings: Settings):
    settings.ASSAY_NOW = now
    building.build(kind)
    before = of_now(kind).is_building
    sample = labelled.make_sample(subject=STANDING_ON_SAMPLES[kind], closed_at=None)

    sampling.close(sample.pk)

    after = of_now(kind)
    building.build(kind)
    assert (before, after.is_building, after.is_new) == (False, True, True)
    assert not of_now(kind).is_building


def test_sample_looked_at_again_and_another_bar_make_its_precision_old():
    about = precision_of(CORRECT)
    building.build(reports.PRECISION, about)
    fresh = of_now(reports.PRECISION, about).is_building

    with scope.staff():
        Sample.objects.update(look=2)
    looked = of_now(reports.PRECISION, about).is_building
    building.build(reports.PRECISION, about)
    with scope.staff():
        policies.change({"precision_bar": 0.8})

    assert (fresh, looked, of_now(reports.PRECISION, about).is_building) == (False, True, True)


def test_timer_has_built_what_a_closed_sample_made_old_before_anybody_asks():
    building.build(reports.COURSE)
    about = precision_of(CORRECT)
    published()

    tasks.refresh_reports()

    asked = [("memory.tasks.build_report", [kind, of]) for kind, of in (("precision", about), ("course", ""))]
    assert published() == asked


def test_report_that_is_asked_for_while_it_is_built_is_built_once_more_at_once():
    ask()
    change(requested_at=timezone.now() + timedelta(hours=1))
    published()

    tasks.build_report("course", "")

    assert published() == [("memory.tasks.build_report", ["course", ""])]


def test_old_report_is_built_anew_by_itself_unless_its_sample_is_frozen():
    building.build(reports.COURSE)
    building.build(reports.PRECISION, precision_of(CORRECT))
    long_ago = datetime(2026, 1, 1, tzinfo=UTC)
    change(built_at=long_ago, requested_at=long_ago)

    assert due() == [("course", "")]


def test_task_builds_what_was_asked_for():
    ask()

    tasks.build_report("course", "")

    assert ask().numbers["samples"] == []


def test_task_repeated_builds_nothing_anew():
    ask()
    tasks.build_report("course", "")
    first = ask().built_at

    tasks.build_report("course", "")

    assert ask().built_at == first


def published() -> list[Any]:
    """What lies in the broker for workers: task and arguments."""
    found = []
    with app.connection_for_read() as connection, connection.channel() as channel:
        while message := channel.basic_get("assay", no_ack=True):
            found.append((message.headers["task"], message.payload[0]))
    return found


def test_timer_publishes_what_is_due():
    ask()
    published()

    tasks.refresh_reports()

    assert published() == [("memory.tasks.build_report", ["course", ""])]


def test_task_that_breaks_says_why_and_is_not_tried_again_until_asked():
    ask(reports.PRECISION, "99999999")

    tasks.build_report("precision", "99999999")

    found = ask(reports.PRECISION, "99999999")
    assert (found.is_building, found.error.split(" in ")[0]) == (False, "NotFound")
    assert due() == []
    assert ask(reports.PRECISION, "99999999", again=True).is_building


def broken_off(kind: str) -> dict[str, Any] | None:
    """Where a report stands that broke off half way, once it is put down again."""
    ask(kind, "1")
    with scope.staff():
        reports.keep(kind, "1", {"began": WHEN.isoformat(), "stages": {}, "found": {"people": 3}})
        reports.break_off(kind, "1", "The worker was lost.")
    ask(kind, "1", again=True)
    with scope.staff():
        return Report.objects.get().so_far


def test_preview_that_broke_off_begins_anew_when_asked_for_again():
    assert broken_off(reports.PREVIEW) is None


def test_carrying_out_that_broke_off_goes_on_from_where_it_was_and_is_dated_by_when_it_was_asked_for_again():
    so_far = broken_off(reports.CARRIED)

    with scope.staff():
        asked_at = Report.objects.get().requested_at
    assert so_far == {"began": asked_at.isoformat(), "stages": {}, "found": {"people": 3}}


@pytest.mark.parametrize(("kind", "about"), [("imagined", ""), ("precision", "x"), ("precision", "99999999")])
def test_report_about_nothing_cannot_be_built(kind: str, about: str):
    with pytest.raises(NotFound):
        building.build(kind, about)


def test_pictures_are_svg_in_two_schemes_and_png():
    about = precision_of(*[CORRECT] * 28, *[INCORRECT] * 2)
    building.build(reports.PRECISION, about)
    found = ask(reports.PRECISION, about)

    with scope.staff():
        svg, dark, png = (reports.picture(found.id, "precision", form) for form in ("svg", "dark", "png"))

    root = ET.fromstring(svg)  # noqa: S314 - drawn by us
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == found.pictures["precision"]
    assert root.attrib["aria-label"].startswith("true now: 28 of 30 right, 93.3%, 95 % interval 78.7% to 98.2%")
    assert (svg == dark, len(ET.fromstring(dark)), png[:11]) == (False, len(root), "iVBORw0KGgo")  # noqa: S314


@pytest.mark.parametrize(("name", "form"), [("imagined", "svg"), ("precision", "gif"), ("'; --", "svg")])
def test_picture_that_is_not_there_is_not_found(name: str, form: str):
    about = precision_of(*[CORRECT] * 30)
    building.build(reports.PRECISION, about)
    found = ask(reports.PRECISION, about)

    with scope.staff(), pytest.raises(NotFound):
        reports.picture(found.id, name, form)


def test_sample_that_says_nothing_has_a_report_without_pictures():
    about = str(labelled.closed_sample(population=0).pk)

    building.build(reports.PRECISION, about)

    assert (ask(reports.PRECISION, about).pictures, due()) == ({}, [])


@pytest.mark.parametrize("kind", [reports.PRECISION, reports.COURSE, reports.CONTRADICTIONS, reports.REVIEWERS])
def test_erased_facts_keep_their_counts_and_no_text_of_theirs_was_ever_stored(kind: str):
    user = factories.make_user("maya", display_name="Zanzibarian")
    fact = factories.make_fact(user, "Zanzibarian wisdom about plumbing.", object="Zanzibarian")
    sample = labelled.make_sample(size=10, strata={"": [100, 10]})
    reviewers = [factories.make_login("reviewer"), factories.make_login("reviewer")]
    odd = {"predicate": "zanzibarian_ways", "source": "imported:Zanzibarian.txt"}
    (item,) = labelled.add_items(sample, (CORRECT, INCORRECT), user=user, fact_id=fact.pk, by=reviewers, **odd)
    labelled.add_items(sample, *[CORRECT] * 9)
    about = str(sample.pk) if kind == reports.PRECISION else ""
    building.build(kind, about)
    before = ask(kind, about)

    with scope.user(user.pk):
        forgetting.erase(user.pk, [fact.pk], actor="command line")
    building.build(kind, about)

    after = ask(kind, about)
    stored = json.dumps([before.numbers, before.pictures, after.numbers, after.pictures])
    with scope.staff():
        stored += json.dumps(list(Report.objects.values_list("data", "pictures")))
        item.refresh_from_db()
    assert item.words_id is None
    assert "zanzibar" not in stored.lower()
    if kind == reports.PRECISION:
        assert after.numbers["counts"].pop("without_text") == before.numbers["counts"].pop("without_text") + 1
    if kind == reports.REVIEWERS:  # counted on, and not there to be read any more
        assert (before.numbers.pop("disagreements"), after.numbers.pop("disagreements")) == ([item.pk], [])
    assert after.numbers == before.numbers
