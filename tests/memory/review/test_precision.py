"""What a sample says of memory: counts, shares, slices, verdicts."""

from datetime import timedelta
from typing import Any

import pytest

from memory import forgetting, scope
from memory.errors import NotFound
from memory.models import Label, Sample
from memory.review import choosing, precision
from tests import factories, labelled
from tests.factories import WHEN
from tests.labelled import CANT_TELL, CORRECT, INCORRECT, STALE

pytestmark = pytest.mark.django_db


def report(sample: Sample) -> dict[str, Any]:
    with scope.staff():
        return precision.report(sample)


def slices(found: dict[str, Any], dimension: str) -> list[tuple[str, int, int, int, float | None]]:
    return [
        (each["name"], *(each["current"][name] for name in ("right", "wrong", "unknown", "rate")))
        for each in found["slices"][dimension]
    ]


def test_stale_counts_as_wrong_now_and_right_once():
    found = report(labelled.closed_sample(*[CORRECT] * 26, *[STALE] * 3, INCORRECT))

    assert (found["current"]["right"], found["current"]["wrong"]) == (26, 4)
    assert (found["factual"]["right"], found["factual"]["wrong"]) == (29, 1)
    assert {name: count for name, count in found["counts"].items() if count} == {
        "correct": 26,
        "stale": 3,
        "incorrect": 1,
        "drawn": 30,
    }


@pytest.mark.parametrize(("right", "verdict"), [(30, "above"), (28, "undecided"), (23, "below")])
def test_verdict_is_on_what_is_true_now(right: int, verdict: str):
    found = report(labelled.closed_sample(*[CORRECT] * right, *[STALE] * (30 - right)))

    assert found["verdict"] == verdict


def test_gold_items_are_not_counted():
    sample = labelled.closed_sample(*[CORRECT] * 30)
    labelled.add_items(sample, INCORRECT, INCORRECT, gold="correct")

    found = report(sample)

    assert (found["current"]["judged"], found["verdict"], found["counts"]["drawn"]) == (30, "above", 30)


def test_labels_taken_back_do_not_stand():
    sample = labelled.closed_sample(*[CORRECT] * 30)
    with scope.staff():
        Label.objects.filter(item__place__in=[item.place for item in sample.items.all()[:2]]).update(undone_at=WHEN)

    found = report(sample)

    assert (found["current"]["right"], found["current"]["unknown"], found["counts"]["unanswered"]) == (28, 2, 2)


@pytest.mark.parametrize(
    ("verdicts", "current", "factual"),
    [
        ((CORRECT, CORRECT, INCORRECT), True, True),
        ((CORRECT, INCORRECT), None, None),
        ((CORRECT, CANT_TELL), True, True),
        ((STALE, INCORRECT), False, None),
        ((CORRECT, STALE), None, True),
        ((CANT_TELL, CANT_TELL), None, None),
    ],
)
def test_item_with_several_labels_goes_by_most_who_could_tell(
    verdicts: tuple[str, ...], current: object, factual: object
):
    found = report(labelled.closed_sample(verdicts))

    counted = {True: "right", False: "wrong", None: "unknown"}
    assert found["current"][counted[current]] == 1
    assert found["factual"][counted[factual]] == 1


def test_erased_item_keeps_its_answer_and_one_without_counts_as_unknown():
    sample = labelled.make_sample(size=3, strata={"": [1000, 3]})
    labelled.erase_words(*labelled.add_items(sample, CORRECT, ""))
    labelled.add_items(sample, CORRECT)

    found = report(sample)

    assert (found["current"]["right"], found["current"]["unknown"]) == (2, 1)
    assert (found["counts"]["erased"], found["counts"]["without_text"]) == (1, 2)


def test_sample_closed_early_leaves_the_rest_unknown():
    found = report(labelled.closed_sample(*[CORRECT] * 30, "", ""))

    assert (found["verdict"], found["counts"]["unanswered"], round(found["current"]["span"]["low"], 4)) == (
        "undecided",
        2,
        0.9375,
    )


def test_open_sample_is_interim_until_all_is_labelled():
    sample = labelled.make_sample(size=30, closed_at=None, strata={"": [1_000_000, 30]})
    labelled.add_items(sample, *[CORRECT] * 29)
    (last,) = labelled.add_items(sample, "")

    before = report(sample)
    with scope.staff():
        Label.objects.create(item=last, verdict=CORRECT, at=WHEN)
    after = report(sample)

    assert (before["verdict"], before["current"]["unknown"], before["counts"]["pending"]) == ("interim", 0, 1)
    assert (after["verdict"], after["current"]["right"]) == ("above", 30)


def test_open_sample_waits_for_second_labels_too():
    sample = labelled.make_sample(size=1, closed_at=None, strata={"": [1_000_000, 1]})
    labelled.add_items(sample, CORRECT, wanted=2)

    assert report(sample)["verdict"] == "interim"


def test_targeted_review_has_no_verdict():
    assert report(labelled.closed_sample(*[CORRECT] * 30, is_random=False))["verdict"] == "targeted"


def test_strata_are_weighted_by_their_size():
    sample = labelled.make_sample(
        size=30, method="stratified", stratify_by="kind", strata={"a": [600, 10], "b": [300, 10], "c": [100, 10]}
    )
    labelled.add_items(sample, *[CORRECT] * 10, stratum="a")
    labelled.add_items(sample, *[CORRECT] * 9, INCORRECT, stratum="b")
    labelled.add_items(sample, *[CORRECT] * 6, *[INCORRECT] * 4, stratum="c")

    found = report(sample)

    assert round(found["current"]["rate"], 3) == 0.93
    assert found["verdict"] == "undecided"
    assert found == report(sample)


