"""What the demo's reviewer finds to do."""

import pytest

from memory import demo, scope
from memory.models import Sample
from tests import factories

pytestmark = pytest.mark.django_db


def test_demo_begins_with_ten_facts_for_its_reviewer_once():
    reviewer = factories.make_login("reviewer", "reviewer")
    maya = factories.make_user("maya")
    for n in range(12):
        factories.make_fact(maya, f"Likes tea {n}.")

    first, second = demo.begin_review(), demo.begin_review()

    assert first is not None
    assert (first.size, first.reviewers, first.created_at, second) == (10, [reviewer.pk], demo.NOW, None)
    with scope.staff():
        assert Sample.objects.count() == 1


def test_demo_is_being_read_while_an_episode_waits():
    maya = factories.make_user("maya")
    before = demo.is_being_read()
    factories.make_episode(maya, "I like tea.")

    assert (before, demo.is_being_read()) == (False, True)
