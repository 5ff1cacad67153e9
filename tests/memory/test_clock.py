"""One clock: whatever time people see stands where the clock stands, not on the machine's day."""

from datetime import UTC, datetime

import pytest
from django.db import models
from django.utils import timezone
from pytest_django import Settings

from memory import decisions, forgetting, recollecting, scope, visiting
from memory.models import Conflict, Decided, Fact, Job, Recalled, Receipt, StaffRead
from memory.review import checking, examining, reports
from memory.review.reports import Built
from tests.factories import make_episode, make_login, make_user
from tests.faults.telling import Person
from tests.isolation import content_models

pytestmark = pytest.mark.django_db

LATER = datetime(2024, 6, 1, 12, tzinfo=UTC)
APART = {"Episode.due_at", "Fact.fades_at"}
"""When work may begin, which goes by the real clock; and what lies ahead."""


@pytest.fixture
def person(settings: Settings) -> Person:
    """Someone who contradicted themselves, read three months later."""
    settings.ASSAY_NOW = LATER
    person = Person()
    person.says("I live in Oslo")
    person.says("I live in Bergen", day=0.2)
    return person


def _strays(person: Person) -> set[str]:
    """The columns with a time after the clock's moment."""
    times = [
        (model, field.name)
        for model in content_models()
        for field in model._meta.fields
        if isinstance(field, models.DateTimeField) and model is not Job
    ]
    with scope.staff():
        return {
            f"{model.__name__}.{name}"
            for model, name in times
            if model._default_manager.filter(user_id=person.user.pk, **{f"{name}__gt": LATER}).exists()
        }


def test_what_is_learnt_and_contradicted_is_dated_by_the_clock(person: Person) -> None:
    with scope.user(person.user.pk):
        learnt = list(Fact.objects.values_list("created_at", flat=True))
        opened = list(Conflict.objects.values_list("opened_at", flat=True))

    assert (learnt, opened, _strays(person) - APART) == ([LATER, LATER], [LATER], set())


def test_what_is_recalled_and_decided_is_dated_by_the_clock(person: Person) -> None:
    recollecting.recollect(person.user, recollecting.Question("home"), model=None, embedder=None, actor="agent")
    decisions.decide(person.user, actor="agent", dimensions=["tone"])

    with scope.user(person.user.pk):
        found = [*Recalled.objects.values_list("at", flat=True), *Decided.objects.values_list("at", flat=True)]
    assert found == [LATER, LATER]


def test_look_of_staff_is_dated_by_the_clock(person: Person) -> None:
    reviewer = make_login("reviewer")

    with scope.staff():
        visiting.note(reviewer.pk, [person.user.pk], page="person")

    with scope.staff():
        assert list(StaffRead.objects.filter(reader=reviewer).values_list("at", flat=True)) == [LATER]


def test_receipt_of_an_erasure_is_dated_by_the_clock(person: Person) -> None:
    forgetting.depart(person.user, actor="themselves")

    with scope.staff():
        assert list(Receipt.objects.filter(user_id=person.user.pk).values_list("at", flat=True)) == [LATER]


def test_report_says_that_it_was_built_where_the_clock_stands(settings: Settings) -> None:
    settings.ASSAY_NOW = LATER
    with scope.staff():
        reports.store(reports.COST, "", Built({}, {}, 0), began=timezone.now())

        found = reports.find(reports.COST, "")

    assert found is not None
    assert found.told_at == LATER


def test_health_looks_back_from_where_the_clock_stands(settings: Settings) -> None:
    settings.ASSAY_NOW = LATER
    make_episode(make_user(), *["Hello."] * checking.ENOUGH_TURNS, read_turns=checking.ENOUGH_TURNS)

    with scope.staff():
        days = examining.report()["counted"]["days"]

    assert days == examining.RECENT.days
