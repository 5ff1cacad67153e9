"""`PUT` and `PATCH /users/{external_id}`: who somebody is."""

from typing import Any

from ninja import Router

from memory import people, scope, stemming, tasks
from memory.incoming import user_name
from memory.models import User
from reviewer.api.access import MANAGE, KeyRequest, whose
from reviewer.api.people import COLUMNS, shown
from reviewer.api.problems import Problem
from reviewer.api.shapes import Person, PersonChange, may_fail
from reviewer.api.writing import written
from reviewer.views import nudging

router = Router(tags=["people"])
PATH = "/users/{whom:external_id}"


@router.put(
    PATH, auth=MANAGE, response={200: Person, 201: Person}, openapi_extra=may_fail(410), summary="Create or change"
)
def put(request: KeyRequest, external_id: str, change: PersonChange) -> Any:
    """Makes the person when missing; what is left out stays as it is."""
    user = request.auth.person
    is_new = user is None
    if user is None:
        user = made(request, external_id)
    return written(_changed(user, change), status=201 if is_new else 200)


@router.patch(PATH, auth=MANAGE, response=Person, openapi_extra=may_fail(), summary="Change")
def patch(request: KeyRequest, external_id: str, change: PersonChange) -> Any:
    """What is left out stays as it is. While paused, nothing is learnt and episodes are refused."""
    return written(_changed(whose(request, external_id), change))


def made(request: KeyRequest, external_id: str) -> User:
    """The person, made when missing. A key for one person makes nobody."""
    if request.auth.key.user_id is not None:
        return whose(request, external_id)
    if user_name(external_id) != external_id:
        raise Problem(422, "external_id: must not begin or end with a space.")
    return people.named(external_id)


def _changed(user: User, change: PersonChange) -> dict[str, Any]:
    given = {COLUMNS[name]: value for name, value in change.model_dump(exclude_none=True).items()}
    with scope.user(user.pk):
        changed = people.change(user.pk, **given) if given else User.objects.get(pk=user.pk)
        is_behind = "language" in given and stemming.is_behind(changed)
    if is_behind:
        nudging.nudge(tasks.restem, user.pk)
    return shown(changed)
