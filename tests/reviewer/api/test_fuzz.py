"""Whatever is sent, the answer is one that the OpenAPI document describes, and never a failure of ours."""

from typing import Any

import pytest

from memory import scope
from memory.models import User
from tests import factories, fuzzing
from tests.reviewer.api.conftest import Agent
from tests.reviewer.api.test_access import MATRIX

pytestmark = pytest.mark.django_db(transaction=True)

TURN = {"role": "user", "name": "n", "content": "I live in Oslo.", "at": "2026-03-10T12:00:00Z"}
EPISODE = {
    "external_id": "e", "session": "s", "closed": True, "remember": True, "occurred_at": 1.0, "turns": [TURN]
}  # fmt: skip
FULL = {
    "episodes": {"episodes": [EPISODE]},
    "recall": {"query": "x", "k": 6, "subject": "s", "as_of": "2026"},
    "answer": {"question": "x"},
    "decide": {"dimensions": ["tone"]},
    "{fact_id}": {"text": "x", "object": "x", "status": "closed", "valid_to": "2026-03-10"},
    "{external_id}": {"display_name": "x", "language": "en", "time_zone": "UTC", "paused": False},
}
CALLS = {call: FULL.get(call[1].rpartition("/")[2]) if row.body is not None else None for call, row in MATRIX.items()}


@pytest.fixture(autouse=True)
def _unlimited(settings: Any) -> None:
    settings.ASSAY_RATE_LIMIT = 0


def set_up() -> fuzzing.Ids:
    """A person with a fact, made anew where the requests before have erased them."""
    user = User.objects.filter(external_id="maya").first() or factories.make_user("maya")
    fact = factories.make_believed(user)
    with scope.user(user.pk):
        return {"external_id": "maya", "fact_id": fact.pk, "episode_id": fact.claims.order_by("pk").last().episode_id}


@pytest.mark.timeout(180)
def test_made_up_requests_are_answered_as_the_document_says(agent: Agent):
    found = fuzzing.explore(agent.token, set_up, cases=300)

    assert (found.faults, found.server_errors, found.requests >= 200) == ([], 0, True)


@pytest.mark.timeout(180)
@pytest.mark.parametrize("call", sorted(CALLS))
def test_hostile_values_anywhere_break_nothing(call: tuple[str, str], agent: Agent):
    found = fuzzing.spoil(agent.token, {call: CALLS[call]}, set_up)

    assert (found.faults, found.server_errors) == ([], 0)
