"""What the worker is told, as far as it decides whether work gets lost."""

from typing import Any

import pytest
from kombu.utils.url import parse_url

from reviewer.celery import app


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("task_acks_late", True),
        ("task_reject_on_worker_lost", True),
        ("task_ignore_result", True),
        ("worker_prefetch_multiplier", 1),
        ("worker_pool", "prefork"),
        ("broker_connection_retry_on_startup", True),
    ],
)
def test_app_loses_no_task_with_its_worker(name: str, value: Any) -> None:
    assert app.conf[name] == value


def test_app_has_a_killed_workers_tasks_back_within_seconds() -> None:
    options = app.conf.broker_transport_options

    assert {
        name: options[name] for name in ("visibility_timeout", "unacked_restore_interval", "unacked_restore_throttle")
    } == {
        "visibility_timeout": 15,
        "unacked_restore_interval": 1,
        "unacked_restore_throttle": 1,
    }


def test_schedule_names_tasks_that_exist() -> None:
    app.loader.import_default_modules()

    planned = {entry["task"] for entry in app.conf.beat_schedule.values()}

    assert planned - {*app.tasks} == set()
    wanted = {"sweep", "canary", "upkeep", "tidy", "refresh_reports"}
    assert planned == {f"memory.tasks.{name}" for name in wanted}


def test_connection_goes_to_the_configured_broker(settings: Any) -> None:
    settings.CELERY_BROKER_URL = "amqp://guest:guest@rabbit.example:5672//"

    with app.connection_for_write() as connection:
        assert (connection.transport_cls, connection.hostname) == ("amqp", "rabbit.example")


@pytest.mark.django_db
def test_connection_without_a_configured_broker_goes_to_the_embedded_one(settings: Any) -> None:
    settings.CELERY_BROKER_URL = None

    with app.connection_for_read() as connection:
        assert parse_url(connection.as_uri(include_password=False))["hostname"] == "127.0.0.1"
        connection.connect()
