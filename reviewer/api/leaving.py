"""Taking memory along, forgetting a person, and letting them in to see for themselves."""

from typing import Annotated, Any

from django.http import StreamingHttpResponse
from django.urls import reverse
from ninja import Query, Router

from memory import forgetting, portability, portal, scope
from memory.models import User
from reviewer.api import shapes
from reviewer.api.access import MANAGE, KeyRequest, actor, whose
from reviewer.api.problems import Problem
from reviewer.api.shapes import may_fail
from reviewer.api.writing import written

router = Router(tags=["leaving"])
USER = "/users/{whom:external_id}"


@router.get(
    USER + "/export",
    auth=MANAGE,
    openapi_extra={"responses": may_fail()["responses"] | {200: shapes.ZIP}},
    summary="Everything as one archive",
)
def export(request: KeyRequest, external_id: str) -> Any:
    """A ZIP with `memory.json`, `facts.csv`, `facts.md` and `manifest.json`, all from one moment."""
    user = whose(request, external_id)
    response = StreamingHttpResponse(portability.export(user.pk), content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="memory.zip"'
    return response


@router.delete(USER + "/memory", auth=MANAGE, response=shapes.Erased, openapi_extra=may_fail(), summary="Forget me")
def forget(
    request: KeyRequest,
    external_id: str,
    *,
    confirm: Annotated[str, Query(description="the external id once more")] = "",
    preview: bool = False,
) -> Any:
    """Erases everything of a person, their login too; `preview` only counts. What is sent for them later is refused."""
    user = whose(request, external_id)
    if preview:
        with scope.staff():  # what reviewers did with their facts goes too, which nobody sees in their own scope
            return written({"erased": False, "counts": forgetting.preview_departure(user.pk)})
    _check(user, confirm)
    receipt = forgetting.depart(user, actor=actor(request))
    return written({"erased": True, "counts": receipt.counts, "receipt": receipt.pk, "at": receipt.at.isoformat()})


@router.post(
    USER + "/portal",
    auth=MANAGE,
    response={201: shapes.PortalLink},
    openapi_extra=may_fail(),
    summary="A link to their own memory",
)
def link(request: KeyRequest, external_id: str) -> Any:
    """Signs the member in, once, within 15 minutes, at the press of a button. Give it to nobody else."""
    made = portal.issue(whose(request, external_id))
    url = request.build_absolute_uri(reverse("portal", args=[made.token]))
    return written({"url": url, "expires_at": made.expires_at.isoformat()}, status=201)


def _check(user: User, confirm: str) -> None:
    if user.is_staff:
        raise Problem(403, "This is a login of staff. An admin removes it.")
    if confirm != user.external_id:
        raise Problem(422, "confirm: must be the external id once more: ?confirm=… Nothing was erased.")