def test_items_in_strata_that_the_sample_does_not_name_are_read_as_simple():
    sample = labelled.make_sample(size=2, population=100, strata={"a": [100, 2]})
    labelled.add_items(sample, CORRECT, INCORRECT, stratum="b")

    found = report(sample)

    assert (found["current"]["rate"], found["current"]["population"]) == (0.5, 100)


def test_facts_of_one_person_are_worth_fewer_labels():
    sample = labelled.make_sample(size=60, strata={"": [1_000_000, 60]})
    for owner in range(10):
        labelled.add_items(sample, *[INCORRECT if owner == 0 else CORRECT] * 6, owner=owner)

    found = report(sample)

    assert found["clusters"] == {"people": 10, "conversations": 60, "by": "person", "effect": 6.0, "is_known": True}
    assert (found["current"]["effective"], found["verdict"]) == (10, "undecided")


def test_unanimous_sample_counts_each_fact_once():
    sample = labelled.make_sample(size=30, strata={"": [1_000_000, 30]})
    labelled.add_items(sample, *[CORRECT] * 30, owner=1, first_episode=1)

    found = report(sample)

    assert (found["verdict"], found["clusters"]["is_known"], found["current"]["effective"]) == ("above", False, 30)


def test_slices_have_counts_and_no_rate_under_eight():
    sample = labelled.make_sample(size=15, strata={"": [1_000_000, 15]})
    labelled.add_items(sample, *[CORRECT] * 7, INCORRECT, kind="identity")
    labelled.add_items(sample, *[CORRECT] * 6, CANT_TELL, kind="goal")

    found = report(sample)

    assert slices(found, "kind") == [("identity", 7, 1, 0, 0.875), ("goal", 6, 0, 1, None)]


def test_slices_of_sources_name_no_tool_or_document():
    sample = labelled.make_sample(size=2, strata={"": [1_000_000, 2]})
    labelled.add_items(sample, CORRECT, source="imported:diary of Maya.txt")
    labelled.add_items(sample, CORRECT, source="tool:calendar")

    assert [name for name, *_ in slices(report(sample), "source")] == ["imported", "tool"]


def test_slices_of_predicates_name_only_those_of_the_vocabulary():
    sample = labelled.make_sample(size=2, strata={"": [1_000_000, 2]})
    labelled.add_items(sample, CORRECT, predicate="lives_in")
    labelled.add_items(sample, CORRECT, predicate="is_divorcing_from_jonas")

    assert [name for name, *_ in slices(report(sample), "predicate")] == ["lives_in", "other"]


def test_slices_of_age_go_from_the_youngest():
    sample = labelled.make_sample(size=3, strata={"": [1_000_000, 3]})
    for days in (400, 2, 40):
        labelled.add_items(sample, CORRECT, said_at=WHEN - timedelta(days=days))

    found = report(sample)

    assert [name for name, *_ in slices(found, "age")] == ["week", "quarter", "older"]
    assert [name for name, *_ in slices(found, "month")] == ["2025-02", "2026-01", "2026-03"]


def test_calibration_is_on_the_confidence_when_drawn():
    sample = labelled.make_sample(size=20, strata={"": [1_000_000, 20]})
    labelled.add_items(sample, *[CORRECT] * 8, *[STALE] * 2, confidence=0.85)
    labelled.add_items(sample, *[CORRECT] * 5, *[INCORRECT] * 5, confidence=0.5)

    found = report(sample)["calibration"]

    assert [(band["low"], band["slice"]["rate"]) for band in found["bands"]] == [(0.5, 0.5), (0.8, 0.8)]
    assert (found["judged"], round(found["error"], 4)) == (20, 0.025)


@pytest.mark.parametrize(
    ("verdicts", "population"),
    [((), 0), ((CANT_TELL,) * 30, 100), ((CORRECT,), 1_000_000), (("",) * 30, 100), ((CORRECT,) * 40, 40)],
    ids=["empty", "all can't tell", "one label", "none labelled", "all there is"],
)
def test_sample_at_the_edge_is_reported(verdicts: tuple[str, ...], population: int):
    found = report(labelled.closed_sample(*verdicts, population=population))

    assert found["current"]["drawn"] == len(verdicts)
    assert found["verdict"] == ("above" if len(verdicts) == 40 else "undecided")


def test_newest_is_the_random_sample_of_facts_closed_last():
    wanted = labelled.closed_sample(CORRECT, closed_at=WHEN + timedelta(days=2), filters={"status": "live"})
    labelled.closed_sample(CORRECT, closed_at=WHEN + timedelta(days=1))
    labelled.closed_sample(CORRECT, closed_at=WHEN + timedelta(days=3), is_random=False)
    labelled.closed_sample(CORRECT, closed_at=WHEN + timedelta(days=3), subject="refusals")
    labelled.closed_sample(CORRECT, closed_at=WHEN + timedelta(days=3), filters={"status": "live", "kind": "goal"})
    labelled.closed_sample(CORRECT, closed_at=WHEN + timedelta(days=3), filters={"status": "all"})
    labelled.make_sample(closed_at=None)

    with scope.staff():
        assert choosing.newest() == wanted


def test_sample_of_something_else_is_not_found():
    sample = labelled.closed_sample(CORRECT, subject="resolutions")

    with scope.staff(), pytest.raises(NotFound):
        choosing.named(sample.pk)


def test_person_who_left_leaves_the_counts_and_no_words():
    user = factories.make_user("maya")
    sample = labelled.make_sample(size=2, strata={"": [1_000_000, 2]})
    labelled.add_items(sample, CORRECT, user=user)
    labelled.add_items(sample, INCORRECT)
    before = report(sample)

    forgetting.depart(user, actor="command line")

    after = report(sample)
    assert after["counts"].pop("without_text") - before["counts"].pop("without_text") == 1
    assert after == before
