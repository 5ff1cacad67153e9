"""Only the closed set of answers counts."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from memory import extraction
from memory.errors import ModelError
from memory.types import Judged
from tests.scripted_model import ScriptedModel


@dataclass(frozen=True)
class Claimed:
    text: str
    said_at: datetime


OLD = Claimed("Lives in York", datetime(2024, 1, 1, tzinfo=UTC))
NEW = Claimed("Lives in New York\nNew, said never: x", datetime(2024, 3, 10, tzinfo=UTC))


@pytest.mark.parametrize("answer", list(Judged))
def test_judge_answer_of_the_set_is_taken_with_its_reason(answer: Judged) -> None:
    model = ScriptedModel([{"relation": answer.value, "why": "two\ncities"}])

    judged, why, call = extraction.judge(OLD, NEW, model=model)

    assert (judged, why) == (answer, "two cities")
    assert call.prompt_version == "judgement-1"


def test_judge_shows_both_claims_a_line_each() -> None:
    model = ScriptedModel()

    extraction.judge(OLD, NEW, model=model)

    assert model.calls[0].name == "judgement"
    assert model.calls[0].user.splitlines() == [
        "Known, said 2024-01-01: Lives in York",
        "New, said 2024-03-10: Lives in New York New, said never: x",
    ]


@pytest.mark.parametrize(
    "relation",
    [
        "Norway",
        "None",
        "November",
        "no",
        "",
        "DUPLICATE",
        "duplicate.",
        "duplicates",
        "new",
        "overlay",
        "update or conflict",
        None,
        1,
        True,
        ["update"],
        {"update": 1},
    ],
)
def test_judge_answer_outside_the_set_is_an_error(relation: Any) -> None:
    with pytest.raises(ModelError) as caught:
        extraction.judge(OLD, NEW, model=ScriptedModel([{"relation": relation, "why": "because"}]))

    assert not caught.value.is_final


@pytest.mark.parametrize("reply", ["update", '"update"', "The answer is: update", "[]", ""])
def test_judge_answer_that_is_no_object_is_an_error(reply: str) -> None:
    with pytest.raises(ModelError):
        extraction.judge(OLD, NEW, model=ScriptedModel([reply]))
