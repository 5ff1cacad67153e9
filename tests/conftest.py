"""Real services for every test: an embedded Postgres as the application's own login, and Valkey."""

import gc
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
from django.conf import settings
from pytest_django import DjangoDbBlocker

from reviewer import embedded
from tests import databases

UNTRACED = (
    "faults",
    "memory/extraction/test_anchoring.py",
    "memory/extraction/test_patterns.py",
    "memory/gate",
    "memory/resolver/test_invariants.py",
    "memory/test_isolated_rows.py",
    "reviewer/api/test_fuzz.py",
    "reviewer/mine/test_visit.py",
    "reviewer/test_access.py",
    "reviewer/test_browser",
    "reviewer/test_door.py",
    "reviewer/test_foreign_ids.py",
    "reviewer/test_hostile.py",
    "reviewer/test_queue_browser.py",
    "reviewer/test_settling_browser.py",
    "test_coverage_of_intervals.py",
    "test_dialogues.py",
)
"""Long tables, and whole runs over code that other tests go through too: tracing its branches doubles their time."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    wide = tuple(str(Path(__file__).parent / place) for place in UNTRACED)
    for item in items:
        if str(item.path).startswith(wide):
            item.add_marker(pytest.mark.no_cover)


def pytest_collection_finish() -> None:
    """Tests and modules live to the end: looking through them for garbage took a seventh of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """pytest-django's own would let the application's login create databases."""
    with django_db_blocker.unblock(), databases.database(), _broker():
        yield


@pytest.fixture(autouse=True)
def _emptied(request: pytest.FixtureRequest) -> Iterator[None]:
    """After a test that commits, empties the tables: the application's login may not TRUNCATE."""
    yield
    marker = request.node.get_closest_marker("django_db")
    is_transactional = {"transactional_db", "live_server"} & {*request.fixturenames}
    if is_transactional or (marker and marker.kwargs.get("transaction")):
        databases.clean(str(settings.DATABASES["default"]["NAME"]))


@pytest.fixture
def process_env(django_db_setup: None) -> dict[str, str]:
    """The environment for a child process that is to use this test's database and broker."""
    return {**os.environ, "DJANGO_SETTINGS_MODULE": "reviewer.settings"}


@contextmanager
def _broker() -> Iterator[None]:
    """One of Valkey's databases for this process, which child processes use too."""
    run = f"{os.environ['ASSAY_TEST_RUN']}_{databases.worker()}"
    url = embedded.ensure().broker_url(zlib.crc32(run.encode()) % 1023 + 1)
    os.environ["CELERY_BROKER_URL"] = settings.CELERY_BROKER_URL = url
    with redis.Redis.from_url(url) as broker:
        broker.flushdb()
        yield
        broker.flushdb()
