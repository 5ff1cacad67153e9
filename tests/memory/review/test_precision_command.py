"""`precision`: one document on stdout, and an exit code that a pipeline can gate on."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests import labelled
from tests.factories import WHEN
from tests.labelled import CORRECT, INCORRECT

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> int:
    try:
        call_command("precision", *arguments)
    except SystemExit as left:
        return int(str(left.code))
    except CommandError as error:
        return error.returncode
    return 0


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    run(*arguments, "--json")
    return dict(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize(("right", "code"), [(30, 0), (28, 3), (23, 1)])
def test_exit_says_where_memory_stands_to_the_bar(right: int, code: int):
    labelled.closed_sample(*[CORRECT] * right, *[INCORRECT] * (30 - right))

    assert run() == code


def test_without_a_sample_it_exits_undecided(capsys: pytest.CaptureFixture[str]):
    code = run()

    assert code == 3
    assert capsys.readouterr().out == (
        "No random sample of all that is believed has been labelled to its end yet. Draw one of 30 to begin.\n"
    )


def test_without_a_sample_json_says_so(capsys: pytest.CaptureFixture[str]):
    assert said(capsys) == {
        "sentence": "No random sample of all that is believed has been labelled to its end yet. Draw one of 30 to begin.",
        "sample": None,
        "verdict": "no_sample",
    }


@pytest.mark.parametrize("fields", [{"is_random": False}, {"closed_at": None}, {"subject": "resolutions"}])
def test_sample_that_is_none_of_all_facts_is_passed_over(fields: dict[str, Any]):
    labelled.closed_sample(*[INCORRECT] * 30, **fields)

    assert run() == 3


def test_newest_closed_sample_counts():
    labelled.closed_sample(*[INCORRECT] * 30)
    labelled.closed_sample(*[CORRECT] * 30, closed_at=WHEN + timedelta(days=9))

    assert run() == 0


def test_named_sample_counts():
    sample = labelled.closed_sample(*[INCORRECT] * 30)
    labelled.closed_sample(*[CORRECT] * 30, closed_at=WHEN + timedelta(days=9))

    assert run("--sample", str(sample.pk)) == 1


def test_open_sample_is_interim():
    sample = labelled.make_sample(size=31, closed_at=None, strata={"": [1000, 31]})
    labelled.add_items(sample, *[CORRECT] * 30, "")

    assert run("--sample", str(sample.pk)) == 3


@pytest.mark.parametrize("number", ["99999999", str(2**70)])
def test_sample_that_is_not_there_is_wrong_use(number: str):
    assert run("--sample", number) == 2


def test_sample_of_resolutions_is_wrong_use():
    sample = labelled.closed_sample(CORRECT, subject="resolutions")

    assert run("--sample", str(sample.pk)) == 2


def test_json_holds_both_precisions_and_the_sentence(capsys: pytest.CaptureFixture[str]):
    sample = labelled.closed_sample(*[CORRECT] * 27, *[labelled.STALE] * 3)

    found = said(capsys)

    assert found["sentence"].startswith("27 of 30 sampled facts were right.")
    assert (found["sample"]["id"], found["verdict"], found["bar"]) == (sample.pk, "undecided", 0.9)
    assert (found["current"]["rate"], found["factual"]["rate"]) == (0.9, 1.0)


def test_table_holds_both_precisions(capsys: pytest.CaptureFixture[str]):
    labelled.closed_sample(*[CORRECT] * 27, *[labelled.STALE] * 3)

    run()

    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[-2:] == ["true now 27 of 30 90 % 74.4 % 96.5 %", "true once 30 of 30 100 % 88.6 % 100 %"]
