"""What is known that bears on a question, an answer from it, and how to give one."""

from dataclasses import asdict
from functools import cache
from typing import Any

from ninja import Router

from memory import answering, decisions, engine, recollecting
from memory.models import User
from memory.pipeline import Engine
from reviewer import measuring
from reviewer.api import shapes
from reviewer.api.access import RECALL, KeyRequest, actor, whose
from reviewer.api.shapes import may_fail
from reviewer.api.writing import written

router = Router(tags=["recall"])
USER = "/users/{whom:external_id}"


@cache
def configured() -> Engine:
    """The model and the embedder of this process."""
    return engine.configured()


@router.post(USER + "/recall", auth=RECALL, response=shapes.Recollection, openapi_extra=may_fail(502), summary="Recall")
def recall(request: KeyRequest, external_id: str, question: shapes.Question) -> Any:
    """The facts that bear on a query, the best first; what was said, where that is asked for; and the block for a prompt.

    A side of a conflict brings the others along.
    """
    user = whose(request, external_id)
    asked = recollecting.Question(question.query, question.k, question.subject, question.as_of)
    return written(recollected(user, asked, actor=actor(request)))


@router.post(
    USER + "/answer", auth=RECALL, response=shapes.Answered, openapi_extra=may_fail(502, 503), summary="Answer"
)
def answer(request: KeyRequest, external_id: str, asking: shapes.Asking) -> Any:
    """An answer from memory alone, by the model, with the facts that it rests on; or that it is not known."""
    user, engine = whose(request, external_id), configured()
    return written(
        answering.answer(user, asking.question, model=engine.model, embedder=engine.embedder, actor=actor(request))
    )


@router.post(
    USER + "/decide", auth=RECALL, response=dict[str, shapes.Decided], openapi_extra=may_fail(), summary="Decide"
)
def decide(request: KeyRequest, external_id: str, deciding: shapes.Deciding | None = None) -> Any:
    """How to answer this person: depth, difficulty, tone and what policy adds, with the facts that moved each of them.

    `without` is what it would be if nothing were known.
    """
    user = whose(request, external_id)
    made = decisions.decide(user, actor=actor(request), dimensions=deciding.dimensions if deciding else None)
    return written({name: asdict(one) for name, one in made.items()})


def recollected(user: User, asked: recollecting.Question, *, actor: str) -> dict[str, Any]:
    """Measured; with this process's model and embedder."""
    engine = configured()
    with measuring.RECALLS.time():
        found = recollecting.recollect(user, asked, model=engine.model, embedder=engine.embedder, actor=actor)
    return found.document
