"""Celery's app. Messages only nudge: jobs live in Postgres, so any message may be lost or come twice."""

import os
from typing import Any

import redis.exceptions
from celery import Celery
from celery.schedules import crontab
from celery.signals import worker_init
from kombu import Queue
from kombu.exceptions import OperationalError

from reviewer import embedded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "reviewer.settings")

BROKER_AWAY = (OSError, OperationalError, redis.exceptions.RedisError, embedded.ServerFailed)
"""What says that the broker cannot be reached. Whoever only nudges goes on without it."""


class Assay(Celery):
    """Connects to the configured broker, or to the embedded one, which that starts."""

    def connection_for_read(self, url: str | None = None, **options: Any) -> Any:
        return super().connection_for_read(url or broker_url(), **options)

    def connection_for_write(self, url: str | None = None, **options: Any) -> Any:
        return super().connection_for_write(url or broker_url(), **options)


def broker_url() -> str:
    """The configured broker's address, or the embedded one's, which that starts."""
    from django.conf import settings  # noqa: PLC0415 - read when a connection is made, not on import

    return settings.CELERY_BROKER_URL or embedded.ensure().broker_url()


def _is_redis() -> bool:
    return not os.environ.get("CELERY_BROKER_URL", "redis://").startswith(("amqp", "pyamqp"))


app = Assay("assay")
app.conf.update(
    task_default_queue="assay",
    task_queues=[Queue("ahead"), Queue("assay")],
    task_routes={"memory.tasks.sweep": {"queue": "ahead"}, "memory.tasks.canary": {"queue": "ahead"}},
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_soft_time_limit=540,
    task_time_limit=600,
    task_publish_retry_policy={"max_retries": 1, "interval_start": 0.1, "interval_max": 0.1},
    worker_pool="prefork",
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    broker_connection_retry_on_startup=True,
    broker_connection_timeout=4,
    broker_connection_max_retries=None,
    timezone="UTC",
    beat_schedule_filename=str(embedded.current().root / "beat-schedule"),
    beat_schedule={
        "sweep": {"task": "memory.tasks.sweep", "schedule": 5.0, "options": {"expires": 5}},
        "reports": {"task": "memory.tasks.refresh_reports", "schedule": 30.0, "options": {"expires": 30}},
        "canary": {"task": "memory.tasks.canary", "schedule": 30.0, "options": {"expires": 30}},
        "tidy": {"task": "memory.tasks.tidy", "schedule": 600.0, "options": {"expires": 600}},
        "upkeep": {"task": "memory.tasks.upkeep", "schedule": crontab(hour="2", minute="17")},
    },
)
if _is_redis():
    # With the defaults it took 104 s until the tasks of a killed worker were done; with these, 17 s.
    app.conf.broker_transport_options = {
        "visibility_timeout": 15,
        "unacked_restore_interval": 1,
        "unacked_restore_throttle": 1,
        "queue_order_strategy": "sorted",  # by name: what is ahead, then the backlog
        "socket_connect_timeout": 2,
        "socket_keepalive": True,
    }
app.autodiscover_tasks()


@worker_init.connect
def _check_login(**_: Any) -> None:
    from reviewer import roles  # noqa: PLC0415 - needs Django set up

    roles.refuse_privileged_login()
