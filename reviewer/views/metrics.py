"""What Prometheus collects."""

import prometheus_client
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from memory.keys import Scope
from memory.models import Access, User
from reviewer import measuring
from reviewer.api import problems
from reviewer.api.access import allowed
from reviewer.views.access import private


@require_safe
@private
def metrics(request: HttpRequest) -> HttpResponse:
    """For a key that manages everybody's memory, and for admins who look; nothing in it is about anybody."""
    try:
        is_allowed = _is_admin(request) or _has_key(request)
    except problems.Problem as problem:
        return problems.respond(problem.status, problem.detail, headers=problem.headers)
    if not is_allowed:
        return problems.respond(401)
    return HttpResponse(measuring.exposition(), content_type=prometheus_client.CONTENT_TYPE_LATEST)


def _is_admin(request: HttpRequest) -> bool:
    user = request.user
    if isinstance(user, User) and user.access != Access.ADMIN:
        raise PermissionDenied
    return isinstance(user, User)


def _has_key(request: HttpRequest) -> bool:
    held = allowed(request.headers.get("Authorization", ""), Scope.MANAGE)
    if held is not None and held.key.user_id is not None:
        raise problems.Problem(403, "The key is for one person; this takes one for everybody.")
    return held is not None
