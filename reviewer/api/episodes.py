"""`POST …/episodes`, and how far each of them is."""

from collections.abc import Mapping
from typing import Any

from django.db.models import OuterRef, Subquery
from ninja import Router

from memory import ingest, scope
from memory.errors import EpisodeConflict, InvalidEpisode, TooLarge
from memory.incoming import IncomingEpisode
from memory.ingest import Arrival, Stored
from memory.models import Episode, Job, JobState, State, User
from reviewer.api import nudging, parsing, problems, shapes
from reviewer.api.access import INGEST, KeyRequest, whose
from reviewer.api.persons import made
from reviewer.api.problems import Problem
from reviewer.api.writing import written

router = Router(tags=["episodes"])
PATH = "/users/{whom:external_id}/episodes"

type Item = dict[str, Any]


@router.post(
    PATH,
    auth=INGEST,
    response={200: shapes.Stored | shapes.Batch, 202: shapes.Stored | shapes.Batch},
    openapi_extra=shapes.may_fail(409, 410, 413, requestBody=shapes.EPISODES_BODY),
    summary="Send one episode, or up to a hundred",
)
def post(request: KeyRequest, external_id: str) -> Any:
    """Stores them and answers; what is to be learnt from them is worked out afterwards.

    The person is made when missing. The same episode again is the stored one (200) and starts nothing. Turns may be
    added to an episode that is not closed by sending it again with them. In a batch each item has a status of its own.
    """
    raw = parsing.body(request)
    batch = ingest.unpack(raw)
    prepared = [_prepared(one) for one in batch]
    if "episodes" not in raw and isinstance(prepared[0], Problem):
        raise prepared[0]
    user = made(request, external_id)
    items = _stored(user, batch, prepared)
    nudging.learn(user.pk)
    return _answer(items, is_batch="episodes" in raw)


@router.get(PATH + "/{int:episode_id}", auth=INGEST, response=shapes.EpisodeState, openapi_extra=shapes.may_fail())
def state(request: KeyRequest, external_id: str, episode_id: int) -> Any:
    """How far its extraction is, and why, if it failed or had to be put off."""
    user = whose(request, external_id)
    with scope.user(user.pk):
        job = Job.objects.filter(user=OuterRef("user"))
        rows = Episode.objects.filter(user=user, pk=episode_id)
        found = rows.annotate(job_state=Subquery(job.values("state")), job_error=Subquery(job.values("error"))).first()
    if found is None:
        raise Problem(404, "There is no such episode.")
    return written(_state(found))


def _prepared(raw: Mapping[str, object]) -> IncomingEpisode | Problem:
    try:
        return ingest.prepare(raw)
    except (InvalidEpisode, TooLarge) as error:
        return Problem(problems.status_of(error), str(error))


def _stored(user: User, batch: list[Mapping[str, object]], prepared: list[IncomingEpisode | Problem]) -> list[Item]:
    """What became of each, in the order in which they came."""
    sound = [one for one in prepared if isinstance(one, IncomingEpisode)]
    results = iter(ingest.store_all(user, sound) if sound else ())
    return [
        _refused(raw, one) if isinstance(one, Problem) else _item(one, next(results))
        for raw, one in zip(batch, prepared, strict=True)
    ]


def _item(incoming: IncomingEpisode, result: Stored | EpisodeConflict) -> Item:
    if isinstance(result, EpisodeConflict):
        return {"external_id": incoming.external_id, **problems.document(409, str(result))}
    episode, is_new = result.episode, result.state != Arrival.EXISTING
    return {
        "id": episode.pk,
        "external_id": episode.external_id,
        "state": episode.state,
        "arrival": result.state,
        "turns_added": result.added,
        "removed": incoming.removed,
        "status": 202 if is_new else 200,
    }


def _refused(raw: Mapping[str, object], problem: Problem) -> Item:
    """Named as it named itself, as far as that is a name."""
    name = raw.get("external_id")
    shown = name.encode(errors="replace").decode()[:200] if isinstance(name, str) else ""
    return {"external_id": shown, **problems.document(problem.status, problem.detail)}


def _answer(items: list[Item], *, is_batch: bool) -> Any:
    if is_batch:
        is_known = all(item["status"] == 200 for item in items)  # noqa: PLR2004 - HTTP's OK
        return written({"episodes": items}, status=200 if is_known else 202)
    (item,) = items
    if "detail" in item:
        raise Problem(item["status"], item["detail"])
    return written(item, status=item["status"])


def _state(found: Any) -> Item:
    is_read_now = found.state == State.PENDING and found.job_state == JobState.RUNNING
    return {
        "id": found.pk,
        "external_id": found.external_id,
        "state": "running" if is_read_now else found.state,
        "why": found.error or (found.job_error or "" if found.state == State.PENDING else ""),
        "turns": found.turn_count,
        "read": found.read_turns,
        "occurred_at": found.occurred_at.isoformat(),
    }
