"""What is believed about a person: read, corrected, erased; and what cannot all be true."""

from typing import Any

from django.db.models import QuerySet
from ninja import Query, Router

from memory import correcting, forgetting, listing, policies, scope, text
from memory.errors import NotFound
from memory.models import Fact, History, User
from memory.types import LIVE, Status
from reviewer.api import shapes
from reviewer.api.access import MANAGE, RECALL, KeyRequest, actor, whose
from reviewer.api.problems import Problem
from reviewer.api.shapes import FactChange, may_fail
from reviewer.api.writing import written

router = Router(tags=["facts"])
PATH = "/users/{whom:external_id}/facts"
ONE = PATH + "/{int:fact_id}"

type Document = dict[str, Any]


@router.get(PATH, auth=RECALL, response=shapes.Facts, openapi_extra=may_fail(), summary="List")
def listed(request: KeyRequest, external_id: str, wanted: Query[shapes.Wanted]) -> Any:
    """Pages in the order in which facts were first believed: give `next` of one page as `after` of the following."""
    return written(page(whose(request, external_id), wanted))


@router.get(ONE, auth=RECALL, response=shapes.Fact, openapi_extra=may_fail(), summary="Read one")
def read(request: KeyRequest, external_id: str, fact_id: int) -> Any:
    """With the sentences that it rests on."""
    user = whose(request, external_id)
    with scope.user(user.pk):
        return written(_one(user, fact_id))


@router.patch(ONE, auth=MANAGE, response=shapes.Changed, openapi_extra=may_fail(409), summary="Correct, retract, close")
def patch(request: KeyRequest, external_id: str, fact_id: int, change: FactChange) -> Any:
    """What the person says of a fact, told by their agent; nothing is overwritten.

    A correction is stored as an episode of its own with the person as its speaker, passes the gate, and becomes a
    new fact that has this episode as its evidence. The old fact is retracted and stays on the record.
    """
    user = whose(request, external_id)
    with scope.user(user.pk):
        _one(user, fact_id)
        now = _change(user.pk, fact_id, change)
        History.objects.create(user=user, actor=actor(request), action="correct", table="fact", row=fact_id)
        before = _one(user, fact_id) if now != fact_id else None
        return written({"fact": _one(user, now), "corrected": before})


@router.delete(ONE, auth=MANAGE, response=shapes.Erased, openapi_extra=may_fail(), summary="Erase one, finally")
def erase(request: KeyRequest, external_id: str, fact_id: int, *, preview: bool = False, wrong: bool = False) -> Any:
    """Erases the fact, what is derived from it alone, and the sentences it was said in; `preview` only shows that.

    What it had replaced comes back only if it is said to have been `wrong`. The receipt has no content.
    """
    user = whose(request, external_id)
    if preview:
        return written(going(user, [fact_id]))
    return written(gone(user, [fact_id], actor=actor(request), was_wrong=wrong))


@router.get(
    "/users/{whom:external_id}/conflicts",
    auth=RECALL,
    response=shapes.Conflicts,
    openapi_extra=may_fail(),
    summary="Open questions",
)
def conflicts(request: KeyRequest, external_id: str) -> Any:
    """What cannot all be true, and claims of which it is not clear whom they are about: things to ask the person."""
    return written(questions(whose(request, external_id)))


def page(user: User, wanted: shapes.Wanted) -> Document:
    """Facts from one id on, with a bounded number of queries."""
    with scope.user(user.pk):
        rows = _wanted(user, wanted).filter(pk__gt=wanted.after).order_by("pk")[: wanted.limit + 1]
        found = listing.facts(rows, thresholds=policies.current().thresholds)
    has_more, found = len(found) > wanted.limit, found[: wanted.limit]
    return {"facts": found, "next": found[-1]["id"] if has_more else None}


def going(user: User, facts: list[int]) -> Document:
    """What erasing these would take. Raises NotFound when none of them is there."""
    thresholds = policies.current().thresholds
    with scope.user(user.pk):
        preview = _previewed(user, facts)
        named, dependent = (
            listing.facts(Fact.objects.filter(user=user, pk__in=ids), thresholds=thresholds)
            for ids in (preview.facts, preview.dependent)
        )
    return {"erased": False, "counts": preview.counts, "facts": named, "dependent": dependent}


def gone(user: User, facts: list[int], *, actor: str, was_wrong: bool = False) -> Document:
    """Erases them. Raises NotFound when none of them is there."""
    with scope.user(user.pk):
        _previewed(user, facts)
        receipt = forgetting.erase(user.pk, facts, actor=actor, was_wrong=was_wrong)
        receipt.refresh_from_db()
    return {"erased": True, "counts": receipt.counts, "receipt": receipt.pk, "at": receipt.at.isoformat()}


def questions(user: User) -> Document:
    with scope.user(user.pk):
        return {"conflicts": listing.conflicts([user.pk])}


def _previewed(user: User, facts: list[int]) -> forgetting.Preview:
    preview = forgetting.preview(user.pk, facts)
    if not preview.facts:
        raise NotFound("There is no such fact.")
    return preview


def _wanted(user: User, wanted: shapes.Wanted) -> QuerySet[Fact]:
    rows = Fact.objects.filter(user=user)
    if wanted.status != "all":
        rows = rows.filter(status__in=LIVE if wanted.status == "live" else [Status(wanted.status)])
    name = text.name_key(text.clean(wanted.subject).text)
    return rows.about(name) if name else rows


def _one(user: User, fact_id: int) -> Document:
    found = listing.facts(Fact.objects.filter(user=user, pk=fact_id), thresholds=policies.current().thresholds)
    if not found:
        raise NotFound("There is no such fact.")
    return found[0]


def _change(user_id: int, fact_id: int, change: FactChange) -> int:
    """Does what is asked; the id of the fact that is to be shown for it."""
    is_wording = change.text is not None or change.object is not None
    is_closing = change.valid_to is not None or change.status == "closed"
    is_retraction = change.status == "retracted"
    if [is_wording, is_closing, is_retraction].count(True) != 1:
        raise Problem(422, "body: say one thing: text and/or object, or status, or valid_to.")
    if is_wording:
        return correcting.correct(user_id, fact_id, said=change.text or "", value=change.object or "").pk
    if is_closing:
        correcting.close(user_id, fact_id, as_of=change.valid_to)
    else:
        correcting.retract(user_id, fact_id)
    return fact_id
