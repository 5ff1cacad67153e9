"""Whether this process can serve."""

import redis.exceptions
from django.db import Error, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError

from reviewer.celery import app
from reviewer.embedded import ServerFailed


@require_safe
@never_cache
def healthz(_request: HttpRequest) -> JsonResponse:
    """Ready (200) when the database answers; the broker is reported, but requests are taken without it."""
    is_ready = _has_database()
    state = {"live": True, "ready": is_ready, "database": is_ready, "broker": _has_broker()}
    return JsonResponse(state, status=200 if is_ready else 503)


def _has_database() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (Error, ServerFailed):
        return False
    return True


def _has_broker() -> bool:
    try:
        with app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=2)
    except (OSError, OperationalError, redis.exceptions.RedisError, ServerFailed):
        return False
    return True
