"""Too many wrong passwords: axes counts them by name and address, so that nobody is locked out by others.

Names are kept as keyed hashes: people type passwords into the field for the name, and what was
forgotten must not stay here.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Any

from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from memory.marks import mark_of_user


def name(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str:
    """What axes files an attempt under."""
    given = (credentials or {}).get("username") or request.POST.get("username", "")
    return mark_of_user(str(given).strip())


def respond(request: HttpRequest, *_: Any) -> HttpResponse:
    """The page for whoever is locked out."""
    seconds = int(settings.AXES_COOLOFF_TIME.total_seconds())
    context = {"minutes": seconds // 60, "attempts": settings.AXES_FAILURE_LIMIT}
    response = render(request, "login/locked.html", context, status=HTTPStatus.TOO_MANY_REQUESTS)
    response["Retry-After"] = str(seconds)
    return response


def locked(external_ids: Iterable[str]) -> set[str]:
    """Those of these names that are locked out somewhere at this moment."""
    marks = {mark_of_user(external_id): external_id for external_id in external_ids}
    recent = AccessAttempt.objects.filter(username__in=marks, attempt_time__gt=_since())
    counted = recent.order_by().values("username", "ip_address").annotate(failures=Sum("failures_since_start"))
    return {marks[row["username"]] for row in counted.filter(failures__gte=settings.AXES_FAILURE_LIMIT)}


def _since() -> datetime:
    return timezone.now() - settings.AXES_COOLOFF_TIME


def lift(external_id: str) -> None:
    """Lets this name try again at once, from everywhere."""
    AccessAttempt.objects.filter(username=mark_of_user(external_id)).delete()
