from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pytest
from django.db import transaction
from django.test import override_settings
from pytest_django.plugin import DjangoDbBlocker

from memory import demo, jobs, pipeline, scope
from memory.models import Candidate, Episode, Fact, Resolution, Turn, User
from memory.models.users import Access
from memory.types import Reason, Relation, Role, Status, Verdict

NOT_BY_PATTERNS = {Reason.MALFORMED}
"""That is a fault of a model's reply."""
AFTER_AN_ERASURE = {Reason.FORGOTTEN}


@dataclass(frozen=True)
class Processed:
    """What the demo has become. `again`: its facts after everybody's job ran once more."""

    relations: set[str]
    reasons: set[str]
    facts: list[dict[str, Any]]
    again: list[dict[str, Any]]


@pytest.fixture(scope="module")
def processed(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Processed]:
    """The demo processed without a model, as of its own moment: once for all tests here, and rolled back."""
    with django_db_blocker.unblock(), override_settings(ASSAY_NOW=demo.NOW), transaction.atomic():
        demo.load()
        facts = _process()
        with scope.staff():
            relations = set(Resolution.objects.values_list("relation", flat=True))
            reasons = set(Candidate.objects.filter(verdict=Verdict.REFUSED).values_list("reason", flat=True))
        yield Processed(relations, reasons, facts, again=_process())
        transaction.set_rollback(True)


def _process() -> list[dict[str, Any]]:
    """Everybody's job, as a worker would do it; returns all facts."""
    for person in demo.people():
        with scope.staff():
            user = User.objects.get(external_id=person.external_id)
        jobs.request([user.pk])
        while pipeline.process(user.pk, pipeline.Engine()):
            pass
    with scope.staff():
        return list(Fact.objects.order_by("pk").values())


@pytest.mark.django_db
def test_load_stores_every_episode_word_for_word() -> None:
    sent = sorted((raw["user"], turn["content"]) for raw in demo.episodes() for turn in raw["turns"])

    demo.load()

    with scope.staff():
        assert sorted(Turn.objects.values_list("user__external_id", "content")) == sent


@pytest.mark.django_db
def test_load_twice_stores_nothing_twice() -> None:
    demo.load()

    demo.load()

    with scope.staff():
        counts = Counter(Episode.objects.values_list("user__external_id", flat=True))
    assert counts == Counter(raw["user"] for raw in demo.episodes())


@pytest.mark.django_db
def test_load_makes_three_logins_that_can_sign_in() -> None:
    logins = demo.load({Access.REVIEWER: "as given"})

    with scope.staff():
        users = [User.objects.get(external_id=login.external_id) for login in logins]
    assert [user.access for user in users] == [Access.ADMIN, Access.REVIEWER, Access.MEMBER]
    assert [user.check_password(login.password) for user, login in zip(users, logins, strict=True)] == [True] * 3
    assert logins[1].password == "as given"


@pytest.mark.django_db
def test_load_again_keeps_passwords() -> None:
    first = demo.load()

    again = demo.load()

    assert [login.password for login in again] == ["", "", ""]
    with scope.staff():
        assert User.objects.get(external_id="admin").check_password(first[0].password)


def test_conversations_end_before_the_demo_is_looked_at() -> None:
    last = max(datetime.fromisoformat(turn["at"]) for raw in demo.episodes() for turn in raw["turns"])

    assert last < demo.NOW


def test_conversations_have_turns_of_every_role() -> None:
    roles = {turn["role"] for raw in demo.episodes() for turn in raw["turns"]}

    assert roles == set(Role)


def test_demo_shows_every_relation(processed: Processed) -> None:
    assert processed.relations == set(Relation)


def test_demo_shows_every_reason_that_patterns_can_meet(processed: Processed) -> None:
    wanted = set(Reason) - NOT_BY_PATTERNS - AFTER_AN_ERASURE

    missing = wanted - processed.reasons

    assert missing == set()


def test_demo_teaches_something_about_everyone(processed: Processed) -> None:
    owners = {fact["user_id"] for fact in processed.facts if fact["status"] == Status.ACTIVE}

    assert len(owners) == len(demo.people())


def test_demo_processed_again_changes_nothing(processed: Processed) -> None:
    assert processed.again == processed.facts
