from collections.abc import Iterator
from typing import NamedTuple

import pytest
from django.conf import settings
from pytest_django.plugin import DjangoDbBlocker

from memory.models import User
from tests import databases, filling
from tests.factories import make_user


class Filled(NamedTuple):
    """A person with rows in every table."""

    user: User
    rows: filling.Rows


@pytest.fixture(scope="module")
def _two_people(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[tuple[Filled, Filled]]:
    with django_db_blocker.unblock():
        people = [make_user("own"), make_user("strange")]
        yield Filled(people[0], filling.fill(people[0])), Filled(people[1], filling.fill(people[1]))
        databases.clean(str(settings.DATABASES["default"]["NAME"]))


@pytest.fixture(scope="module")
def own(_two_people: tuple[Filled, Filled]) -> Filled:
    """Committed once for a module, whose tests roll back what they do."""
    return _two_people[0]


@pytest.fixture(scope="module")
def strange(_two_people: tuple[Filled, Filled]) -> Filled:
    return _two_people[1]
