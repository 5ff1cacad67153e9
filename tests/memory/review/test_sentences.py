"""The first line of the report: one plain sentence, whatever the sample."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from memory import scope
from memory.review import contradicting, course, precision, sentences
from tests import labelled
from tests.labelled import CANT_TELL, CORRECT, INCORRECT

pytestmark = pytest.mark.django_db


def first(*verdicts: str | Sequence[str], **fields: object) -> str:
    sample = labelled.closed_sample(*verdicts, **fields)
    with scope.staff():
        return sentences.first(precision.report(sample))


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        (
            28,
            2,
            (
                "28 of 30 sampled facts were right."
                " That is not yet enough to say that memory is above 90 %: label a fresh 240."
            ),
        ),
        (
            30,
            0,
            (
                "All 30 sampled facts were right."
                " Memory is above 90 %: at least 90.4 % of it is right, with 95 % confidence."
            ),
        ),
        (
            23,
            7,
            "23 of 30 sampled facts were right. Memory is below 90 %: at most 88.6 % of it is right, with 95 % confidence.",
        ),
        (
            24,
            6,
            (
                "24 of 30 sampled facts were right."
                " That is not yet enough to say whether memory is above or below 90 %: label a fresh 40."
            ),
        ),
        (27, 3, "27 of 30 sampled facts were right. That is so close to 90 % that no number of labels would decide."),
        (
            1,
            0,
            (
                "The one sampled fact was right."
                " That is not yet enough to say that memory is above 90 %: label a fresh 30."
            ),
        ),
    ],
)
def test_sentence_says_what_was_right_and_what_follows(right: int, wrong: int, sentence: str):
    assert first(*[CORRECT] * right, *[INCORRECT] * wrong) == sentence


@pytest.mark.parametrize(
    ("verdicts", "population", "sentence"),
    [
        ((), 0, "The sample is empty: there was nothing to draw from."),
        (
            (CANT_TELL,) * 30,
            1000,
            "None of the 30 sampled facts could be judged, so nothing can be said of memory.",
        ),
        (
            (CORRECT,) * 37 + (INCORRECT,) * 3,
            40,
            "37 of 40 sampled facts were right. They are all there are, so that is the precision of memory: 92.5 %, above 90 %.",
        ),
        (
            (CORRECT,) * 35 + (INCORRECT,) * 5,
            40,
            "35 of 40 sampled facts were right. They are all there are, so that is the precision of memory: 87.5 %, below 90 %.",
        ),
    ],
    ids=["empty", "all can't tell", "all there is", "all there is, below"],
)
def test_sample_at_the_edge_has_a_sentence(verdicts: tuple[str, ...], population: int, sentence: str):
    assert first(*verdicts, population=population) == sentence


def test_interim_sentence_gives_no_verdict():
    sample = labelled.make_sample(size=3, closed_at=None, strata={"": [1000, 3]})
    labelled.add_items(sample, CORRECT, INCORRECT, "")

    with scope.staff():
        sentence = sentences.first(precision.report(sample))

    assert sentence == (
        "Interim: 2 of 3 sampled facts are labelled so far, 1 of them right. The verdict comes when all are."
    )


def test_sample_of_which_nothing_is_labelled_yet_is_not_empty():
    sample = labelled.make_sample(size=2, closed_at=None, strata={"": [1000, 2]})
    labelled.add_items(sample, "", "")

    with scope.staff():
        sentence = sentences.first(precision.report(sample))

    assert sentence == (
        "Interim: 0 of 2 sampled facts are labelled so far, 0 of them right. The verdict comes when all are."
    )


def test_sample_that_was_narrowed_speaks_for_its_part_alone():
    assert first(*[CORRECT] * 30, filters={"status": "live", "kind": "goal"}) == (
        "All 30 sampled facts were right. The part that was drawn from is above 90 %:"
        " at least 90.4 % of it is right, with 95 % confidence."
    )


def test_report_stored_before_it_told_of_parts_and_open_verdicts_still_has_a_sentence():
    sample = labelled.closed_sample(*[CORRECT] * 28, *[INCORRECT] * 2)
    with scope.staff():
        report = precision.report(sample)
    now = sentences.first(report)

    del report["sample"]["is_narrowed"], report["current"]["is_open"]

    assert sentences.first(report) == now


def test_targeted_sample_says_that_it_says_nothing():
    assert first(CORRECT, INCORRECT, is_random=False) == (
        "1 of 2 sampled facts was right."
        " They were drawn by risk and not by chance, which says nothing of memory as a whole."
    )


def test_weighted_share_is_told():
    sample = labelled.make_sample(size=30, method="stratified", strata={"a": [600, 10], "b": [300, 10], "c": [100, 10]})
    labelled.add_items(sample, *[CORRECT] * 10, stratum="a")
    labelled.add_items(sample, *[CORRECT] * 9, INCORRECT, stratum="b")
    labelled.add_items(sample, *[CORRECT] * 6, *[INCORRECT] * 4, stratum="c")

    with scope.staff():
        sentence = sentences.first(precision.report(sample))

    assert sentence.startswith("25 of 30 sampled facts were right, which stand for 93 % of memory. That is not yet")


def test_share_that_hangs_by_what_could_not_be_judged_asks_for_no_more_labels():
    assert first(*[CORRECT] * 24, *[INCORRECT] * 2, *[CANT_TELL] * 4) == (
        "24 of 26 sampled facts were right."
        " So many could not be judged that no number of such labels would decide about 90 %."
    )


def test_what_could_not_be_judged_counts_as_wrong_in_how_many_labels_are_needed():
    without, with_one = (first(*[CORRECT] * 28, *rest) for rest in ([INCORRECT], [INCORRECT, CANT_TELL]))

    assert [sentence.partition("label a fresh ")[2] for sentence in (without, with_one)] == ["80.", "240."]


def test_what_could_not_be_judged_spans_a_range():
    sample = labelled.closed_sample(*[CORRECT] * 24, *[INCORRECT] * 2, *[CANT_TELL] * 4)

    with scope.staff():
        sentence = sentences.unknown(precision.report(sample))

    assert sentence == ("4 could not be judged. With all of them wrong or right, the share is from 80 % to 93.3 %.")


@pytest.mark.parametrize(
    ("share", "floor", "shown"),
    [
        (0.9, None, "90 %"),
        (0.9333, None, "93.3 %"),
        (1.0, None, "100 %"),
        (0.8999, True, "89.9 %"),
        (0.8991, False, "90 %"),
    ],
)
def test_bound_is_never_rounded_to_the_better_side(share: float, floor: object, shown: str):
    assert sentences.percent(share, floor=floor) == shown


def drifted(before: tuple[int, int], after: tuple[int, int]) -> str:
    for days, (right, of) in enumerate((before, after)):
        labelled.closed_sample(
            *[CORRECT] * right, *[INCORRECT] * (of - right), closed_at=labelled.CLOSED + timedelta(days=days)
        )
    with scope.staff():
        return sentences.drift(course.report())


def test_fall_that_may_be_chance_is_no_change():
    assert drifted((27, 30), (22, 30)) == (
        "From the last sample but one to the last it went from 90 % to 73.3 %: no change detectable at 30 labels."
    )


def test_fall_that_is_more_than_chance_is_told():
    assert drifted((29, 30), (15, 30)) == (
        "From the last sample but one to the last it went from 96.7 % to 50 %: more than chance."
    )


def test_single_sample_has_no_drift():
    labelled.closed_sample(CORRECT)

    with scope.staff():
        assert sentences.drift(course.report()) == ""


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        (30, 0, "30 of 30 audited decisions were right: at least 90.4 % of all are."),
        (27, 3, "27 of 30 audited decisions were right, which puts all of them between 74.4 % and 96.5 %."),
        (0, 0, "No automatic decisions have been audited yet. Draw a sample of them to know how many are right."),
    ],
)
def test_audit_is_told_in_a_sentence(right: int, wrong: int, sentence: str):
    labelled.closed_sample(*[CORRECT] * right, *[INCORRECT] * wrong, subject="resolutions")

    with scope.staff():
        assert sentences.audit(contradicting.report()) == sentence
