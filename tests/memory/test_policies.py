"""Versions of the policy, on the real database."""

import io
import json
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from pytest_django import Settings

from memory import policies, scope, upkeep
from memory.errors import InvalidPolicy
from memory.models import Fact, PolicyVersion
from tests.factories import make_fact, make_user

pytestmark = pytest.mark.django_db


def test_change_threshold_is_the_policy_in_force() -> None:
    with scope.staff():
        policies.change({"ceiling": None, "half_life_days.preference": 365})

    with scope.staff():
        current = policies.current()

    assert (current.version, current.thresholds.ceiling) == (1, None)
    assert current.thresholds.half_life_days["preference"] == 365
    assert current.thresholds.half_life_days["goal"] == 90


def test_version_is_made_when_the_clock_says(settings: Settings) -> None:
    settings.ASSAY_NOW = datetime(2031, 5, 4, tzinfo=UTC)

    with scope.staff():
        policies.change({"ceiling": 80})

        assert PolicyVersion.objects.get().created_at == settings.ASSAY_NOW


def test_version_set_back_and_made_anew_at_one_time_is_the_new_one(settings: Settings) -> None:
    settings.ASSAY_NOW = datetime(2031, 5, 4, tzinfo=UTC)

    found = []
    with scope.staff():
        for ceiling in (80, 90):
            with transaction.atomic():
                policies.change({"ceiling": ceiling})
                found.append(policies.current().thresholds.ceiling)
                transaction.set_rollback(True)

    assert found == [80, 90]


def test_change_twice_keeps_what_was_changed_before() -> None:
    with scope.staff():
        policies.change({"ceiling": 80})
        policies.change({"min_support": 3})

        current = policies.current()

    assert (current.version, current.thresholds.ceiling, current.thresholds.min_support) == (2, 80, 3)


@pytest.mark.parametrize(
    "changes",
    [
        {"celing": 5},
        {"min_confidence": 1.5},
        {"min_confidence": "high"},
        {"ceiling": -1},
        {"min_support": None},
        {"birth.user": 2},
        {"half_life_days.goal": 0},
        {"half_life_days": 3},
        {"min_support": 1.5},
        {"update_window_days": 99999999999},
        {"auto_settle": 1},
        {"cardinality.likes": "several"},
        {"recall_floor": float("nan")},
        {"markers.hedged.en": ["(perhaps)"]},
        {"markers.hedged.en": ["* .. (so)"]},
    ],
)
def test_change_invalid_stores_nothing(changes: dict[str, object]) -> None:
    with scope.staff(), pytest.raises(InvalidPolicy):
        policies.change(changes)

    with scope.staff():
        assert PolicyVersion.objects.count() == 0


def test_stored_phrase_without_a_word_is_passed_over_and_leaves_other_changes_possible() -> None:
    stored = {
        "markers": {"hedged": {"en": ["(perhaps)", "reckonably"], "de": ["(so)"]}, "transient": {"en": ["(now)"]}}
    }
    with scope.staff():
        PolicyVersion.objects.create(version=1, changes=stored)

        before = policies.current().markers
        after = policies.change({"ceiling": 5})

    assert before == {"hedged": {"en": ("reckonably",)}}
    assert (after.version, after.markers) == (2, before)


def test_refade_same_policy_changes_nothing_it_had_dated() -> None:
    user = make_user()
    make_fact(user)
    with scope.staff():
        upkeep.refade(policies.current())

        assert upkeep.refade(policies.current()) == 0


def test_refade_longer_half_life_fades_later() -> None:
    user = make_user()
    fact = make_fact(user, kind="preference", confidence=0.9)
    with scope.staff():
        upkeep.refade(policies.current())
        before = Fact.objects.get(pk=fact.pk)
        upkeep.refade(policies.change({"half_life_days.preference": 360}))

        after = Fact.objects.get(pk=fact.pk)

    assert before.fades_at is not None
    assert after.fades_at is not None
    lasted = before.fades_at - before.last_supported_at
    lasts = after.fades_at - after.last_supported_at
    assert lasts / lasted == pytest.approx(2)


def test_policy_command_set_prints_new_version() -> None:
    out = io.StringIO()

    call_command("policy", "--set", "ceiling=80", "auto_settle=true", "--json", stdout=out)

    document = json.loads(out.getvalue())
    assert (document["version"], document["thresholds"]["ceiling"]) == (1, 80)
    assert document["thresholds"]["auto_settle"] is True


def test_policy_command_unknown_name_is_wrong_use() -> None:
    with pytest.raises(CommandError) as error:
        call_command("policy", "--set", "celing=80", stdout=io.StringIO())

    assert error.value.returncode == 2
